//! Data about recipients that is read before events are recorded. It contains muted and blocked users, muted words and
//! threads, and the lengths of pending records' lists.

use std::collections::{HashMap, HashSet};

use base::UserId;
use platform::{App, Key, Result, Row};
use serde::{Deserialize, Serialize};

use super::{
    Subject,
    pending::{self, LISTED_ACTORS_MAX, Listed},
};
use people::{Mutes, Relationship, ViewContext, mutes, relationships};

/// Data about recipients that is read before events are recorded. An outdated snapshot is harmless, because the flush
/// checks blocks and mutes again.
#[derive(Default)]
pub struct RecipientSnapshot {
    /// Pairs of a recipient and an actor. In each pair, the recipient mutes the actor, or a block exists.
    hidden: HashSet<(UserId, UserId)>,
    /// Muted words and threads by recipient.
    mutes: HashMap<UserId, Mutes>,
    /// Number of actors that each pending record lists, by the key of the record.
    listed: HashMap<Key, usize>,
}

/// The listed events of a pending record.
#[derive(Serialize, Deserialize)]
struct ListedEvents {
    pk: String,
    sk: String,
    #[serde(default)]
    listed: Vec<Listed>,
}

impl RecipientSnapshot {
    /// Reads the pending records of `subjects`, the muted words and threads of the recipients in `muting`, and the
    /// mutes and blocks between `pairs`.
    pub async fn read(
        app: &App,
        subjects: &[Subject],
        muting: &[Subject],
        pairs: &[(UserId, UserId)],
    ) -> Result<Self> {
        let records: HashSet<_> = subjects.iter().map(pending::key_of).collect();
        let recipients: HashSet<_> = muting.iter().map(|subject| subject.recipient).collect();
        let mutes: Vec<_> = recipients.into_iter().map(mutes::key).collect();
        let pairs: HashSet<_> =
            pairs.iter().map(|(viewer, actor)| relationships::key(*viewer, *actor)).collect();
        let keys: Vec<_> = records.iter().chain(&mutes).chain(&pairs).cloned().collect();
        let mut found = app.table.find_together_eventual(&keys).await?;
        let mut snapshot = Self::default();
        for key in pairs {
            let hidden = found.take::<Relationship>(&key)?.filter(|pair| pair.hides_in(ViewContext::Feed));
            snapshot.hidden.extend(hidden.map(|pair| (pair.viewer, pair.other)));
        }
        for key in mutes {
            snapshot.mutes.extend(found.take::<Mutes>(&key)?.map(|mutes| (mutes.user(), mutes)));
        }
        for key in records {
            let record = found.take::<ListedEvents>(&key)?;
            let actors = record.map_or(0, |record| pending::actor_count(&record.listed));
            snapshot.listed.insert(key, actors);
        }
        Ok(snapshot)
    }

    /// Returns the words and threads that a recipient mutes, if any.
    pub fn mutes_of(&self, recipient: UserId) -> Option<&Mutes> {
        self.mutes.get(&recipient)
    }

    /// Returns whether the recipient mutes the actor, or a block exists between the two users.
    pub(super) fn hides(&self, recipient: UserId, actor: UserId) -> bool {
        self.hidden.contains(&(recipient, actor))
    }

    /// Returns whether a subject's pending record has room to list an event with this number of actors.
    pub(super) fn has_room_for(&self, subject: &Subject, actors: usize) -> bool {
        let listed = self.listed.get(&pending::key_of(subject));
        listed.is_some_and(|listed| listed + actors <= LISTED_ACTORS_MAX)
    }
}

impl Row for ListedEvents {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
