//! Karma: what people earn with quests and give to circles.

use base::ids::{CircleId, Position, UserId};
use platform::{
    App, Result,
    error::Error,
    table::{Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most karma that quests earn in a day.
const DAILY_MAX: i64 = 3;
const SHOWN_MAX: usize = 100;

/// A user's karma, and how much of it they earned on the last day on which they earned some.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Karma {
    pub(crate) user: UserId,
    /// Karma that the user can spend.
    pub balance: i64,
    #[serde(default)]
    earned: i64,
    day: Option<String>,
    restriction: Option<Restriction>,
}

/// The circle in which a user may not write for a while, because they gave karma to it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Restriction {
    /// The circle.
    pub circle_id: CircleId,
    /// The time when the user may write again.
    pub until: Time,
}

/// Why karma changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum KarmaReason {
    /// The user claimed a daily quest.
    Quest,
    /// The user gave it to a circle.
    KarmaSacrifice,
}

/// A change of a user's karma.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KarmaTransaction {
    /// The karma that was added; negative when it was given away.
    #[schema(example = 1)]
    pub delta: i64,
    /// Why it changed.
    pub reason: KarmaReason,
    /// The circle that it was given to.
    pub circle_id: Option<CircleId>,
    /// The time of the change.
    pub created_at: Time,
}

/// A change of karma and the user whose karma it is.
#[derive(Debug, Serialize, Deserialize)]
struct TransactionRow {
    user: UserId,
    id: Position,
    #[serde(flatten)]
    transaction: KarmaTransaction,
}

/// A user's karma and what changed it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KarmaLog {
    /// The karma that the user has.
    #[schema(example = 12)]
    pub balance: i64,
    /// The newest 100 changes, newest first.
    pub transactions: Vec<KarmaTransaction>,
    /// The last circle that the user gave karma to, while they may not write there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restriction: Option<Restriction>,
}

/// Returns a user's karma and its newest changes.
pub async fn karma(app: &App, user: UserId) -> Result<KarmaLog> {
    let changes = Query::partition(pk(user)).prefix(transaction_sk("")).newest_first();
    let changes = changes.limit(SHOWN_MAX).consistent();
    let (karma, rows) =
        futures::try_join!(Karma::of(app, user), app.table.query::<TransactionRow>(&changes))?;
    let transactions = rows.into_iter().map(|it| it.transaction).collect();
    let restriction = karma.restriction.filter(|it| app.now() < it.until);
    Ok(KarmaLog { balance: karma.balance, transactions, restriction })
}

/// Adds karma that a quest earned on a day. Stale when the karma changed since it was read.
pub(crate) fn earn_writes(app: &App, before: &Karma, karma: i64, day: &str) -> [Write; 2] {
    let earned = DAILY_MAX - before.left_on(day) + karma;
    let balance = Write::update(key(before.user)).set("user", before.user).add("balance", karma);
    let balance = balance.set("day", day).set("earned", earned).equals_or_lacks("balance", before.balance);
    let balance = match &before.day {
        Some(day) => balance.equals("day", day).equals("earned", before.earned),
        None => balance.lacks("day"),
    };
    [balance, transaction_write(app, before.user, karma, KarmaReason::Quest, None)]
}

/// Takes karma that is given to a circle. Refused as a conflict when the karma changed since it was read.
pub fn spend_writes(app: &App, before: &Karma, karma: i64, restriction: Restriction) -> [Write; 2] {
    let balance = Write::update(key(before.user)).add("balance", -karma).set("restriction", restriction);
    let balance = balance.equals("balance", before.balance).at_least("balance", karma);
    let balance = balance.or(Error::Conflict("your karma changed meanwhile"));
    let (reason, circle) = (KarmaReason::KarmaSacrifice, Some(restriction.circle_id));
    [balance, transaction_write(app, before.user, -karma, reason, circle)]
}

fn transaction_write(
    app: &App,
    user: UserId,
    delta: i64,
    reason: KarmaReason,
    circle_id: Option<CircleId>,
) -> Write {
    let now = app.now();
    let transaction = KarmaTransaction { delta, reason, circle_id, created_at: now };
    Write::create(&TransactionRow { user, id: app.ids.next(now), transaction })
}

impl Karma {
    /// Returns the karma of a user who never earned any.
    pub fn none(user: UserId) -> Self {
        Self { user, balance: 0, earned: 0, day: None, restriction: None }
    }

    /// Returns a user's karma.
    pub(super) async fn of(app: &App, user: UserId) -> Result<Self> {
        Ok(app.table.get(&key(user)).await?.unwrap_or(Self::none(user)))
    }

    /// Returns how much karma quests can still earn on a day.
    pub(super) fn left_on(&self, day: &str) -> i64 {
        let same_day = self.day.as_deref() == Some(day);
        if same_day { (DAILY_MAX - self.earned).max(0) } else { DAILY_MAX }
    }
}

/// Returns the key of a user's karma.
pub fn key(user: UserId) -> Key {
    Key::new(pk(user), "KARMA")
}

fn pk(user: UserId) -> String {
    user.partition()
}

fn transaction_sk(id: &str) -> String {
    format!("KARMA#{id}")
}

/// `USER#u / KARMA`
impl Row for Karma {
    fn key(&self) -> Key {
        key(self.user)
    }
}

/// `USER#u / KARMA#id`
impl Row for TransactionRow {
    fn key(&self) -> Key {
        Key::new(pk(self.user), transaction_sk(&self.id.to_string()))
    }
}
