//! Compact storage for lists of IDs, with 16 bytes per ID. Use it with `#[serde(with = "packed")]`.

use std::{fmt, marker::PhantomData};

use serde::{Deserializer, Serializer, de};
use ulid::Ulid;

/// Bytes per ID.
pub const ID_BYTES: usize = 16;

/// Serializes IDs as one byte string.
pub fn serialize<I, S>(ids: &[I], serializer: S) -> Result<S::Ok, S::Error>
where
    I: Into<Ulid> + Copy,
    S: Serializer,
{
    let bytes: Vec<_> = ids.iter().flat_map(|id| Into::<Ulid>::into(*id).to_bytes()).collect();
    serializer.serialize_bytes(&bytes)
}

/// Deserializes IDs from one byte string.
///
/// # Errors
/// Fails if the length is not a multiple of 16 bytes.
pub fn deserialize<'de, I, D>(deserializer: D) -> Result<Vec<I>, D::Error>
where
    I: From<Ulid>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_byte_buf(Packed(PhantomData))
}

struct Packed<I>(PhantomData<I>);

impl<I: From<Ulid>> de::Visitor<'_> for Packed<I> {
    type Value = Vec<I>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IDs of 16 bytes each")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Vec<I>, E> {
        let (ids, rest) = bytes.as_chunks::<ID_BYTES>();
        let ids = ids.iter().map(|bytes| Ulid::from_bytes(*bytes).into()).collect();
        rest.is_empty().then_some(ids).ok_or_else(|| E::invalid_length(bytes.len(), &self))
    }
}
