//! Death of a circle. The transaction that removes the circle's last HP also creates its memorial stone in the museum.

use base::{AnnouncedEvent, CircleId, OutboundJob, StoneId, UserId};
use platform::{
    App, Error, HOUR_SECONDS, Key, Query, Result, Row, Time, Write, outbox_record_write, outcomes,
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{Circle, Energy, Transition, circle, key, posts, top_posts};
use crate::museum::{Hero, Stone};

const TOP_POSTS_MAX: usize = 5;
const HEROES_MAX: usize = 100;
const FEATURED_LEVEL_MIN: u8 = 4;
const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;
/// The badge type of users who gave karma to a circle.
pub(super) const HERO: &str = "HERO";
const HERO_PREFIX: &str = "HERO#";

/// A user who gave karma to a circle.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct HeroRow {
    pub(super) circle: CircleId,
    pub(super) user: UserId,
    pub(super) since: Time,
}

/// Returns the writes that store a circle's energy and log. If the circle dies, the writes also soft-delete the circle
/// and create its stone in the museum.
///
/// # Errors
/// Fails with [`Error::WriteConflict`] if the circle is already dead.
pub async fn transition_writes(app: &App, transition: &Transition) -> Result<Vec<Write>> {
    let mut writes = transition.energy_writes();
    if let Some(died_at) = transition.after.died_at {
        writes.extend(death_writes(app, &transition.after, died_at).await?);
    }
    Ok(writes)
}

/// Returns the writes that soft-delete a dead circle and create its memorial stone. The writes fail if a user joined or
/// left after the read, because the stone stores the number of members. The writes also fail if the author of a post on
/// the stone was renamed or deleted.
async fn death_writes(app: &App, energy: &Energy, died_at: Time) -> Result<Vec<Write>> {
    let key = key(energy.circle);
    let circle = app.table.get::<Circle>(&key).await?.filter(Circle::is_alive).ok_or(Error::WriteConflict)?;
    let end = Circle::end_write(energy.circle, died_at).equals("membersCount", circle.members_count);
    let announce = OutboundJob::announce(app, AnnouncedEvent::CircleDied, energy.circle);
    let (stone, mut writes) = stone(app, circle, energy, died_at).await?;
    outcomes::note("the circle died");
    writes.extend([end, Write::create(&stone), outbox_record_write(app).then(&announce)]);
    Ok(writes)
}

/// Returns the memorial stone, and the writes of the authors' rows that refer to the stone.
async fn stone(app: &App, circle: Circle, energy: &Energy, died_at: Time) -> Result<(Stone, Vec<Write>)> {
    let heroes = Query::partition(circle::partition(circle.id)).prefix(HERO_PREFIX);
    let heroes = heroes.consistent().limit(HEROES_MAX);
    let (best, heroes) =
        futures::try_join!(posts::best(app, circle.id, TOP_POSTS_MAX), app.table.query::<HeroRow>(&heroes))?;
    let hero = |row: HeroRow| Hero { user_id: row.user.public(), badge_type: HERO.to_owned() };
    let (top_posts, writes) = top_posts::snapshot(app, stone_id(circle.id), &best).await?;
    let max_level = energy.level().number;
    let lived_days = died_at.seconds_since(energy.born_at) / DAY_SECONDS;
    let stone = Stone {
        public_id: stone_id(circle.id),
        summary: summary(&circle, energy, lived_days),
        circle_name: circle.name.to_string(),
        peak_hp: energy.peak_hp,
        lived_days,
        max_level,
        total_members: circle.members_count,
        top_post_ids: best.into_iter().map(|post| post.id).collect(),
        top_posts,
        heroes: heroes.into_iter().map(hero).collect(),
        featured: max_level >= FEATURED_LEVEL_MIN,
        died_at,
    };
    Ok((stone, writes))
}

fn summary(circle: &Circle, energy: &Energy, lived_days: i64) -> String {
    let (name, level, peak) = (&circle.name, energy.level().number, energy.peak_hp);
    let days = quantity(lived_days, "day", "days");
    let members = quantity(circle.members_count, "member", "members");
    format!("{name} lived {days}, reached level {level} and {peak} HP, and had {members} at the end.")
}

fn quantity(number: i64, singular: &str, plural: &str) -> String {
    format!("{number} {}", if number == 1 { singular } else { plural })
}

/// Returns the ID of a circle's memorial stone. It equals the circle's ID, so a circle has at most one stone.
fn stone_id(circle: CircleId) -> StoneId {
    Ulid::from(circle).into()
}

/// `CIRCLE#id / HERO#u`
impl Row for HeroRow {
    fn key(&self) -> Key {
        Key::new(circle::partition(self.circle), format!("{HERO_PREFIX}{}", self.user))
    }
}
