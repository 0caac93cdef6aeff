//! Types that JSON holds as text.

/// Makes serde write types by their `Display` and read them by their `FromStr`.
#[macro_export]
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'d> serde::Deserialize<'d> for $type {
            fn deserialize<D: serde::Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
                let text: String = serde::Deserialize::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
