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
    http::{Body, Envelope, List, ListEnvelope, OptionalBody, Path, Query, Reply, Respond, RespondList},
};

/// List accounts
///
/// Newest first. `q` is an id, or the beginning of a username, of a word of a name, or of an e-mail; it finds
/// at most 200 accounts. It finds a new account by the whole username or e-mail at once, and by a beginning
/// within seconds.
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
/// The ban is permanent, or ends at `bannedUntil`; the body may be left out. All sessions of the account end
/// at once. A repeated ban replaces end and reason; a lock stands against a ban with an end. The administrator's
/// own account and a SUPER_ADMIN answer 403, and so does any administrator, unless a SUPER_ADMIN asks.
#[utoipa::path(patch, path = "/admin/users/{userId}/ban", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = Option<BanRequest>, example = json!({"reason": "Spam", "bannedUntil": "2030-01-31T09:30:00.000Z"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn ban_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    OptionalBody(request): OptionalBody<BanRequest>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::ban(&app, &admin.into(), user, request).await?.into()))
}

/// Ban somebody for 7 days
///
/// Does the same as `ban`, with an end. A lock, or a ban that lasts longer, stands: the answer shows it. The body
/// may be left out.
#[utoipa::path(patch, path = "/admin/users/{userId}/temp-ban", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = Option<SuspensionRequest>, example = json!({"reason": "Spam"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn temp_ban_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    OptionalBody(request): OptionalBody<SuspensionRequest>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::ban_for_a_week(&app, &admin.into(), user, request).await?.into()))
}

/// Lock an account
///
/// The lock lasts until the account is unlocked; the body may be left out. All sessions of the account end at
/// once.
#[utoipa::path(patch, path = "/admin/users/{userId}/lock", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserId, Path,)),
    request_body(content = Option<SuspensionRequest>, example = json!({"reason": "Hacked"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn lock_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    OptionalBody(request): OptionalBody<SuspensionRequest>,
) -> Respond<Account> {
    Ok(Reply::ok(accounts::lock(&app, &admin.into(), user, request).await?.into()))
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
    Ok(Reply::ok(accounts::unlock(&app, &admin.into(), user).await?.into()))
}

/// Change somebody's roles
///
/// The body lists all roles that the user has from now on; USER is always one. A MODERATOR decides on reports and
/// appeals and may do nothing else of administrators. Only a SUPER_ADMIN may do this, and not for their own account or
/// another SUPER_ADMIN. All sessions of the account end.
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
    Ok(Reply::ok(accounts::change_roles(&app, &admin.into(), user, change).await?.into()))
}
