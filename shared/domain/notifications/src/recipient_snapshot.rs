//! What is looked up before events are recorded: what their recipients do not want to hear, and whether the records
//! that count them have room.

use std::collections::{HashMap, HashSet};

use base::ids::UserId;
use platform::{
    App, Result,
    table::{Key, Row},
};
use serde::{Deserialize, Serialize};

use super::{
    Subject,
    pending::{self, LISTED_ACTORS_MAX, Listed},
};
use people::{
    mutes::{self, Mutes},
    relationships::{self, Relationship, ViewContext},
};

/// How it stood a moment ago. Nothing is wrong where it changed since: a flush leaves out whom a recipient hides by
/// then, and a record takes an event in either form.
#[derive(Default)]
pub struct RecipientSnapshot {
    /// Recipients, and those of the people behind their events whom they hide.
    hidden: HashSet<(UserId, UserId)>,
    /// What recipients mute who mute anything besides people.
    mutes: HashMap<UserId, Mutes>,
    /// How many people's events the records list.
    listed: HashMap<Key, usize>,
}

/// The part of a pending record that says how much it lists.
#[derive(Serialize, Deserialize)]
struct Filled {
    pk: String,
    sk: String,
    #[serde(default)]
    listed: Vec<Listed>,
}

impl RecipientSnapshot {
    /// Looks at the records of these subjects, at what the recipients of these mute, and at these recipients with those
    /// behind their events.
    pub async fn read(
        app: &App,
        subjects: &[Subject],
        muting: &[Subject],
        pairs: &[(UserId, UserId)],
    ) -> Result<Self> {
        let records: HashSet<_> = subjects.iter().map(pending::key_of).collect();
        let recipients: HashSet<_> = muting.iter().map(|it| it.recipient).collect();
        let mutes: Vec<_> = recipients.into_iter().map(mutes::key).collect();
        let pairs: HashSet<_> = pairs.iter().map(|(one, other)| relationships::key(*one, *other)).collect();
        let keys: Vec<_> = records.iter().chain(&mutes).chain(&pairs).cloned().collect();
        let mut found = app.table.find_together_eventual(&keys).await?;
        let mut snapshot = Self::default();
        for key in pairs {
            let hides = found.take::<Relationship>(&key)?.filter(|it| it.hides_in(ViewContext::Feed));
            snapshot.hidden.extend(hides.map(|it| (it.viewer, it.other)));
        }
        for key in mutes {
            snapshot.mutes.extend(found.take::<Mutes>(&key)?.map(|it| (it.user(), it)));
        }
        for key in records {
            let people = found.take::<Filled>(&key)?.map_or(0, |it| pending::people_of(&it.listed));
            snapshot.listed.insert(key, people);
        }
        Ok(snapshot)
    }

    /// Returns what a recipient mutes besides people, if anything.
    pub fn mutes_of(&self, recipient: UserId) -> Option<&Mutes> {
        self.mutes.get(&recipient)
    }

    /// Returns whether a recipient mutes or blocks who did something.
    pub(super) fn hides(&self, recipient: UserId, actor: UserId) -> bool {
        self.hidden.contains(&(recipient, actor))
    }

    /// Returns whether the record of a subject has room for an event of so many people.
    pub(super) fn has_room_for(&self, subject: &Subject, people: usize) -> bool {
        let listed = self.listed.get(&pending::key_of(subject));
        listed.is_some_and(|it| it + people <= LISTED_ACTORS_MAX)
    }
}

impl Row for Filled {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
