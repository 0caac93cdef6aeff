//! The macro `table!`, which makes a table and the Rust types of its payloads from one text.

use crate::payload::Payload;

/// A type of fields: an integer, or an array of integers.
pub trait FieldValue: Sized {
    /// Width in bits.
    const BITS: usize;
    /// Whether it is in two's complement.
    const SIGNED: bool;
    /// The value whose bytes are all 0.
    const ZERO: Self;
    /// Appends it to a payload, the lowest byte of an integer first.
    fn put(self, payload: &mut Payload);
    /// Takes it from the front of `bytes`; `None` if there are too few.
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

macro_rules! integers {
    ($($int:ty, $signed:literal;)+) => {$(
        impl FieldValue for $int {
            const BITS: usize = <$int>::BITS as usize;
            const SIGNED: bool = $signed;
            const ZERO: Self = 0;

            fn put(self, payload: &mut Payload) {
                payload.append(&self.to_le_bytes());
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (first, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*first))
            }
        }
    )+};
}

integers! {
    u8, false;
    u16, false;
    u32, false;
    u64, false;
    i16, true;
    i32, true;
    i64, true;
}

impl<T: FieldValue + Copy, const N: usize> FieldValue for [T; N] {
    const BITS: usize = N * T::BITS;
    const SIGNED: bool = false;
    const ZERO: Self = [T::ZERO; N];

    fn put(self, payload: &mut Payload) {
        self.into_iter().for_each(|item| item.put(payload));
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let mut items = Self::ZERO;
        for item in &mut items {
            *item = T::take(bytes)?;
        }
        Some(items)
    }
}

