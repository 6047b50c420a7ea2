//! Registers users.

use base::{IndexJob, UserId};
use ledger::statistics::{self, Count};
use platform::{App, Error, Once, Result, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Device, Grant, NewPassword, Session,
    mailed_tokens::{IssuedToken, Purpose},
    tries,
};
use people::{Address, Email, EmailStatus, NewName, NewUsername, Role, Status, UniqueName, User};

/// The owner under which the `Idempotency-Key`s of registrations are stored, because the user does not exist yet.
const OWNER: &str = "REGISTER";

/// A request to register.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Registration {
    /// The display name.
    pub name: NewName,
    /// The username. Unique, ignoring case.
    pub username: NewUsername,
    /// The email address. It belongs to the account that confirms it. An unconfirmed address is reserved for 24 hours.
    /// After that, another user can register with it, and the address refers to the newest account.
    pub email: Email,
    /// The password of the new account.
    pub password: NewPassword,
}

/// The stored result of a registration. The tokens are computed from it and not stored.
#[derive(Serialize, Deserialize)]
struct Registered {
    grant: Grant,
    mail: IssuedToken,
}

/// Creates an account and its first session, and sends an email to confirm the address.
///
/// A repeated request with the same idempotency key returns the same grant.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the username or the email address is taken.
pub async fn register(app: &App, once: &Once, request: Registration, device: &Device) -> Result<Grant> {
    let registered = once.run(app, OWNER, async || {
        let hash = request.password.clone().hash().await?;
        registration_writes(app, new_user(app, request.clone(), hash), device).await
    });
    Ok(registered.await?.grant)
}

/// Creates an account like [`register`], but takes a precomputed password hash, and confirms the address. Only tests use
/// this function, to save the time of hashing and of an email.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the username or the email address is taken.
pub async fn register_hashed(
    app: &App,
    request: Registration,
    hash: String,
    device: &Device,
) -> Result<Grant> {
    let writes = async || {
        let user = new_user(app, request.clone(), hash.clone());
        registration_writes(app, User { verified_at: Some(user.created_at), ..user }, device).await
    };
    let registered = Once::unkeyed().run(app, OWNER, writes).await?;
    Ok(registered.grant)
}

async fn registration_writes(app: &App, user: User, device: &Device) -> Result<(Vec<Write>, Registered)> {
    let session = Session::open(app, &user, device.user_agent.as_deref());
    let mail = IssuedToken::new(app, Purpose::Verify, user.id);
    let clash = || Error::internal(anyhow::anyhow!("a new id is already in use"));
    let writes = vec![
        UniqueName::claim_username_write(app, user.id, &user.username),
        Address::claim_write(app, &user),
        Write::create(&user).or(clash()),
        Write::create(&session).or(clash()),
        tries::remember_write(app, user.id, device).await?,
        mail.create_write(app).await?.then(&IndexJob::User { user: user.id }).or(clash()),
        statistics::count_write(user.id.random(), Count::Users, 1),
    ];
    let grant = session.grant(&user);
    Ok((writes, Registered { grant, mail }))
}

fn new_user(app: &App, request: Registration, password_hash: String) -> User {
    let now = app.now();
    User {
        id: UserId::random_at(app, now),
        name: request.name.into(),
        username: request.username.into(),
        renames: Vec::new(),
        email: request.email,
        email_status: EmailStatus::Ok,
        password_hash,
        password_set_at: None,
        email_set_at: None,
        second_factor_at: None,
        bio: None,
        avatar: None,
        avatar_source: None,
        status: Status::Active,
        banned_until: None,
        standing_reason: None,
        suspended_at: None,
        suspended_by: None,
        verified_at: None,
        roles: vec![Role::User],
        followers_count: 0,
        following_count: 0,
        friend_requests_pending: 0,
        is_popular: false,
        is_merged: false,
        pinned: None,
        created_at: now,
    }
}
