//! The one way in which a circle's HP and EXP change.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
    time::{HOUR_SECONDS, Time},
};
use ulid::Ulid;

use super::{Condition, Energy, EnergyEntry, EnergyReason, NO_CIRCLE, Stage, circle};
use crate::{
    circles::EnergyChanged,
    ids::{ChangeId, CprId, PostId, UserId},
};

const MEANWHILE: Error = Error::Conflict("the circle's energy changed meanwhile");
const APPLIED: Error = Error::Conflict("this change was applied already");
/// EXP for somebody who joins.
const JOIN_EXP: i64 = 5;

/// A change that is wanted.
#[derive(Clone, Debug)]
pub struct Change {
    /// Names it: of the same id only the first is applied. A judged post lends its own.
    pub id: ChangeId,
    /// Why.
    pub reason: EnergyReason,
    /// HP gained, or lost when it is negative; what is beyond 0 or the maximum is cut off.
    pub hp: i64,
    /// EXP gained.
    pub exp: i64,
    /// Whose doing it is.
    pub user: Option<UserId>,
    /// For a drain: the hour up to which it is now done.
    drained_to: Option<Time>,
}

/// What a change comes to: the steps of a transaction, and what to publish when they are written.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The energy that it was made of.
    pub before: Energy,
    /// The energy after it.
    pub after: Energy,
    /// Its lines in the log, one a change.
    pub entries: Vec<EnergyEntry>,
}

impl Change {
    /// What somebody did.
    pub fn by(user: UserId, id: ChangeId, reason: EnergyReason, hp: i64, exp: i64) -> Self {
        Self { id, reason, hp, exp, user: Some(user), drained_to: None }
    }

    /// Somebody's post was judged, which lends its id.
    pub fn judged(user: UserId, post: PostId, hp: i64, exp: i64) -> Self {
        Self::by(user, Ulid::from(post).into(), EnergyReason::PostQuality, hp, exp)
    }

    /// A CPR saved the circle, and lends its id.
    pub(super) fn survival(cpr: CprId, hp: i64, exp: i64) -> Self {
        let id = Ulid::from(cpr).into();
        Self { id, reason: EnergyReason::CprSurvived, hp, exp, user: None, drained_to: None }
    }

    /// Somebody joins for the first time.
    pub fn join(user: UserId, id: ChangeId) -> Self {
        Self::by(user, id, EnergyReason::MemberJoin, 0, JOIN_EXP)
    }

    /// The hours that have gone by and were not paid for yet; none when there are none.
    pub fn drain(energy: &Energy, now: Time) -> Option<Self> {
        let (next, to) = (energy.next_drain_at(), now.hour());
        let hours = (to >= next).then(|| 1 + to.seconds_since(next) / HOUR_SECONDS)?;
        Some(Self {
            id: Ulid::from_parts(to.millis().max(0) as u64, 0).into(),
            reason: EnergyReason::Drain,
            hp: -hours * energy.level().drain_per_hour,
            exp: 0,
            user: None,
            drained_to: Some(to),
        })
    }
}

impl Energy {
    /// What this energy becomes by a change, now.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the circle died.
    pub fn changed(&self, change: &Change, now: Time) -> Result<Changed> {
        if self.died_at.is_some() {
            return Err(NO_CIRCLE);
        }
        let mut after = Self { exp: self.exp + change.exp, version: self.version + 1, ..self.clone() };
        after.hp = (self.hp + change.hp).clamp(0, after.max_hp());
        after.peak_hp = after.hp.max(self.peak_hp);
        after.last_drain_at = change.drained_to.or(self.last_drain_at);
        after.died_at = (after.hp == 0).then_some(now);
        let entry = EnergyEntry {
            id: change.id,
            circle: self.circle,
            reason: change.reason,
            hp_delta: after.hp - self.hp,
            exp_delta: change.exp,
            user_id: change.user,
            created_at: now,
        };
        Ok(Changed { before: self.clone(), after, entries: vec![entry] })
    }
}

impl Changed {
    /// Whether the circle dies of it. Then its stone belongs into the same transaction.
    pub fn dies(&self) -> bool {
        self.after.stage() == Stage::Dead
    }

    /// Another change on top of it, in the same transaction.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the circle dies of the first.
    pub fn and(mut self, change: &Change, now: Time) -> Result<Self> {
        let more = self.after.changed(change, now)?;
        self.entries.extend(more.entries);
        Ok(Self { before: self.before, after: more.after, entries: self.entries })
    }

    /// What a post did to HP and EXP.
    pub(super) fn delta(&self, post: PostId) -> (i64, i64) {
        let entry = self.entries.iter().find(|it| it.id == ChangeId::from(Ulid::from(post)));
        entry.map_or((0, 0), |it| (it.hp_delta, it.exp_delta))
    }

    /// Whether the circle has another stage or level by it.
    pub fn turns(&self) -> bool {
        self.before.condition() != self.after.condition()
    }

    /// The same, with a note of whether its members are to be published, so that whoever writes it may be gone
    /// before that is done.
    pub(super) fn noted(mut self) -> Self {
        self.after.unpublished = self.turns().then(|| self.before.condition());
        self
    }

