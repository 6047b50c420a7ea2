//! Macros for values as clients write them: enums in any case, texts that are checked.

/// Declares enums whose words a client may write in any case.
#[macro_export]
macro_rules! any_case_words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$word_meta:meta])* $word:ident = $text:literal,)* })*) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ::serde::Serialize, ::utoipa::ToSchema)]
        $(#[$meta])*
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

/// Declares texts that are checked when they are read: each is a type of its own.
#[macro_export]
macro_rules! text_types {
    ($($(#[$meta:meta])* $name:ident: $check:path;)*) => {$(
        #[derive(Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize, ::utoipa::ToSchema)]
        $(#[$meta])*
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl TryFrom<String> for $name {
            type Error = &'static str;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                $check(text).map(Self)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
    )*};
}
