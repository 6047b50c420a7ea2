//! Accounts: who there is, who may use theirs, who may do what.

use axum::extract::State;
use domain::{
    accounts::{self, Ban, Cause, RoleChange},
    ids::UserId,
    moderation::directory::{self, Account, AccountQuery},
};
use platform::App;
use runtime::{
    caller::{Admin, SuperAdmin},
    http::{Body, Envelope, List, ListEnvelope, OptionalBody, Path, Query, Reply, Respond, RespondList},
};

/// List accounts
///
/// Newest first. `q` is an id, or how a username, a word of a name or an e-mail begins: at most the
/// first 200 accounts that do. Who has just come is found by their whole username or e-mail at once,
/// and by its beginning within seconds.
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

/// Ban somebody
///
/// For good, or until `bannedUntil`; the body may be left out. All their sessions end at once. Again
/// changes end and reason. One's own account and a SUPER_ADMIN: 403.
#[utoipa::path(patch, path = "/admin/users/{userId}/ban", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = Option<Ban>, example = json!({"reason": "Spam", "bannedUntil": "2030-01-31T09:30:00.000Z"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn ban_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    OptionalBody(ban): OptionalBody<Ban>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::ban(&app, admin.id, user, ban).await?.into()))
}

/// Ban somebody for 7 days
///
/// The body may be left out. As `ban`, with an end.
#[utoipa::path(patch, path = "/admin/users/{userId}/temp-ban", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = Option<Cause>, example = json!({"reason": "Spam"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn temp_ban_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    OptionalBody(cause): OptionalBody<Cause>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::ban_for_a_week(&app, admin.id, user, cause).await?.into()))
}

/// Lock an account
///
/// Until it is unlocked; the body may be left out. All its sessions end at once.
#[utoipa::path(patch, path = "/admin/users/{userId}/lock", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = Option<Cause>, example = json!({"reason": "Hacked"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn lock_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    OptionalBody(cause): OptionalBody<Cause>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::lock(&app, admin.id, user, cause).await?.into()))
}

/// Unlock an account
///
/// Ends a lock, and a ban too.
#[utoipa::path(patch, path = "/admin/users/{userId}/unlock", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)), responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn unlock_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::unlock(&app, admin.id, user).await?.into()))
}

/// Change what somebody may do
///
/// All their roles from now on; USER is always one. Only a SUPER_ADMIN may, and not for themselves.
/// All sessions of that account end.
#[utoipa::path(patch, path = "/admin/users/{userId}/roles", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = RoleChange, example = json!({"roles": ["USER", "ADMIN"]})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn change_user_roles(
    State(app): State<App>,
    SuperAdmin(admin): SuperAdmin,
    Path(user): Path<UserId>,
    Body(change): Body<RoleChange>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::change_roles(&app, admin.id, user, change).await?.into()))
}
