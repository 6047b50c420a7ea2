//! Death: what is left of a circle is written in the transaction that it dies of.

use platform::{
    App, Result,
    error::Error,
    table::{Key, Query, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{Changed, Circle, circle, key, posts};
use crate::{
    circles::museum::{Hero, Stone},
    ids::{CircleId, StoneId, UserId},
};

const TOP_POSTS: usize = 5;
const HEROES_MAX: usize = 100;
const FEATURED_FROM: u8 = 4;
const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;
const MEANWHILE: Error = Error::Conflict("the circle changed meanwhile");

/// Somebody who gave karma to a circle.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct HeroOf {
    pub(super) circle: CircleId,
    pub(super) user: UserId,
    pub(super) since: Time,
}

impl Changed {
    /// As [`Changed::steps`], with the stone of a circle that dies: 3 calls then, 3 RRU.
    ///
    /// # Errors
    /// Internal, when the table does not answer.
    pub async fn with_stone(&self, app: &App) -> Result<Vec<Write>> {
        let mut steps = self.survived();
        let Some(died_at) = self.after.died_at else { return Ok(steps) };
        let id = self.after.circle;
        let circle = app.table.get::<Circle>(&key(id)).await?.filter(Circle::lives).ok_or(MEANWHILE)?;
        let gone = Write::update(key(id)).set("deletedAt", died_at).lacks("deletedAt");
        steps.push(gone.equals("membersCount", circle.members_count).or(MEANWHILE));
        steps.push(Write::create(&self.stone(app, circle, died_at).await?).or(MEANWHILE));
        Ok(steps)
    }

    async fn stone(&self, app: &App, circle: Circle, died_at: Time) -> Result<Stone> {
        let heroes = Query::partition(circle::pk(circle.id)).prefix("HERO#").consistent().limit(HEROES_MAX);
        let (best, heroes) =
            futures::try_join!(posts::best(app, circle.id, TOP_POSTS), app.table.query::<HeroOf>(&heroes))?;
        let hero = |it: HeroOf| Hero { user_id: it.user, badge_type: HERO.to_owned() };
        let max_level = self.after.level().number;
        let lived_days = died_at.seconds_since(self.after.born_at) / DAY_SECONDS;
        Ok(Stone {
            public_id: stone_of(circle.id),
            summary: self.summary(&circle, lived_days),
            circle_name: circle.name.to_string(),
            peak_hp: self.after.peak_hp,
            lived_days,
            max_level,
            total_members: circle.members_count,
            top_post_ids: best.into_iter().map(|it| it.id).collect(),
            heroes: heroes.into_iter().map(hero).collect(),
            featured: max_level >= FEATURED_FROM,
            died_at,
        })
    }

    fn summary(&self, circle: &Circle, lived_days: i64) -> String {
        let (level, peak) = (self.after.level().number, self.after.peak_hp);
        let days = counted(lived_days, "day", "days");
        let people = counted(circle.members_count, "person was", "people were");
        format!(
            "{} lived {days}, came to level {level} and {peak} HP, and {people} in it at the end.",
            circle.name
        )
    }
}

/// The type of badge for who gave karma.
pub(super) const HERO: &str = "HERO";

fn counted(number: i64, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// A circle has one stone, under its own id.
fn stone_of(circle: CircleId) -> StoneId {
    Ulid::from(circle).into()
}

/// `CIRCLE#id / HERO#u`
impl Row for HeroOf {
    fn key(&self) -> Key {
        Key::new(circle::pk(self.circle), format!("HERO#{}", self.user))
    }
}
