//! Karma: what people earned, and the badges they gave it for.

use platform::{
    App, Result,
    error::Error,
    table::{Key, Query, Row, Together, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{CircleId, Position, UserId};

/// Karma that quests earn in a day.
const A_DAY: i64 = 3;
const SHOWN_MAX: usize = 100;

/// What somebody has, and what of it they earned on the last day that they did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Karma {
    pub(crate) user: UserId,
    pub(crate) balance: i64,
    #[serde(default)]
    earned: i64,
    day: Option<String>,
    restriction: Option<Restriction>,
}

/// Where somebody may not write for a while, having given karma.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Restriction {
    /// In which circle.
    pub circle_id: CircleId,
    /// Until when.
    pub until: Time,
}

/// Why karma changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum KarmaReason {
    /// A daily quest was claimed.
    Quest,
    /// It was given to a circle.
    KarmaSacrifice,
}

/// A change of somebody's karma.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    /// How much more, or less.
    #[schema(example = 1)]
    pub delta: i64,
    /// Why.
    pub reason: KarmaReason,
    /// The circle it was given to.
    pub circle_id: Option<CircleId>,
    /// When.
    pub created_at: Time,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    user: UserId,
    id: Position,
    #[serde(flatten)]
    transaction: Transaction,
}

/// Somebody's karma.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KarmaLog {
    /// What they have.
    #[schema(example = 12)]
    pub balance: i64,
    /// What changed it, newest first, at most 100.
    pub transactions: Vec<Transaction>,
    /// The last circle in which they may not write, having given karma to it, while that holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restriction: Option<Restriction>,
}

/// A badge for having given karma to a circle.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Badge {
    /// Which kind.
    #[serde(rename = "type")]
    #[schema(example = "HERO")]
    pub kind: String,
    /// The circle.
    pub circle_id: CircleId,
    /// The circle's name then.
    pub circle_name: String,
    /// When.
    pub created_at: Time,
}

#[derive(Debug, Serialize, Deserialize)]
struct Worn {
    user: UserId,
    #[serde(flatten)]
    badge: Badge,
}

/// Somebody's badges.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Badges {
    /// At most 100.
    pub badges: Vec<Badge>,
}

/// What somebody has, and what changed it. 2 calls, 2 RRU and 1 for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn karma(app: &App, user: UserId) -> Result<KarmaLog> {
    let changes = Query::partition(format!("USER#{user}")).prefix("KARMA#").newest_first();
    let changes = changes.limit(SHOWN_MAX).consistent();
    let (karma, entries) = futures::try_join!(Karma::of(app, user), app.table.query::<Entry>(&changes))?;
    let transactions = entries.into_iter().map(|it| it.transaction).collect();
    let restriction = karma.restriction.filter(|it| app.now() < it.until);
    Ok(KarmaLog { balance: karma.balance, transactions, restriction })
}

/// Somebody's badges. 1 call, 0.5 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn badges(app: &App, user: UserId) -> Result<Badges> {
    let query = Query::partition(format!("USER#{user}")).prefix("BADGE#").limit(SHOWN_MAX);
    let worn: Vec<Worn> = app.table.query(&query).await?;
    Ok(Badges { badges: worn.into_iter().map(|it| it.badge).collect() })
}

/// The steps of earning karma on a day, while it is as it was read: 4 WRU.
pub(super) fn earn_writes(
    app: &App,
    before: &Karma,
    karma: i64,
    day: &str,
    reason: KarmaReason,
) -> [Write; 2] {
    let now = app.now();
    let earned = A_DAY - before.left_on(day) + karma;
    let write = Write::update(key(before.user)).set("user", before.user).add("balance", karma);
    let write = write.set("day", day).set("earned", earned).equals_or_lacks("balance", before.balance);
    let write = match &before.day {
        Some(day) => write.equals("day", day).equals("earned", before.earned),
        None => write.lacks("day"),
    };
    let transaction = Transaction { delta: karma, reason, circle_id: None, created_at: now };
    [write, Write::create(&Entry { user: before.user, id: app.ids.next(now), transaction })]
}

/// The steps of giving karma to a circle, while it is as it was read: 4 WRU.
pub(crate) fn spend(app: &App, before: &Karma, karma: i64, restriction: Restriction) -> [Write; 2] {
    let now = app.now();
    let write = Write::update(key(before.user)).add("balance", -karma).set("restriction", restriction);
    let write = write.equals("balance", before.balance).at_least("balance", karma);
    let meanwhile = Error::Conflict("your karma changed meanwhile");
    let circle_id = Some(restriction.circle_id);
    let transaction =
        Transaction { delta: -karma, reason: KarmaReason::KarmaSacrifice, circle_id, created_at: now };
    let entry = Entry { user: before.user, id: app.ids.next(now), transaction };
    [write.or(meanwhile), Write::create(&entry)]
}

/// The step of getting a badge. 1 WRU.
pub(crate) fn wear(user: UserId, badge: Badge) -> Write {
    Write::put(&Worn { user, badge })
}

/// Whether a badge is among the rows that were read.
pub(crate) fn wears(found: &mut Together, badge: &Key) -> Result<bool> {
    Ok(found.take::<Worn>(badge)?.is_some())
}

/// Where somebody's badge of a circle is.
pub(crate) fn badge_key(user: UserId, circle: CircleId) -> Key {
    Key::new(key(user).pk, format!("BADGE#{circle}"))
}

impl Karma {
    /// That of somebody who never earned any.
    pub(crate) fn none(user: UserId) -> Self {
        Self { user, balance: 0, earned: 0, day: None, restriction: None }
    }

    /// 1 call, 1 RRU.
    pub(super) async fn of(app: &App, user: UserId) -> Result<Self> {
        Ok(app.table.get(&key(user)).await?.unwrap_or(Self::none(user)))
    }

    /// What quests can still earn on a day.
    pub(super) fn left_on(&self, day: &str) -> i64 {
        let same_day = self.day.as_deref() == Some(day);
        if same_day { (A_DAY - self.earned).max(0) } else { A_DAY }
    }
}

/// Where somebody's karma is.
pub(crate) fn key(user: UserId) -> Key {
    Key::new(format!("USER#{user}"), "KARMA")
}

/// `USER#u / KARMA`
impl Row for Karma {
    fn key(&self) -> Key {
        key(self.user)
    }
}

/// `USER#u / KARMA#ulid`
impl Row for Entry {
    fn key(&self) -> Key {
        Key::new(key(self.user).pk, format!("KARMA#{}", self.id))
    }
}

/// `USER#u / BADGE#circle`
impl Row for Worn {
    fn key(&self) -> Key {
        badge_key(self.user, self.badge.circle_id)
    }
}
