//! `/admin/users`: listing, banning and locking accounts, and changing their roles.

use axum::extract::State;
use domain::{
    accounts::{self, BanRequest, RoleChange, SuspensionRequest},
    ids::UserId,
    moderation::directory::{self, Account, AccountQuery},
};
use platform::App;
use runtime::{
    caller::{Admin, SuperAdmin},
    http::{Empty, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// List accounts
///
/// Returns accounts, newest first. `q` is a user ID, or the first characters of a username, an email address or a word
/// in a name. A search with `q` finds at most 200 accounts. A search for the full username or email address finds a new
/// account immediately. Other searches find it within seconds.
#[utoipa::path(get, path = "/admin/users", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])), params(AccountQuery),
    responses((status = 200, body = ListEnvelope<Account>)))]
pub(crate) async fn list_accounts(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<AccountQuery>,
) -> RespondList<Account> {
    Ok(List(directory::accounts(&app, query).await?))
}

/// Ban a user
///
/// The ban ends at `bannedUntil`. Without `bannedUntil`, it is permanent. The body is optional. All sessions of the
/// account end immediately. A later ban replaces the end and the reason of an earlier ban. A temporary ban does not
/// replace a lock. Returns 403 for the caller's own account and for a SUPER_ADMIN. Only a SUPER_ADMIN can ban an
/// administrator.
#[utoipa::path(patch, path = "/admin/users/{userId}/ban", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = Option<BanRequest>, example = json!({"reason": "Spam", "bannedUntil": "2030-01-31T09:30:00.000Z"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn ban_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    Input { body, .. }: Input<Option<BanRequest>>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::ban(&app, &admin.into(), user, body.unwrap_or_default()).await?.into()))
}

/// Ban a user for 7 days
///
/// Works as `PATCH /admin/users/{userId}/ban` does, but the ban ends in 7 days. A lock or a longer ban stays in force,
/// and the response contains it. The body is optional.
#[utoipa::path(patch, path = "/admin/users/{userId}/temp-ban", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = Option<SuspensionRequest>, example = json!({"reason": "Spam"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn temp_ban_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    Input { body, .. }: Input<Option<SuspensionRequest>>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::ban_for_a_week(&app, &admin.into(), user, body.unwrap_or_default()).await?.into()))
}

/// Lock an account
///
/// The lock lasts until the account is unlocked. All sessions of the account end immediately. The body is optional.
#[utoipa::path(patch, path = "/admin/users/{userId}/lock", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = Option<SuspensionRequest>, example = json!({"reason": "Hacked"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn lock_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    Input { body, .. }: Input<Option<SuspensionRequest>>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::lock(&app, &admin.into(), user, body.unwrap_or_default()).await?.into()))
}

/// Unlock an account
///
/// Removes the lock or the ban of an account.
#[utoipa::path(patch, path = "/admin/users/{userId}/unlock", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)), responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn unlock_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    _: Input<Empty>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::unlock(&app, &admin.into(), user).await?.into()))
}

/// Change a user's roles
///
/// The body has the complete list of the user's roles. USER is always included. A MODERATOR can decide reports and
/// appeals, and has no other administrator permissions. Requires SUPER_ADMIN. Returns 403 for the caller's own account
/// and for another SUPER_ADMIN. All sessions of the account end immediately.
#[utoipa::path(patch, path = "/admin/users/{userId}/roles", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = RoleChange, example = json!({"roles": ["USER", "ADMIN"]})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn change_user_roles(
    State(app): State<App>,
    SuperAdmin(admin): SuperAdmin,
    Path(user): Path<UserId>,
    Input { body: change, .. }: Input<RoleChange>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::change_roles(&app, &admin.into(), user, change).await?.into()))
}
