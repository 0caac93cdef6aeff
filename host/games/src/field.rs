//! Fields: the named values of a decision or a candidate.

use std::fmt;

use serde::Serialize;

/// A named value of a decision or a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name, in snake case.
    pub name: &'static str,
    /// The value.
    pub value: Value,
}

impl Field {
    /// A field with this name and value.
    pub fn new(name: &'static str, value: impl Into<Value>) -> Self {
        let value = value.into();
        Self { name, value }
    }
}

/// The value of a field; serialises as `null`, a boolean, a number or a string.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// No value; the field does not apply.
    Nothing,
    /// Not reported by the backend, so not compared.
    Unknown,
    /// A boolean.
    Flag(bool),
    /// A whole number.
    Number(u64),
    /// A whole number that may be negative.
    Signed(i64),
    /// Any other value, as text.
    Text(String),
}

macro_rules! values {
    ($($From:ty: $value:ident => $to:expr;)+) => {$(
        impl From<$From> for Value {
            fn from($value: $From) -> Self {
                $to
            }
        }
    )+};
}

values! {
    bool: flag => Self::Flag(flag);
    u64: number => Self::Number(number);
    usize: number => Self::Number(number as u64);
    i64: number => Self::Signed(number);
    i32: number => Self::Signed(number.into());
    String: text => Self::Text(text);
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, T::into)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing | Self::Unknown => f.pad("-"),
            Self::Flag(flag) => f.pad(if *flag { "yes" } else { "no" }),
            Self::Number(number) => f.pad(&number.to_string()),
            Self::Signed(number) => f.pad(&number.to_string()),
            Self::Text(text) => f.pad(text),
        }
    }
}
