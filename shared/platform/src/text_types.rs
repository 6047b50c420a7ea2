//! Texts that are checked when they are read.

/// Declares kinds of text. Each is a type of its own, with a function that checks it.
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
