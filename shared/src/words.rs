//! Enums whose words a client may write in any case.

macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$word_meta:meta])* $word:ident = $text:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ::serde::Serialize, ::utoipa::ToSchema)]
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        pub enum $name { $($(#[$word_meta])* $word,)* }

        impl<'de> ::serde::Deserialize<'de> for $name {
            /// In any case.
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match <String as ::serde::Deserialize>::deserialize(deserializer)?.to_ascii_uppercase().as_str() {
                    $($text => Ok(Self::$word),)*
                    _ => Err(<D::Error as ::serde::de::Error>::custom(concat!("must be one of" $(, " ", $text)*))),
                }
            }
        }
    )*};
}

pub(crate) use words;
