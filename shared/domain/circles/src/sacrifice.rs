//! Sacrifices: a member gives karma, and the circle gains HP.

use base::{CircleId, UserId};
use platform::{App, Error, HOUR_SECONDS, Once, Result, Time, Write, decode::whole_number};
use quests::{Badge, BadgeRow, Karma, Restriction};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::{
    Change, Circle, Energy, EnergyReason, Member, NO_CIRCLE, Transition, circle,
    death::{HERO, HeroRow},
    energy_key, member_key,
};

const HP_PER_KARMA: i64 = 10;
const RESTRICTED_SECONDS: i64 = 48 * HOUR_SECONDS;
const KARMA_MAX: i64 = 1_000_000;
const NOT_A_MEMBER: &str = "only members can give karma to a circle";
const CHANGED: Error = Error::Conflict("the circle or your karma was changed by another request. Try again.");

/// The maximum amount of karma to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = u32, minimum = 1, maximum = 1_000_000, example = 3)]
pub struct KarmaAmount(i64);

impl<'de> Deserialize<'de> for KarmaAmount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        whole_number(deserializer, 1..=KARMA_MAX).map(Self)
    }
}

/// A request to give karma.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SacrificeDraft {
    /// Maximum karma to give. Each unit of karma adds 10 HP.
    pub karma_amount: KarmaAmount,
}

/// The result of a sacrifice.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = SacrificeResult)]
#[serde(rename_all = "camelCase")]
pub struct Sacrificed {
    /// Number of HP that the circle gained.
    #[schema(example = 30)]
    pub hp_gained: i64,
    /// Remaining karma of the giver.
    #[schema(example = 9)]
    pub new_karma: i64,
    /// RFC 3339 time until which the giver cannot write in the circle.
    pub restriction_until: Time,
    /// Whether the giver got a badge. Only the first sacrifice for a circle grants a badge.
    pub badge_granted: bool,
}

/// Gives karma to a circle. The circle gains at most half of its maximum HP, and never exceeds the maximum. The giver
/// loses only the karma that is used.
///
/// # Errors
/// - [`Error::NotFound`] if the circle does not exist.
/// - [`Error::Forbidden`] if the giver is not a member.
/// - [`Error::Invalid`] if the giver has less karma than the requested amount, or the circle has full HP.
/// - [`Error::Conflict`] if a concurrent request changed the circle or the karma.
pub async fn sacrifice(
    app: &App,
    giver: UserId,
    circle: CircleId,
    draft: SacrificeDraft,
    once: &Once,
) -> Result<Sacrificed> {
    let owner = giver.to_string();
    if let Some(earlier) = once.earlier(app, &owner).await? {
        return Ok(earlier);
    }
    match commit(app, giver, circle, draft, once).await {
        Ok(sacrificed) => Ok(sacrificed),
        // Do not retry here, because the same karma may now add fewer HP. The client must decide.
        Err(Error::WriteConflict) => once.earlier_or(app, &owner, CHANGED).await,
        Err(error) => once.earlier_or(app, &owner, error).await,
    }
}

async fn commit(
    app: &App,
    giver: UserId,
    circle: CircleId,
    draft: SacrificeDraft,
    once: &Once,
) -> Result<Sacrificed> {
    let sacrifice = Sacrifice::prepare(app, giver, circle, draft).await?;
    once.commit(app, &giver.to_string(), sacrifice.sacrifice_writes(app), sacrifice.result()).await
}

/// A sacrifice that was computed, but not yet written.
struct Sacrifice {
    circle: Circle,
    member: Member,
    karma: Karma,
    karma_used: i64,
    transition: Transition,
    has_badge: bool,
    now: Time,
}

