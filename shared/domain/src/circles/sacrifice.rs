//! Sacrifice: somebody gives karma, and the circle gets HP.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Change, Changed, Circle, Energy, EnergyReason, Member, NO_CIRCLE, circle,
    death::{HERO, HeroOf},
    energy_key, member_key,
};
use crate::{
    ids::{CircleId, UserId},
    quests::{self, Badge, BadgeRow, Karma, Restriction},
};

const HP_PER_KARMA: i64 = 10;
const RESTRICTED_SECONDS: i64 = 48 * HOUR_SECONDS;
const KARMA_MAX: u32 = 1_000_000;
const NOT_IN: &str = "only members give karma to a circle";

/// How much karma somebody is willing to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u32")]
#[schema(value_type = u32, minimum = 1, maximum = 1_000_000, example = 3)]
pub struct KarmaAmount(u32);

impl TryFrom<u32> for KarmaAmount {
    type Error = &'static str;

    fn try_from(karma: u32) -> Result<Self, Self::Error> {
        (1..=KARMA_MAX).contains(&karma).then_some(Self(karma)).ok_or("must be 1 to 1000000")
    }
}

/// A sacrifice to be made.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SacrificeDraft {
    /// Karma: 10 HP each.
    pub karma_amount: KarmaAmount,
}

/// What a sacrifice brought.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sacrificed {
    /// HP that the circle gained.
    #[schema(example = 30)]
    pub hp_gained: i64,
    /// Karma that is left.
    #[schema(example = 9)]
    pub new_karma: i64,
    /// Until when the giver may not write in the circle.
    pub restriction_until: Time,
    /// Whether the giver got the circle's badge by it: the first time.
    pub badge_granted: bool,
}

/// Gives karma to a circle: as much as it can use, 50 % of its HP at most. 2 calls: 5 RRU, 17 WRU.
///
/// # Errors
/// [`Error::NotFound`] for no such circle; [`Error::Forbidden`] for who is not in it; [`Error::Invalid`]
/// for more than there is, and where nothing fits; [`Error::Conflict`] when the circle or the karma
/// changed at the same time.
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
    let gift = Gift::of(app, giver, circle, draft).await?;
    let answer = gift.answer();
    let sacrificed = once.commit(app, &owner, gift.steps(app), answer).await?;
    gift.changed.publish(app).await?;
    Ok(sacrificed)
}

/// A sacrifice, weighed.
struct Gift {
    circle: Circle,
    member: Member,
    before: Karma,
    used: i64,
    changed: Changed,
    wears_badge: bool,
    now: Time,
}

impl Gift {
    /// 1 call, 1 RRU for each row.
    async fn of(app: &App, giver: UserId, id: CircleId, draft: SacrificeDraft) -> Result<Self> {
        let badge = quests::badge_key(giver, id);
        let keys = [circle::key(id), energy_key(id), member_key(id, giver), quests::karma_key(giver), badge];
        let mut found = app.table.get_together(&keys).await?;
        let [circle, energy, member, karma, badge] = keys;
        let circle = found.take::<Circle>(&circle)?.filter(Circle::lives).ok_or(NO_CIRCLE)?;
        let energy: Energy = found.take(&energy)?.ok_or(NO_CIRCLE)?;
        let member = found.take::<Member>(&member)?.filter(Member::is_in);
        let member = member.ok_or(Error::Forbidden(NOT_IN.into()))?;
        let before = found.take(&karma)?.unwrap_or(Karma::none(giver));
        let now = app.now();
        let (used, gain) = weigh(&energy, &before, draft.karma_amount)?;
        let change = Change::by(giver, app.ids.next(now), EnergyReason::KarmaSacrifice, gain, 0);
        Ok(Self {
            circle,
            member,
            before,
            used,
            changed: energy.changed(&change, now)?,
            wears_badge: found.take::<BadgeRow>(&badge)?.is_some(),
            now,
        })
    }

    fn until(&self) -> Time {
        self.now.plus_seconds(RESTRICTED_SECONDS)
    }

    fn answer(&self) -> Sacrificed {
        Sacrificed {
            hp_gained: self.changed.after.hp - self.changed.before.hp,
            new_karma: self.before.balance - self.used,
            restriction_until: self.until(),
            badge_granted: !self.wears_badge,
        }
    }

    fn steps(&self, app: &App) -> Vec<Write> {
        let (circle, user, until) = (self.circle.id, self.member.user, self.until());
        let restriction = Restriction { circle_id: circle, until };
        let mut steps = Vec::from(quests::spend_writes(app, &self.before, self.used, restriction));
        steps.extend(self.changed.steps());
        steps.push(Write::update(member_key(circle, user)).set("restrictedUntil", until).exists());
        if !self.wears_badge {
            let name = self.circle.name.to_string();
            let badge =
                Badge { kind: HERO.to_owned(), circle_id: circle, circle_name: name, created_at: self.now };
            steps.extend([
                quests::badge_write(user, badge),
                Write::put(&HeroOf { circle, user, since: self.now }),
            ]);
        }
        steps
    }
}

/// The karma that is used, and the HP that it gives.
fn weigh(energy: &Energy, karma: &Karma, KarmaAmount(amount): KarmaAmount) -> Result<(i64, i64)> {
    let amount = i64::from(amount);
    if amount > karma.balance {
        return Err(Error::invalid("karmaAmount", "must be no more than you have"));
    }
    let gain = (HP_PER_KARMA * amount).min(energy.max_hp() / 2).min(energy.max_hp() - energy.hp);
    if gain <= 0 {
        return Err(Error::Invalid("this circle has all its HP".into()));
    }
    Ok((gain.div_euclid(HP_PER_KARMA) + i64::from(gain % HP_PER_KARMA > 0), gain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_karma_that_fits_is_used() {
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
            assert_eq!(weigh(&energy, &karma, KarmaAmount(gives)).ok(), used_and_gain, "{hp} {has} {gives}");
        }
    }
}
