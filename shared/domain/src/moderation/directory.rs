//! All accounts, as administrators see them.

use futures::future::try_join_all;
use platform::{
    App, Result,
    page::{Cursor, Page, Take},
    table::{Index, Query},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ids::{PublicUserId, UserId},
    people::{
        unique,
        users::{self, Email, LIST_SHARDS, Name, Role, Status, User, Username},
    },
    reasons::ReasonText,
    search::{self, Terms},
};

/// Accounts that one search looks at, at most, of each way to find them.
const MATCHES_MAX: usize = 100;
/// How many readings a page may take while accounts of another status are left out.
const ROUNDS_MAX: usize = 20;

/// Which accounts.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AccountQuery {
    /// Only those of this status.
    pub status: Option<Status>,
    /// An id, or how a username, a word of a name or an e-mail begins. At most the first 200 that do.
    #[param(value_type = Option<String>, min_length = 1, max_length = 100)]
    pub q: Option<Terms>,
    /// Rows wanted: 20 unless said, 100 at most.
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1, maximum = 100)]
    pub take: Take,
    /// The `after` of the page before.
    pub after: Option<UserId>,
}

/// An account, as administrators see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The user, and its cursor.
    pub id: UserId,
    /// The id that clients see.
    pub public_id: PublicUserId,
    /// As they are called.
    pub name: Name,
    /// Where mail reaches them.
    pub email: Email,
    /// As they are addressed.
    pub username: Username,
    /// Whether they may use the account.
    pub status: Status,
    /// Why not.
    pub reason: Option<ReasonText>,
    /// When a ban ends by itself.
    pub banned_until: Option<Time>,
    /// Since when the e-mail is shown to be theirs.
    pub verified_at: Option<Time>,
    /// When they came.
    pub created_at: Time,
    /// What they may do.
    pub roles: Vec<Role>,
    /// Whether the e-mail is shown to be theirs.
    pub is_verified: bool,
}

/// Accounts, newest first. 4 calls at once and 0.5 RRU for each 4 KB; of those banned or locked 1
/// call; with `q` 5 calls and up to 200 RRU.
///
/// # Errors
/// Internal only.
pub async fn accounts(app: &App, query: AccountQuery) -> Result<Page<Account>> {
    let AccountQuery { status, q, take, after } = query;
    let cursor = Cursor { take, after };
    let rows = match (q, status.and_then(users::listed_as)) {
        (Some(terms), _) => found(app, &terms, status, &cursor).await?,
        (None, Some(partition)) => {
            let query = Query::index(Index::Gsi2, partition).newest_first().before(after);
            app.table.query(&query.limit(take.rows() + 1)).await?
        }
        (None, None) => newest(app, status, &cursor).await?,
    };
    Ok(Page::cut(rows, take, |it| it.id.to_string()).map(Account::from))
}

/// Who is found by these terms: few enough to be put in order here.
async fn found(
    app: &App,
    terms: &Terms,
    status: Option<Status>,
    cursor: &Cursor<UserId>,
) -> Result<Vec<User>> {
    let lower = terms.as_str().to_lowercase();
    let email = unique::find_by_email(app, &lower);
    let username = unique::find_by_username(app, &lower);
    // Who has just come is not indexed yet, but is found by their whole name.
    let (mut ids, email, username) =
        futures::try_join!(search::matches(app, terms, MATCHES_MAX), email, username)?;
    ids.extend([email, username, terms.as_str().parse().ok()].into_iter().flatten());
    ids.retain(|it| cursor.after.is_none_or(|after| *it < after));
    let mut users = users::find_all(app, &ids.into_iter().collect::<Vec<_>>()).await?;
    users.retain(|it| status.is_none_or(|status| it.status == status));
    users.sort_unstable_by_key(|it| std::cmp::Reverse(it.id));
    users.truncate(cursor.take.rows() + 1);
    Ok(users)
}

async fn newest(app: &App, status: Option<Status>, cursor: &Cursor<UserId>) -> Result<Vec<User>> {
    let wanted = cursor.take.rows() + 1;
    let (mut rows, mut last) = (Vec::with_capacity(wanted), cursor.after);
    for _ in 0..ROUNDS_MAX {
        let page = newest_of_all(app, last, wanted).await?;
        let ended = page.len() < wanted;
        last = page.last().map(|it| it.id);
        rows.extend(page.into_iter().filter(|it| status.is_none_or(|status| it.status == status)));
        if ended || rows.len() >= wanted {
            break;
        }
    }
    rows.truncate(wanted);
    Ok(rows)
}

async fn newest_of_all(app: &App, after: Option<UserId>, rows: usize) -> Result<Vec<User>> {
    let shards = (0..LIST_SHARDS).map(async |shard| {
        let query = Query::index(Index::Gsi3, users::list_partition(shard)).newest_first();
        app.table.query::<User>(&query.before(after).limit(rows)).await
    });
    let mut users: Vec<_> = try_join_all(shards).await?.into_iter().flatten().collect();
    users.sort_unstable_by_key(|it| std::cmp::Reverse(it.id));
    users.truncate(rows);
    Ok(users)
}

impl From<User> for Account {
    fn from(user: User) -> Self {
        Self {
            id: user.id,
            public_id: user.id.public(),
            name: user.name,
            email: user.email,
            username: user.username,
            status: user.status,
            reason: user.standing_reason,
            banned_until: user.banned_until,
            verified_at: user.verified_at,
            created_at: user.created_at,
            roles: user.roles,
            is_verified: user.verified_at.is_some(),
        }
    }
}
