//! Identifiers. Each kind is its own type, so a post is never passed for a person.

use std::{fmt, str::FromStr, sync::Mutex};

use rand::RngExt;
use serde::{Deserialize, Serialize, de::Error as _};
use ulid::{Generator, Ulid};

use crate::time::Time;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, utoipa::ToSchema)]
        #[serde(transparent)]
        #[schema(value_type = String, example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
        pub struct $name(Ulid);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }

        impl $name {
            /// The lowest id: every other sorts after it.
            pub const MIN: Self = Self(Ulid(0));

            /// The bits that no clock had a hand in; for spreading rows over shards.
            pub fn random(self) -> u128 {
                self.0.random()
            }
        }

        impl From<Ulid> for $name {
            fn from(id: Ulid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for Ulid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                text.parse().map(Self).map_err(|_| NotAnId)
            }
        }
    )*};
}

ids! {
    /// A post, reply, quote or repost; also its public id. Sorts by when it was written.
    PostId
    /// A session: one sign-in on one device.
    SessionId
    /// A report.
    ReportId
    /// A version of a post that an edit replaced.
    VersionId
    /// A message group: a conversation.
    GroupId
    /// A message; sorts by when it was sent.
    MessageId
    /// A group of notifications.
    NotificationId
    /// Something that happened; sorts by when.
    EventId
    /// What it happened to: a post, a user, a message group.
    TargetId
    /// An entry of the administrators' log.
    AuditId
    /// What is left of a dead circle.
    StoneId
    /// A circle.
    CircleId
    /// An attempt to save a circle.
    CprId
    /// A change of a circle's energy; sorts by when.
    ChangeId
    /// A file that is uploaded.
    UploadId
    /// A place in a list that is sorted by when something was done.
    Position
}

impl crate::http::PathParam for PostId {
    const NOUN: &'static str = "post";
}

impl crate::http::PathParam for GroupId {
    const NOUN: &'static str = "message group";
}

impl crate::http::PathParam for MessageId {
    const NOUN: &'static str = "message";
}

impl crate::http::PathParam for NotificationId {
    const NOUN: &'static str = "notification";
}

impl crate::http::PathParam for StoneId {
    const NOUN: &'static str = "museum item";
}

impl crate::http::PathParam for CircleId {
    const NOUN: &'static str = "circle";
}

impl crate::http::PathParam for ReportId {
    const NOUN: &'static str = "report";
}

impl crate::http::PathParam for UserId {
    const NOUN: &'static str = "user";
}

/// The text is not 26 characters of Crockford's base 32.
#[derive(Debug, thiserror::Error)]
#[error("must be an id")]
pub struct NotAnId;

/// A person, as the service knows them: the `sub` of their tokens, the owner of their rows.
///
/// Clients mostly see [`UserId::public`]. Either form is accepted wherever a client names a
/// person, and is read back to this one: the lowest bit tells which form it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, utoipa::ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
pub struct UserId(Ulid);

/// A person, as clients know them.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(transparent)]
#[schema(value_type = String, example = "01KGB5T9G0A1B2C3D4E5F6G7H9")]
pub struct PublicUserId(Ulid);

/// 79 random bits of a user's id are turned by this mask and this rotation: one id from the other
/// without a look-up, and both still sort by creation.
const MASK: u128 = 0x2b7e_1516_28ae_d2a6_abf7;
const ROTATION: u32 = 33;
const RANDOM_BITS: u32 = 79;
const RANDOM_MASK: u128 = (1 << RANDOM_BITS) - 1;

impl crate::http::PathParam for SessionId {
    const NOUN: &'static str = "session";
}

impl UserId {
    /// The id that clients see. Costs nothing: it is the same id in other bits.
    pub fn public(self) -> PublicUserId {
        let mixed = rotate((self.0.random() >> 1) ^ (MASK & RANDOM_MASK), ROTATION);
        PublicUserId(Ulid::from_parts(self.0.timestamp_ms(), (mixed << 1) | 1))
    }

    /// The bits that no clock had a hand in; for spreading rows over shards.
    pub fn random(self) -> u128 {
        self.0.random() >> 1
    }

    /// As few bytes as it takes.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_bytes()
    }

    /// The id that these bytes are.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self::from_either(Ulid::from_bytes(bytes))
    }

    fn from_either(id: Ulid) -> Self {
        if id.0 & 1 == 0 {
            return Self(id);
        }
        let random = rotate(id.random() >> 1, RANDOM_BITS - ROTATION) ^ (MASK & RANDOM_MASK);
        Self(Ulid::from_parts(id.timestamp_ms(), random << 1))
    }
}

fn rotate(bits: u128, by: u32) -> u128 {
    ((bits << by) | (bits >> (RANDOM_BITS - by))) & RANDOM_MASK
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for PublicUserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for UserId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        text.parse().map(Self::from_either).map_err(|_| NotAnId)
    }
}

impl<'de> Deserialize<'de> for UserId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| D::Error::custom("must be a user's id"))
    }
}

/// Makes ids. Those of one instance and millisecond still sort in the order they were made.
#[derive(Default)]
pub struct Ids(Mutex<Generator>);

impl Ids {
    /// A new id of any kind but a user's.
    pub fn next<T: From<Ulid>>(&self, now: Time) -> T {
        let mut generator = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let at = std::time::UNIX_EPOCH + std::time::Duration::from_millis(now.millis().max(0) as u64);
        let id =
            generator.generate_from_datetime(at).unwrap_or_else(|overflow| overflow.commit_overflow_random());
        T::from(id)
    }

    /// A new user's id: its lowest bit is clear, its public form's is set.
    pub fn next_user(&self, now: Time) -> UserId {
        let random = rand::rng().random::<u128>() & !1;
        UserId(Ulid::from_parts(now.millis().max(0) as u64, random))
    }
}

/// 32 random bytes, for secrets that are mailed.
pub fn random_bytes() -> [u8; 32] {
    rand::rng().random()
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_users_public_id_leads_back_to_the_user() {
        let ids = Ids::default();
        for millis in 0..1000 {
            let user = ids.next_user(Time::from_seconds(millis));
            let public = user.public().to_string();
            assert_ne!(public, user.to_string());
            assert_eq!(public.parse::<UserId>().unwrap(), user);
            assert_eq!(user.to_string().parse::<UserId>().unwrap(), user);
        }
    }
}
