//! The list of accounts for administrators.

use base::{PublicUserId, ReasonText, UserId};
use futures::future::try_join_all;
use platform::{App, Cursor, FillingPage, Index, Page, Query, Result, Time};
use search::Terms;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use people::{
    Email, EmailStatus, Name, Role, Status, User, Username, addresses, unique,
    users::{self, LIST_SHARDS},
};

/// Maximum number of name or username matches that a search reads. The same limit applies to email addresses.
const MATCHES_MAX: usize = 100;

/// Filters of the list of accounts.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AccountFilter {
    /// Lists only accounts with this status.
    pub status: Option<Status>,
    /// Search term: an ID, an email address, a word in a name, or a prefix of a username. Finds at most 200 accounts.
    #[param(value_type = Option<String>, min_length = 1, max_length = 100)]
    pub q: Option<Terms>,
}

/// An account as administrators see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The internal ID. Only this list, `GET /auth/me` and the operations that change an account return this ID.
    #[schema(value_type = String, example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    pub id: UserId,
    /// The public ID, which all other responses contain. It is also the cursor of this list.
    pub public_id: PublicUserId,
    /// The display name.
    pub name: Name,
    /// The email address.
    pub email: Email,
    /// The unique username.
    pub username: Username,
    /// Whether the account is active, banned or locked.
    pub status: Status,
    /// The reason for a ban or a lock.
    pub reason: Option<ReasonText>,
    /// The time at which a temporary ban ends.
    pub banned_until: Option<Time>,
    /// The time at which the user verified the email address.
    pub verified_at: Option<Time>,
    /// The time of the registration.
    pub created_at: Time,
    /// The user's roles.
    pub roles: Vec<Role>,
    /// Whether the user has verified the email address.
    pub is_verified: bool,
    /// Whether emails reach the address.
    pub email_status: EmailStatus,
}

/// Returns a page of accounts, newest first.
pub async fn accounts(app: &App, filter: AccountFilter, cursor: Cursor<UserId>) -> Result<Page<Account>> {
    let (AccountFilter { status, q }, Cursor { take, after }) = (filter, cursor);
    let rows = match (q, status.and_then(users::listed_as)) {
        (Some(terms), _) => search_accounts(app, &terms, status, &cursor).await?,
        (None, Some(partition)) => {
            let query = Query::index(Index::Gsi2, partition).newest_first().before(after);
            app.table.query(&query.limit(take.rows() + 1)).await?
        }
        (None, None) => return Ok(newest(app, status, cursor).await?.map(Account::from)),
    };
    Ok(Page::cut(rows, take, |user| user.id.public().to_string()).map(Account::from))
}

/// Returns a page of the accounts that match the terms. All matches are sorted in memory, because a search reads at
/// most 200.
async fn search_accounts(
    app: &App,
    terms: &Terms,
    status: Option<Status>,
    cursor: &Cursor<UserId>,
) -> Result<Vec<User>> {
    let lower = terms.as_str().to_lowercase();
    let email = addresses::find_user(app, &lower);
    let username = unique::find_by_username(app, &lower);
    // The search index does not contain new accounts yet. The exact username or email address also finds these.
    let (mut ids, email, username) =
        futures::try_join!(search::matches(app, terms, MATCHES_MAX), email, username)?;
    ids.extend([email, username, terms.as_str().parse().ok()].into_iter().flatten());
    ids.retain(|id| cursor.after.is_none_or(|after| *id < after));
    let mut users = users::find_all(app, &ids.into_iter().collect::<Vec<_>>()).await?;
    users.retain(|user| status.is_none_or(|status| user.status == status));
    users.sort_unstable_by_key(|user| std::cmp::Reverse(user.id));
    users.truncate(cursor.take.rows() + 1);
    Ok(users)
}

async fn newest(app: &App, status: Option<Status>, cursor: Cursor<UserId>) -> Result<Page<User>> {
    let Cursor { take, after } = cursor;
    let mut page = FillingPage::new(Cursor { take, after: after.map(UserId::public) });
    while let Some(Cursor { take, after }) = page.to_read() {
        let users = newest_of_all(app, after.map(UserId::from), take.rows() + 1).await?;
        let (last, read) = (users.last().map(|user| user.id.public()), users.len());
        let has_status = |user: &User| status.is_none_or(|status| user.status == status);
        page.add(users.into_iter().filter(has_status), last, read);
    }
    Ok(page.page(|user| user.id.public().to_string()))
}

async fn newest_of_all(app: &App, after: Option<UserId>, rows: usize) -> Result<Vec<User>> {
    let shards = (0..LIST_SHARDS).map(async |shard| {
        let query = Query::index(Index::Gsi3, users::list_partition(shard)).newest_first();
        app.table.query::<User>(&query.before(after).limit(rows)).await
    });
    let mut users: Vec<_> = try_join_all(shards).await?.into_iter().flatten().collect();
    users.sort_unstable_by_key(|user| std::cmp::Reverse(user.id));
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
            email_status: user.email_status,
        }
    }
}
