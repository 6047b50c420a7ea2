//! Karma, which users earn with quests and give to circles.

use base::{CircleId, Position, UserId};
use platform::{App, Error, Key, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum karma that a user can earn from quests per day.
const DAILY_MAX: i64 = 3;
const TRANSACTIONS_MAX: usize = 100;
const TRANSACTION_PREFIX: &str = "KARMA#";
/// Maximum number of restrictions that a response lists.
const RESTRICTIONS_MAX: usize = 100;

/// A user's karma.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Karma {
    user: UserId,
    /// Karma that the user can give.
    pub balance: i64,
    /// Karma from quests on `day`.
    #[serde(default)]
    earned: i64,
    /// The last day on which the user claimed a reward.
    day: Option<String>,
    restriction: Option<Restriction>,
    /// The restrictions in other circles that were in force when the user last gave karma, newest first.
    #[serde(default)]
    earlier: Vec<Restriction>,
}

/// A circle in which a user cannot write for a while after giving karma.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CircleRestriction)]
#[serde(rename_all = "camelCase")]
pub struct Restriction {
    /// The circle to which the user gave karma.
    pub circle_id: CircleId,
    /// RFC 3339 time from which the user can write again.
    pub until: Time,
}

/// The cause of a change to a user's karma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum KarmaReason {
    /// The user claimed a daily quest.
    Quest,
    /// The user gave karma to a circle.
    KarmaSacrifice,
}

/// A change to a user's karma.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KarmaTransaction {
    /// Amount of earned karma. Negative for karma that the user gave.
    #[schema(example = 1)]
    pub delta: i64,
    /// The cause of the change.
    pub reason: KarmaReason,
    /// The circle that got the karma. Null for a quest.
    pub circle_id: Option<CircleId>,
    /// RFC 3339 time of the change.
    pub created_at: Time,
}

/// A change to a user's karma, with the user's ID.
#[derive(Debug, Serialize, Deserialize)]
struct TransactionRow {
    user: UserId,
    id: Position,
    #[serde(flatten)]
    transaction: KarmaTransaction,
}

/// A user's karma, and the latest changes to the karma.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KarmaLog {
    /// The karma that the user can give.
    #[schema(example = 12)]
    pub balance: i64,
    /// The newest 100 changes, newest first.
    pub transactions: Vec<KarmaTransaction>,
    /// The restriction from the last time that the user gave karma to a circle. Omitted after the restriction ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub restriction: Option<Restriction>,
    /// All restrictions that are in force, newest first, at most 100. Omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub restrictions: Vec<Restriction>,
}

/// Returns a user's karma, the latest changes, and the restrictions that are in force.
pub async fn karma(app: &App, user: UserId) -> Result<KarmaLog> {
    let changes = Query::partition(user.partition()).prefix(TRANSACTION_PREFIX).newest_first();
    let changes = changes.limit(TRANSACTIONS_MAX).consistent();
    let (karma, rows) =
        futures::try_join!(Karma::of(app, user), app.table.query::<TransactionRow>(&changes))?;
    let transactions = rows.into_iter().map(|row| row.transaction).collect();
    let restrictions: Vec<_> = karma.restrictions(app.now()).collect();
    let restriction = restrictions.first().copied();
    Ok(KarmaLog { balance: karma.balance, transactions, restriction, restrictions })
}

/// Returns the writes that add `karma` for a quest that the user completed on `day`. The writes fail with a conflict if
/// the karma changed after it was read.
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

/// Returns the writes that take `karma` from a user who gives it to a circle. The writes fail with [`Error::Conflict`]
/// if the karma changed after it was read.
pub fn spend_writes(app: &App, before: &Karma, karma: i64, restriction: Restriction) -> [Write; 2] {
    let balance = Write::update(key(before.user)).add("balance", -karma).set("restriction", restriction);
    let others = before.restrictions(app.now()).filter(|other| other.circle_id != restriction.circle_id);
    let balance = balance.set("earlier", others.take(RESTRICTIONS_MAX - 1).collect::<Vec<_>>());
    let balance = balance.equals("balance", before.balance).at_least("balance", karma);
    let balance = balance.or(Error::Conflict("your karma was changed by another request. Try again."));
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
    /// Returns the karma of a user who has never earned karma.
    pub fn none(user: UserId) -> Self {
        Self { user, balance: 0, earned: 0, day: None, restriction: None, earlier: Vec::new() }
    }

    pub(super) async fn of(app: &App, user: UserId) -> Result<Self> {
        Ok(app.table.get(&key(user)).await?.unwrap_or(Self::none(user)))
    }

    /// Returns the restrictions that are in force at `now`, newest first.
    fn restrictions(&self, now: Time) -> impl Iterator<Item = Restriction> {
        let all = self.restriction.into_iter().chain(self.earlier.iter().copied());
        all.filter(move |restriction| now < restriction.until)
    }

    /// Returns the karma that the user can still earn on a day.
    pub(super) fn left_on(&self, day: &str) -> i64 {
        let same_day = self.day.as_deref() == Some(day);
        if same_day { (DAILY_MAX - self.earned).max(0) } else { DAILY_MAX }
    }
}

/// Returns the key of a user's karma.
pub fn key(user: UserId) -> Key {
    Key::new(user.partition(), "KARMA")
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
        Key::new(self.user.partition(), format!("{TRANSACTION_PREFIX}{}", self.id))
    }
}