impl Sacrifice {
    /// Computes a sacrifice from the stored rows. Writes nothing.
    async fn prepare(app: &App, giver: UserId, id: CircleId, draft: SacrificeDraft) -> Result<Self> {
        let badge = quests::badge_key(giver, id);
        let keys = [circle::key(id), energy_key(id), member_key(id, giver), quests::karma_key(giver), badge];
        let mut found = app.table.get_together(&keys).await?;
        let [circle, energy, member, karma, badge] = keys;
        let circle = found.take::<Circle>(&circle)?.filter(Circle::is_alive).ok_or(NO_CIRCLE)?;
        let energy: Energy = found.take(&energy)?.ok_or(NO_CIRCLE)?;
        let member = found.take::<Member>(&member)?.filter(Member::is_in);
        let member = member.ok_or(Error::Forbidden(NOT_A_MEMBER.into()))?;
        let karma = found.take(&karma)?.unwrap_or(Karma::none(giver));
        let now = app.now();
        let (karma_used, hp) = karma_and_hp(&energy, &karma, draft.karma_amount)?;
        let change = Change::by(giver, app.ids.next(now), EnergyReason::KarmaSacrifice, hp, 0);
        Ok(Self {
            circle,
            member,
            karma,
            karma_used,
            transition: change.apply(&energy, now)?,
            has_badge: found.take::<BadgeRow>(&badge)?.is_some(),
            now,
        })
    }

    fn restricted_until(&self) -> Time {
        self.now.plus_seconds(RESTRICTED_SECONDS)
    }

    fn result(&self) -> Sacrificed {
        Sacrificed {
            hp_gained: self.transition.after.hp - self.transition.before.hp,
            new_karma: self.karma.balance - self.karma_used,
            restriction_until: self.restricted_until(),
            badge_granted: !self.has_badge,
        }
    }

    fn sacrifice_writes(&self, app: &App) -> Vec<Write> {
        let (circle, user, until) = (self.circle.id, self.member.user, self.restricted_until());
        let restriction = Restriction { circle_id: circle, until };
        let mut writes = Vec::from(quests::spend_writes(app, &self.karma, self.karma_used, restriction));
        writes.extend(self.transition.energy_writes());
        writes.push(Write::update(member_key(circle, user)).set("restrictedUntil", until).exists());
        if !self.has_badge {
            writes.extend(self.badge_writes());
        }
        writes
    }

    fn badge_writes(&self) -> [Write; 2] {
        let (circle, user) = (self.circle.id, self.member.user);
        let circle_name = self.circle.name.to_string();
        let badge = Badge { kind: HERO.to_owned(), circle_id: circle, circle_name, created_at: self.now };
        [quests::badge_write(user, badge), Write::put(&HeroRow { circle, user, since: self.now })]
    }
}

/// Returns the karma that is used, and the HP that the circle gains.
fn karma_and_hp(energy: &Energy, karma: &Karma, KarmaAmount(amount): KarmaAmount) -> Result<(i64, i64)> {
    if amount > karma.balance {
        return Err(Error::invalid("karmaAmount", "must not exceed your karma"));
    }
    let gain = (HP_PER_KARMA * amount).min(energy.max_hp() / 2).min(energy.max_hp() - energy.hp);
    if gain <= 0 {
        return Err(Error::Invalid("this circle already has full HP".into()));
    }
    Ok((gain.div_euclid(HP_PER_KARMA) + i64::from(gain % HP_PER_KARMA > 0), gain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sacrifice_uses_only_the_needed_karma() {
        for (hp, has, gives, used_and_gain) in [
            (100, 9, 1, Some((1, 10))),
            (100, 99, 99, Some((25, 250))),
            (497, 9, 5, Some((1, 3))),
            (489, 9, 5, Some((2, 11))),
            (500, 9, 1, None),
            (100, 9, 10, None),
            (100, 0, 1, None),
        ] {
            let energy = Energy { hp, ..Energy::new(CircleId::MIN, Time::from_seconds(0)) };
            let mut karma = Karma::none(ulid::Ulid(0).to_string().parse().unwrap());
            karma.balance = has;
            assert_eq!(
                karma_and_hp(&energy, &karma, KarmaAmount(gives)).ok(),
                used_and_gain,
                "{hp} {has} {gives}"
            );
        }
    }
}
