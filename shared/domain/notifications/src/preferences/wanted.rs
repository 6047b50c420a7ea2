//! What the recipients of a run want to be notified of.

use std::collections::{HashMap, HashSet};

use base::ids::UserId;
use people::{follows, users};
use platform::{
    App, Result,
    table::{Key, Row},
};
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

/// The recipients of a run who have not left, with what those chose who chose something.
pub(crate) struct Recipients {
    found: HashMap<UserId, Recipient>,
    chosen: HashMap<UserId, Chosen>,
}

/// Reads the recipients of records.
pub(crate) async fn recipients(app: &App, records: &[Pending]) -> Result<Recipients> {
    let ids: HashSet<_> = records.iter().map(|it| it.subject.recipient).collect();
    let keys: Vec<_> = ids.into_iter().map(users::key).collect();
    let found: Vec<Recipient> = app.table.batch_get_eventual(&keys).await?;
    let keys: Vec<_> = found.iter().filter(|it| it.has_preferences).map(|it| key(it.id)).collect();
    let chosen: Vec<Chosen> = app.table.batch_get_eventual(&keys).await?;
    Ok(Recipients {
        found: found.into_iter().map(|it| (it.id, it)).collect(),
        chosen: chosen.into_iter().map(|it| (it.user, it)).collect(),
    })
}

impl Recipients {
    /// Returns whether something was registered to which notifications of a user are pushed.
    pub(crate) fn has_devices(&self, user: UserId) -> bool {
        self.found.get(&user).is_some_and(|it| it.has_devices)
    }

    /// Returns whether the recipient of a record is still there, and wants to hear of its kind.
    pub(crate) fn want(&self, record: &Pending) -> bool {
        self.found.contains_key(&record.subject.recipient) && self.from(record) != From::Nobody
    }

    /// Returns those of a record's people whom its recipient does not want to hear of.
    pub(crate) async fn unwanted(
        &self,
        app: &App,
        record: &Pending,
        people: &[UserId],
    ) -> Result<HashSet<UserId>> {
        if self.from(record) != From::Following {
            return Ok(HashSet::new());
        }
        let follower = record.subject.recipient;
        let people: HashSet<_> = people.iter().copied().filter(|it| *it != UserId::NONE).collect();
        let pairs: Vec<_> = people.iter().map(|it| (follower, *it)).collect();
        let followed: HashSet<_> = follows::among(app, &pairs).await?.into_iter().map(|(_, it)| it).collect();
        Ok(people.difference(&followed).copied().collect())
    }

    fn from(&self, record: &Pending) -> From {
        let chosen = self.chosen.get(&record.subject.recipient);
        chosen.map(|it| it.of(record.subject.notification_type).from).unwrap_or_default()
    }
}

/// `USER#id / PROFILE`, a part of the user's row
impl Row for Recipient {
    fn key(&self) -> Key {
        users::key(self.id)
    }
}
