//! `/admin/users`: listing, banning and locking accounts, and changing their roles.

use axum::extract::State;
use domain::{
    UserId,
    accounts::{self, BanRequest, RoleChange, Suspension, SuspensionRequest},
    moderation::{
        ban,
        directory::{self, Account, AccountFilter},
    },
    people::UserRef,
};
use platform::{App, Cursor};
use runtime::{
    Admin, Envelope, Filters, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList, SuperAdmin,
};

/// List accounts
///
/// Returns accounts, newest first. `q` is a user ID, or a prefix of a username, an email address or a word in a name. A
/// search with `q` finds at most 200 accounts. New accounts are found immediately by full username or email address,
/// and otherwise within seconds. Requires ADMIN.
#[utoipa::path(get, path = "/admin/users", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])), params(AccountFilter, Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<Account>)))]
pub(crate) async fn list_accounts(
    State(app): State<App>,
    _: Admin,
    Filters(filter): Filters<AccountFilter>,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<Account> {
    Ok(List(directory::accounts(&app, filter, cursor).await?))
}

/// Ban a user
///
/// The ban ends at `bannedUntil`. Without `bannedUntil`, it is permanent. The body is optional. All sessions of the
/// account end immediately.
///
/// Sanctions have an order. A temporary ban is the weakest sanction. Of two temporary bans, the one that ends later is
/// stronger. A lock is stronger than any temporary ban, and a permanent ban is the strongest. A stronger sanction
/// replaces a weaker one and its reason. The same sanction again has no effect. A weaker sanction returns 400, and the
/// message names the current sanction. A permanent ban is therefore always possible. `PATCH
/// /admin/users/{userId}/unlock` lifts a sanction before its end. A granted appeal lifts a ban, and so does the undo of
/// the decision that imposed the ban.
///
/// A new sanction closes the user's pending appeal against an earlier ban. The user can appeal the new ban.
///
/// Returns 403 for the caller's own account. Only a SUPER_ADMIN can ban an administrator or another SUPER_ADMIN.
/// Requires ADMIN.
#[utoipa::path(patch, path = "/admin/users/{userId}/ban", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])),
    params(("userId" = UserRef, Path,)),
    request_body(content = Option<BanRequest>, example = json!({"reason": "Spam", "bannedUntil": "2030-01-31T09:30:00.000Z"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn ban_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    Input { body, .. }: Input<Option<BanRequest>>,
) -> Respond<Account> {
    let suspension = Suspension::Ban(body.unwrap_or_default());
    Ok(Reply::ok(ban::suspend(&app, &admin.into(), user, suspension).await?.into()))
}

/// Ban a user for 7 days
///
/// Works like `PATCH /admin/users/{userId}/ban`, but the ban always ends in 7 days. Returns 400 if a lock or a longer
/// ban is in force. The body is optional. Requires ADMIN.
#[utoipa::path(patch, path = "/admin/users/{userId}/temp-ban", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserRef, Path,)),
    request_body(content = Option<SuspensionRequest>, example = json!({"reason": "Spam"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn temp_ban_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    Input { body, .. }: Input<Option<SuspensionRequest>>,
) -> Respond<Account> {
    let suspension = Suspension::BanForAWeek(body.unwrap_or_default());
    Ok(Reply::ok(ban::suspend(&app, &admin.into(), user, suspension).await?.into()))
}

/// Lock an account
///
/// The lock lasts until the account is unlocked. All sessions of the account end immediately. A lock replaces a
/// temporary ban, and closes a pending appeal against it. Returns 400 if the user is banned permanently. Repeating the
/// request has no effect. The body is optional. Requires ADMIN.
#[utoipa::path(patch, path = "/admin/users/{userId}/lock", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserRef, Path,)),
    request_body(content = Option<SuspensionRequest>, example = json!({"reason": "Hacked"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn lock_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    Input { body, .. }: Input<Option<SuspensionRequest>>,
) -> Respond<Account> {
    let suspension = Suspension::Lock(body.unwrap_or_default());
    Ok(Reply::ok(ban::suspend(&app, &admin.into(), user, suspension).await?.into()))
}

/// Unlock an account
///
/// Removes the lock or the ban of an account. Has no effect on an active account. The body is optional. The audit log
/// contains the reason. If the ban came from a case, the case then shows that the ban was lifted. Requires ADMIN.
#[utoipa::path(patch, path = "/admin/users/{userId}/unlock", tag = "admin",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("userId" = UserRef, Path,)),
    request_body(content = Option<SuspensionRequest>, example = json!({"reason": "Recovered"})),
    responses((status = 200, body = Envelope<Account>)))]
pub(crate) async fn unlock_user(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(user): Path<UserId>,
    Input { body, .. }: Input<Option<SuspensionRequest>>,
) -> Respond<Account> {
    Ok(Reply::ok(ban::unlock(&app, &admin.into(), user, body.unwrap_or_default()).await?.into()))
}

/// Change a user's roles
///
/// The body has the complete list of the user's roles. USER is always included. A MODERATOR can decide reports, cases
/// and appeals, and has no other administrator permissions. Requires SUPER_ADMIN. Returns 403 for the caller's own
/// account, so the last SUPER_ADMIN always remains. If the roles change, all sessions of the account end immediately.
#[utoipa::path(patch, path = "/admin/users/{userId}/roles", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    params(("userId" = UserRef, Path,)),
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
