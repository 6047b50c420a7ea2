//! Changes to a circle's HP and EXP. All code that changes HP or EXP uses [`Change`].

use base::{ChangeId, UserId, first_id};
use platform::{HOUR_SECONDS, Result, Time, Write};

use super::{Energy, EnergyEntry, EnergyReason, NO_CIRCLE, StageReached};

/// EXP that a circle gets when a user joins it for the first time.
const JOIN_EXP: i64 = 5;

/// A change to a circle's HP and EXP, before it is applied.
#[derive(Clone, Debug)]
pub struct Change {
    /// The ID of the change, a ULID by which the log is sorted. Each ID is applied at most once.
    id: ChangeId,
    reason: EnergyReason,
    /// Number of HP to add. Negative for a loss. The resulting HP are clamped between 0 and the maximum.
    hp: i64,
    exp: i64,
    /// The user who caused the change, or `None` if no user did, for example for an hourly loss of HP.
    user: Option<UserId>,
    /// The last full hour for which an hourly loss removes HP, or `None` for other changes.
    drained_to: Option<Time>,
}

/// A circle's energy before and after one or more changes.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The energy before the changes, as stored.
    pub(super) before: Energy,
    /// The energy after the changes.
    pub after: Energy,
    /// One log entry for each change.
    entries: Vec<EnergyEntry>,
}

impl Change {
    /// Returns a change that a user causes.
    pub fn by(user: UserId, id: ChangeId, reason: EnergyReason, hp: i64, exp: i64) -> Self {
        Self { user: Some(user), ..Self::without_user(id, reason, hp, exp) }
    }

    pub(super) fn without_user(id: ChangeId, reason: EnergyReason, hp: i64, exp: i64) -> Self {
        Self { id, reason, hp, exp, user: None, drained_to: None }
    }

    /// Returns the change for a deleted circle, which loses all HP. `owner` is the owner who deletes the circle, or
    /// `None` if no owner is left.
    pub(super) fn deletion(owner: Option<UserId>, id: ChangeId, energy: &Energy) -> Self {
        Self { user: owner, ..Self::without_user(id, EnergyReason::Deleted, -energy.hp, 0) }
    }

    /// Returns the change for a user who joins for the first time.
    pub(super) fn join(user: UserId, id: ChangeId) -> Self {
        Self::by(user, id, EnergyReason::MemberJoin, 0, JOIN_EXP)
    }

    /// Returns the loss of HP for all full hours since the previous hourly loss. Returns `None` if no full hour has
    /// passed.
    pub fn drain(energy: &Energy, now: Time) -> Option<Self> {
        let (next, to) = (energy.next_drain_at(), now.hour());
        let hours = (to >= next).then(|| 1 + to.seconds_since(next) / HOUR_SECONDS)?;
        let (id, hp) = (first_id(to), -hours * energy.level().drain_per_hour);
        Some(Self { drained_to: Some(to), ..Self::without_user(id, EnergyReason::Drain, hp, 0) })
    }

    /// Computes the transition from `energy` to the energy after this change. Writes nothing.
    ///
    /// # Errors
    /// Fails with [`platform::Error::NotFound`] if the circle is dead.
    pub fn apply(&self, energy: &Energy, now: Time) -> Result<Transition> {
        if energy.died_at.is_some() {
            return Err(NO_CIRCLE);
        }
        let mut after = Energy { exp: energy.exp + self.exp, version: energy.version + 1, ..energy.clone() };
        after.hp = (energy.hp + self.hp).clamp(0, after.max_hp());
        after.peak_hp = after.hp.max(energy.peak_hp);
        after.last_drain_at = self.drained_to.or(energy.last_drain_at);
        after.died_at = (after.hp == 0).then_some(now);
        let after = after.notifying(energy.stage(), now);
        let entry = EnergyEntry {
            id: self.id,
            circle: energy.circle,
            reason: self.reason,
            hp_delta: after.hp - energy.hp,
            exp_delta: self.exp,
            hp: after.hp,
            exp: after.exp,
            user_id: self.user,
            created_at: now,
        };
        Ok(Transition { before: energy.clone(), after, entries: vec![entry] })
    }
}

impl Transition {
    /// Returns this transition extended by a second change, so that one transaction can write both changes.
    ///
    /// # Errors
    /// Fails with [`platform::Error::NotFound`] if the earlier changes killed the circle.
    pub(super) fn and(mut self, change: &Change, now: Time) -> Result<Self> {
        let Self { after, entries, .. } = change.apply(&self.after, now)?;
        self.entries.extend(entries);
        Ok(Self { after, ..self })
    }