    /// For the transaction of what caused it: 2 steps, 3 when the circle dies. Refused with
    /// [`Error::Conflict`] when the energy is no longer what it was made of, or when the change was
    /// applied before: read again what caused it, and the energy.
    pub fn steps(&self) -> Vec<Write> {
        let mut steps = self.survived();
        if self.dies() {
            let gone = Write::update(circle::key(self.after.circle)).set("deletedAt", self.after.died_at);
            steps.push(gone.exists());
        }
        steps
    }

    /// The energy and its log.
    pub(super) fn survived(&self) -> Vec<Write> {
        let entries = self.entries.iter().map(|it| Write::create(it).or(APPLIED));
        [self.energy()].into_iter().chain(entries).collect()
    }

    fn energy(&self) -> Write {
        let after = &self.after;
        Write::reindex(after)
            .set("hp", after.hp)
            .set("exp", after.exp)
            .set("peakHp", after.peak_hp)
            .set_or_remove("lastDrainAt", after.last_drain_at)
            .set_or_remove("diedAt", after.died_at)
            .set_or_remove("untold", after.unpublished)
            .set("version", after.version)
            .equals("version", self.before.version)
            .or(MEANWHILE)
    }

    /// Tells the members, once it is written, when stage or level are others now. 1 event, or none.
    ///
    /// # Errors
    /// Internal, when the bus did not take it.
    pub async fn publish(&self, app: &App) -> Result<()> {
        match self.turns() {
            true => self.after.publish(app, self.before.condition()).await,
            false => Ok(()),
        }
    }
}

impl Energy {
    /// Its members have been published.
    pub(super) fn published(&self) -> Changed {
        let after = Self { unpublished: None, version: self.version + 1, ..self.clone() };
        Changed { before: self.clone(), after, entries: Vec::new() }
    }

    /// For a transaction: nothing is done unless the energy is as it was read.
    pub(super) fn still(&self) -> Write {
        Write::check(super::energy_key(self.circle)).equals("version", self.version).or(MEANWHILE)
    }

    /// Tells the members how the circle is doing. Where a change may be applied and not published, because
    /// the work ended between, it is published again with nothing but what is so now. 1 event.
    ///
    /// # Errors
    /// Internal, when the bus did not take it.
    pub async fn publish(&self, app: &App, before: Condition) -> Result<()> {
        let event = EnergyChanged {
            circle_id: self.circle,
            previous_stage: before.stage,
            stage: self.stage(),
            previous_level: before.level,
            level: self.level().number,
            current: self.hp,
            max: self.max_hp(),
            created_at: app.now(),
        };
        app.events.publish(&event).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::CircleId;

    fn at(hours: i64) -> Time {
        Time::from_seconds(hours * HOUR_SECONDS)
    }

    fn born() -> Energy {
        Energy::new(CircleId::MIN, at(0))
    }

    fn by_anyone(hp: i64, exp: i64) -> Change {
        Change { id: ChangeId::MIN, reason: EnergyReason::PostQuality, hp, exp, user: None, drained_to: None }
    }

    #[test]
    fn hp_stay_between_nothing_and_the_most_and_the_log_tells_what_changed() {
        for (hp, change, after) in [(499, 5, 500), (500, 5, 500), (2, -3, 0), (250, -10, 240)] {
            let energy = Energy { hp, ..born() };
            let changed = energy.changed(&by_anyone(change, 0), at(1)).unwrap();
            assert_eq!((changed.after.hp, changed.entries[0].hp_delta), (after, after - hp));
            assert_eq!(changed.dies(), after == 0);
        }
    }

    #[test]
    fn a_level_raises_the_most_hp_and_lowers_the_drain() {
        let energy = Energy { exp: 195, ..born() };
        let changed = energy.changed(&by_anyone(5, 10), at(1)).unwrap();
        let view = changed.after.view();
        assert_eq!((view.level, view.current, view.max, view.drain_rate), (2, 505, 650, 9));
        assert_eq!(view.exp_to_next, Some(295));
    }

    #[test]
    fn each_full_hour_is_drained_once_and_missed_ones_are_caught_up() {
        let energy = Energy::new(CircleId::MIN, at(0).plus_seconds(1800));
        assert!(Change::drain(&energy, at(1).plus_seconds(-1)).is_none());
        let first = energy.changed(&Change::drain(&energy, at(1)).unwrap(), at(1)).unwrap().after;
        assert_eq!((first.hp, first.last_drain_at), (490, Some(at(1))));
        assert!(Change::drain(&first, at(2).plus_seconds(-1)).is_none());
        let late = at(7).plus_seconds(90);
        let caught_up = first.changed(&Change::drain(&first, late).unwrap(), late).unwrap().after;
        assert_eq!((caught_up.hp, caught_up.last_drain_at), (430, Some(at(7))));
    }

    #[test]
    fn the_dead_do_not_change() {
        let dead = born().changed(&by_anyone(-500, 0), at(1)).unwrap().after;
        assert_eq!(dead.due(), (super::super::Due::Purge, at(25)));
        assert!(matches!(dead.changed(&by_anyone(5, 10), at(2)), Err(Error::NotFound(_))));
    }
}