/// A doc comment without its leading space.
pub(super) const fn about(doc: &'static str) -> &'static str {
    doc.trim_ascii()
}

/// Defines, in the module that calls it:
/// - for each payload a struct with `FIELDS`, `encode` and `decode`;
/// - for each message a [`Message`](super::Message), and the list `MESSAGES`;
/// - for each error code an [`ErrorCode`](super::ErrorCode), and the list `ERRORS`;
/// - for each capability a [`Capability`](super::Capability), and the list `CAPABILITIES`;
/// - each constant, and the list `CONSTANTS` with their names and widths in SystemVerilog.
///
/// The doc comment of an item is also its `about`. The payload of a message without one is `()`;
/// two messages may share a payload.
macro_rules! table {
    (
        payloads {$(
            $(#[doc = $p_doc:literal])+
            $p_snake:literal $Payload:ident {$(
                $(#[doc = $f_doc:literal])+
                $field:ident: $kind:ty,
            )+}
        )+}
        messages {$(
            $(#[doc = $m_doc:literal])+
            $MESSAGE:ident = $id:literal, $m_snake:literal, $body:tt;
        )+}
        errors {$(
            $(#[doc = $e_doc:literal])+
            $ERROR:ident = $number:literal, $e_snake:literal;
        )+}
        $(capabilities {$(
            $(#[doc = $b_doc:literal])+
            $CAPABILITY:ident = $bit:literal, $b_snake:literal;
        )+})?
        constants {$(
            $(#[doc = $c_doc:literal])+
            $CONSTANT:ident: $c_kind:ty = $value:expr, $c_snake:literal, $bits:literal;
        )+}
    ) => {
        $(
            $(#[doc = $p_doc])+
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct $Payload {$(
                $(#[doc = $f_doc])+
                pub $field: $kind,
            )+}

            impl Default for $Payload {
                fn default() -> Self {
                    Self {$(
                        $field: $crate::layout::FieldValue::ZERO,
                    )+}
                }
            }

            impl $Payload {
                /// The fields in wire order.
                pub const FIELDS: &'static [$crate::layout::Field] = &[$(
                    $crate::layout::Field {
                        name: stringify!($field),
                        bits: <$kind as $crate::layout::FieldValue>::BITS,
                        signed: <$kind as $crate::layout::FieldValue>::SIGNED,
                        about: $crate::layout::table::about(concat!($($f_doc),+)),
                    },
                )+];

                /// Encodes the payload.
                pub fn encode(&self) -> $crate::payload::Payload {
                    let mut payload = $crate::payload::Payload::EMPTY;
                    $($crate::layout::FieldValue::put(self.$field, &mut payload);)+
                    payload
                }

                /// Decodes the payload.
                ///
                /// # Errors
                /// When the length is wrong.
                pub fn decode(bytes: &[u8]) -> Result<Self, $crate::payload::PayloadError> {
                    let mut rest = bytes;
                    match Self::take(&mut rest) {
                        Some(payload) if rest.is_empty() => Ok(payload),
                        _ => Err($crate::payload::PayloadError::Length {
                            payload: $p_snake,
                            expected: $crate::layout::bytes(Self::FIELDS),
                            got: bytes.len(),
                        }),
                    }
                }

                fn take(bytes: &mut &[u8]) -> Option<Self> {
                    Some(Self {
                        $($field: $crate::layout::FieldValue::take(bytes)?,)+
                    })
                }
            }
        )+

        $(
            $(#[doc = $m_doc])+
            pub const $MESSAGE: $crate::layout::Message = $crate::layout::Message {
                name: $m_snake,
                id: $id,
                fields: table!(@fields $body),
                about: $crate::layout::table::about(concat!($($m_doc),+)),
            };
        )+

        /// The messages of this table.
        pub const MESSAGES: &[$crate::layout::Message] = &[$($MESSAGE),+];

        $(
            $(#[doc = $e_doc])+
            pub const $ERROR: $crate::layout::ErrorCode = $crate::layout::ErrorCode {
                name: $e_snake,
                number: $number,
                about: $crate::layout::table::about(concat!($($e_doc),+)),
            };
        )+

        /// The error codes of this table.
        pub const ERRORS: &[$crate::layout::ErrorCode] = &[$($ERROR),+];

        $(
            $(
                $(#[doc = $b_doc])+
                pub const $CAPABILITY: $crate::layout::Capability = $crate::layout::Capability {
                    name: $b_snake,
                    bit: $bit,
                    about: $crate::layout::table::about(concat!($($b_doc),+)),
                };
            )+

            /// The capabilities that a core may report.
            pub const CAPABILITIES: &[$crate::layout::Capability] = &[$($CAPABILITY),+];
        )?

        $(
            $(#[doc = $c_doc])+
            pub const $CONSTANT: $c_kind = $value;
        )+

        /// The constants of this table.
        pub const CONSTANTS: &[$crate::layout::Constant] = &[$(
            $crate::layout::Constant {
                name: $c_snake,
                value: $CONSTANT as u32,
                bits: $bits,
                about: $crate::layout::table::about(concat!($($c_doc),+)),
            },
        )+];
    };
    (@fields ()) => { &[] };
    (@fields $Payload:ident) => { $Payload::FIELDS };
}

#[cfg(test)]
mod tests {
    use crate::layout::connect4::{Candidate, Found};
    use crate::layout::gomoku::Weights;

    /// Fields lie where docs/wire.md says, with their lowest byte first; also negative ones.
    #[test]
    fn payload_fields_are_in_wire_order() {
        let found = Found {
            parts: 0x0201,
            cancelled: 3,
            column: 4,
            value: -2,
            depth: 5,
            nodes: 6 << 56,
            cycles: 7,
        };
        let bytes = [
            1, 2, 3, 4, 0xfe, 0xff, 5, 0, 0, 0, 0, 0, 0, 0, 6, 7, 0, 0, 0, 0, 0, 0, 0,
        ];
        assert_eq!(found.encode().as_ref(), bytes);
        assert_eq!(Found::decode(&bytes), Ok(found));
        assert!(Candidate::decode(&bytes).is_err(), "too long");
        assert!(Found::decode(&bytes[1..]).is_err(), "too short");
    }

    #[test]
    fn payload_array_items_are_in_order() {
        let mut weights = Weights::default();
        weights.attack[1] = -2;
        weights.defend[6] = 0x0102;
        weights.key[0] = 3;
        let mut bytes = [0; 38];
        bytes[5..7].copy_from_slice(&[0xfe, 0xff]);
        bytes[29..31].copy_from_slice(&[2, 1]);
        bytes[31] = 3;
        assert_eq!(weights.encode().as_ref(), bytes);
        assert_eq!(Weights::decode(&bytes), Ok(weights));
        assert!(Weights::decode(&bytes[..37]).is_err(), "too short");
    }
}