    /// Returns the HP and EXP that the first change adds.
    pub(super) fn first_delta(&self) -> (i64, i64) {
        self.entries.first().map_or((0, 0), |entry| (entry.hp_delta, entry.exp_delta))
    }

    /// Returns whether the transition changes the circle's stage or level.
    pub(super) fn changes_condition(&self) -> bool {
        self.before.condition() != self.after.condition()
    }

    /// Returns the writes that store the energy and its log entries, and publish a new stage or level. The transaction
    /// fails if the energy changed after it was read, or if one of the changes was already applied.
    ///
    /// Use [`super::transition_writes`] for changes that may kill the circle.
    pub fn energy_writes(&self) -> Vec<Write> {
        let mut writes = vec![self.after.change_write(self.before.version)];
        writes.extend(self.entries.iter().map(Write::create));
        if let Some(last) = writes.pop() {
            writes.push(self.then_publish(last));
        }
        writes
    }

    fn then_publish(&self, write: Write) -> Write {
        let Some(entry) = self.entries.last().filter(|_| self.changes_condition()) else { return write };
        let (circle_id, created_at) = (self.after.circle, entry.created_at);
        let write = write.then_publish(&self.after.changed_event(self.before.condition(), created_at));
        match self.after.notifies(&self.before) {
            true => write.then_publish(&StageReached { circle_id, stage: self.after.stage(), created_at }),
            false => write,
        }
    }
}

#[cfg(test)]
mod tests {
    use platform::Error;

    use super::*;
    use base::ids::CircleId;

    fn at(hours: i64) -> Time {
        Time::from_seconds(hours * HOUR_SECONDS)
    }

    fn born() -> Energy {
        Energy::new(CircleId::MIN, at(0))
    }

    fn change_of(hp: i64, exp: i64) -> Change {
        Change::without_user(ChangeId::MIN, EnergyReason::PostQuality, hp, exp)
    }

    #[test]
    fn hp_is_clamped_and_the_log_contains_the_actual_change() {
        for (hp, change, after) in [(499, 5, 500), (500, 5, 500), (2, -3, 0), (250, -10, 240)] {
            let energy = Energy { hp, ..born() };
            let changed = change_of(change, 0).apply(&energy, at(1)).unwrap();
            assert_eq!((changed.after.hp, changed.entries[0].hp_delta), (after, after - hp));
            assert_eq!(changed.after.died_at.is_some(), after == 0);
        }
    }

    #[test]
    fn a_higher_level_raises_the_hp_maximum_and_lowers_the_drain() {
        let energy = Energy { exp: 195, ..born() };
        let changed = change_of(5, 10).apply(&energy, at(1)).unwrap();
        let view = changed.after.view();
        assert_eq!((view.level, view.current, view.max, view.drain_rate), (2, 505, 650, 9));
        assert_eq!(view.exp_to_next, Some(295));
    }

    #[test]
    fn a_late_drain_removes_hp_for_each_full_hour_once() {
        let energy = Energy::new(CircleId::MIN, at(0).plus_seconds(1800));
        assert!(Change::drain(&energy, at(1).plus_seconds(-1)).is_none());
        let first = Change::drain(&energy, at(1)).unwrap().apply(&energy, at(1)).unwrap().after;
        assert_eq!((first.hp, first.last_drain_at), (490, Some(at(1))));
        assert!(Change::drain(&first, at(2).plus_seconds(-1)).is_none());
        let late = at(7).plus_seconds(90);
        let caught_up = Change::drain(&first, late).unwrap().apply(&first, late).unwrap().after;
        assert_eq!((caught_up.hp, caught_up.last_drain_at), (430, Some(at(7))));
    }

    #[test]
    fn a_worse_stage_notifies_members_at_most_once_a_day() {
        let mut energy = Energy { hp: 160, ..born() };
        for (hour, hp, notifies) in [
            (1, -10, true),
            (2, 10, false),
            (3, -10, false),
            (4, -110, true),
            (5, 120, false),
            (26, -10, true),
        ] {
            let after = change_of(hp, 0).apply(&energy, at(hour)).unwrap().after;
            assert_eq!(after.notifies(&energy), notifies, "{hp} at {hour}");
            energy = after;
        }
    }

    #[test]
    fn a_dead_circle_does_not_change() {
        let dead = change_of(-500, 0).apply(&born(), at(1)).unwrap().after;
        assert_eq!(dead.due(), (base::due::Due::Purge, at(25)));
        assert!(matches!(change_of(5, 10).apply(&dead, at(2)), Err(Error::NotFound(_))));
    }
}
