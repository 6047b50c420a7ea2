//! Identifiers. Each kind of ID has its own type, so that IDs of different kinds cannot be confused.

use std::{fmt, str::FromStr};

use platform::{App, Time, id::NotAnId};
use serde::{Deserialize, Serialize, de::Error as _};
use ulid::Ulid;

platform::ids! {
    /// A post, reply, quote or repost. Sorts by creation time.
    PostId
    /// A draft.
    DraftId
    /// A session: one sign-in on one device.
    SessionId
    /// An emailed notice.
    NoticeId
    /// An application token.
    ApplicationTokenId
    /// A passkey.
    PasskeyId
    /// A report.
    ReportId
    /// A case: all reports of one target. Its ID is the public ID of the reported user, or the ID of the reported post.
    CaseId
    /// A change of a case. Sorts by time.
    CaseEventId
    /// An appeal against a moderation decision.
    AppealId
    /// An earlier version of an edited post.
    VersionId
    /// A message group: a conversation.
    GroupId
    /// A message. Sorts by the time of sending.
    MessageId
    /// A notification, which groups events.
    NotificationId
    /// A notification event. Sorts by time.
    EventId
    /// The target of a notification event, for example a post, a user or a message group.
    TargetId
    /// An entry of the audit log.
    AuditId
    /// A dead circle's memorial stone in the museum.
    StoneId
    /// A circle.
    CircleId
    /// An attempt to rescue a dying circle (CPR).
    CprId
    /// A change of a circle's energy. Sorts by time.
    ChangeId
    /// An uploaded file.
    UploadId
    /// A device that receives a user's push notifications.
    DeviceId
    /// A webhook of an administrator.
    WebhookId
    /// An event that webhooks receive.
    AnnouncementId
    /// An export of a user's data.
    ExportId
    /// A position in a list that sorts by time.
    Position
}

/// A user's internal ID. It is the `sub` of the user's tokens, and part of the partition key of the user's rows.
///
/// Rows contain internal IDs, and responses contain [`UserId::public`]. This type has no schema, so a response with a
/// field of this type does not compile. The API accepts internal and public IDs, and converts both to internal IDs. The
/// lowest bit of an ID shows whether it is internal or public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct UserId(Ulid);

/// A user's public ID, which responses, pushes and exports contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, utoipa::ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, example = "01KGB5T9G0A1B2C3D4E5F6G7H9")]
pub struct PublicUserId(Ulid);

/// The mask and [`ROTATION`] convert between internal and public IDs without a lookup. Both IDs sort by creation time.
const MASK: u128 = 0x2b7e_1516_28ae_d2a6_abf7;
const ROTATION: u32 = 33;
const RANDOM_BITS: u32 = 79;
const RANDOM_MASK: u128 = (1 << RANDOM_BITS) - 1;

impl UserId {
    /// Placeholder for a deleted user or the service itself. No user has this ID.
    pub const NONE: Self = Self(Ulid(0));

    /// Returns the public ID, which clients see. Needs no lookup. Returns the placeholder [`Self::NONE`] unchanged.
    pub fn public(self) -> PublicUserId {
        if self == Self::NONE {
            return PublicUserId(self.0);
        }
        let mixed = rotate((self.0.random() >> 1) ^ (MASK & RANDOM_MASK), ROTATION);
        PublicUserId(Ulid::from_parts(self.0.timestamp_ms(), (mixed << 1) | 1))
    }

    /// Returns a new ID of a user who registers at `at`.
    pub fn random_at(app: &App, at: Time) -> Self {
        Self::new(at, app.random())
    }

    /// Returns an internal ID. The lowest bit of an internal ID is 0, and the lowest bit of a public ID is 1.
    fn new(at: Time, random: u128) -> Self {
        Self(Ulid::from_parts(at.millis().max(0) as u64, random & !1))
    }

    /// Returns the ID's random bits, without the time. The random bits distribute rows over shards.
    pub fn random(self) -> u128 {
        self.0.random() >> 1
    }

    /// Returns the partition of the rows that belong to this user: `USER#id`.
    pub fn partition(self) -> String {
        format!("USER#{self}")
    }

    /// Returns the partition of the user's devices, and of the pushes to them. The worker that pushes can write to no other
    /// rows of the user.
    pub fn devices(self) -> String {
        format!("DEVICES#{self}")
    }

    /// Returns the partition `NAMED#id` of gsi3. It lists rows in other partitions that refer to this user, for account
    /// deletion.
    pub fn named(self) -> String {
        format!("NAMED#{self}")
    }

    fn from_either(id: Ulid) -> Self {
        if id.0 & 1 == 0 {
            return Self(id);
        }
        let random = rotate(id.random() >> 1, RANDOM_BITS - ROTATION) ^ (MASK & RANDOM_MASK);
        Self(Ulid::from_parts(id.timestamp_ms(), random << 1))
    }
}

/// Converts the text of a user's ID to the public ID. Returns any other text unchanged.
pub fn public_text(id: String) -> String {
    id.parse::<UserId>().map_or(id, |user| user.public().to_string())
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

/// Accepts an internal or a public ID.
impl From<Ulid> for UserId {
    fn from(id: Ulid) -> Self {
        Self::from_either(id)
    }
}

impl From<UserId> for Ulid {
    fn from(id: UserId) -> Self {
        id.0
    }
}

impl From<UserId> for PublicUserId {
    fn from(id: UserId) -> Self {
        id.public()
    }
}

impl From<PublicUserId> for UserId {
    fn from(id: PublicUserId) -> Self {
        Self::from_either(id.0)
    }
}

impl From<PublicUserId> for Ulid {
    fn from(id: PublicUserId) -> Self {
        id.0
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

/// Accepts an internal or a public ID, like [`UserId`].
impl<'de> Deserialize<'de> for PublicUserId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UserId::deserialize(deserializer).map(UserId::public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_id_converts_back_to_the_internal_id() {
        for number in 0..1000_u32 {
            let user = UserId::new(Time::from_seconds(number.into()), u128::MAX / u128::from(number + 1));
            let public = user.public().to_string();
            assert_ne!(public, user.to_string());
            assert_eq!(public.parse::<UserId>().unwrap(), user);
            assert_eq!(user.to_string().parse::<UserId>().unwrap(), user);
        }
    }
}
