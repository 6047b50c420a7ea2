//! The preferences of the recipients of a batch of pending records.

use std::collections::{HashMap, HashSet};

use base::UserId;
use people::{follows, users};
use platform::{App, Key, Result, Row};
use serde::{Deserialize, Serialize};

use super::{Chosen, From, key};
use crate::Pending;

/// The part of a user's row that a flush reads.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recipient {
    id: UserId,
    #[serde(default)]
    has_devices: bool,
    #[serde(default)]
    has_preferences: bool,
}

/// The existing recipients of a batch of pending records, and their preferences.
pub(crate) struct Recipients {
    found: HashMap<UserId, Recipient>,
    chosen: HashMap<UserId, Chosen>,
}

/// Returns the existing recipients of `records`, with their preferences.
pub(crate) async fn recipients(app: &App, records: &[Pending]) -> Result<Recipients> {
    let ids: HashSet<_> = records.iter().map(|record| record.subject.recipient).collect();
    let keys: Vec<_> = ids.into_iter().map(users::key).collect();
    let found: Vec<Recipient> = app.table.batch_get_eventual(&keys).await?;
    let keys: Vec<_> = found.iter().filter(|user| user.has_preferences).map(|user| key(user.id)).collect();
    let chosen: Vec<Chosen> = app.table.batch_get_eventual(&keys).await?;
    Ok(Recipients {
        found: found.into_iter().map(|recipient| (recipient.id, recipient)).collect(),
        chosen: chosen.into_iter().map(|chosen| (chosen.user, chosen)).collect(),
    })
}

impl Recipients {
    pub(crate) fn has_devices(&self, user: UserId) -> bool {
        self.found.get(&user).is_some_and(|recipient| recipient.has_devices)
    }

    pub(crate) fn exists(&self, user: UserId) -> bool {
        self.found.contains_key(&user)
    }

    /// Returns whether the record's recipient exists and wants notifications of the record's kind.
    pub(crate) fn want(&self, record: &Pending) -> bool {
        self.found.contains_key(&record.subject.recipient) && self.from(record) != From::Nobody
    }

    /// Returns the users in `people` who cannot notify the record's recipient according to the recipient's preferences.
    pub(crate) async fn unwanted(
        &self,
        app: &App,
        record: &Pending,
        people: &[UserId],
    ) -> Result<HashSet<UserId>> {
        if self.from(record) == From::Everyone {
            return Ok(HashSet::new());
        }
        if self.from(record) != From::Following {
            return Ok(people.iter().copied().collect());
        }
        let follower = record.subject.recipient;
        let people: HashSet<_> = people.iter().copied().filter(|user| *user != UserId::NONE).collect();
        let pairs: Vec<_> = people.iter().map(|user| (follower, *user)).collect();
        let followed: HashSet<_> =
            follows::among(app, &pairs).await?.into_iter().map(|(_, followed)| followed).collect();
        Ok(people.difference(&followed).copied().collect())
    }

    fn from(&self, record: &Pending) -> From {
        let chosen = self.chosen.get(&record.subject.recipient);
        chosen.map(|chosen| chosen.of(record.subject.notification_type).from).unwrap_or_default()
    }
}

/// `USER#id / PROFILE`. Only a part of the user's row is read.
impl Row for Recipient {
    fn key(&self) -> Key {
        users::key(self.id)
    }
}
