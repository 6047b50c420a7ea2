//! Opening an account.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    accounts::{
        mailed_tokens::{Issued, Purpose},
        passwords::NewPassword,
        sessions::Session,
        tokens::Grant,
    },
    ids::UserId,
    jobs::IndexJob,
    ledger::statistics::{self, Count},
    people::{
        unique::Taken,
        users::{Email, Name, Role, Status, User, Username},
    },
};

/// Nobody is signed in yet, so keys of `Idempotency-Key` have no other owner.
const OWNER: &str = "REGISTER";

/// Who somebody wants to be.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Registration {
    /// As they are called.
    pub name: Name,
    /// As they are addressed; unique, ignoring case.
    pub username: Username,
    /// Where mail reaches them; unique, ignoring case.
    pub email: Email,
    /// What only they know.
    pub password: NewPassword,
}

/// What a registration made: tokens are computed from it on the way out, and so is the mail's.
#[derive(Serialize, Deserialize)]
struct Registered {
    grant: Grant,
    mail: Issued,
}

/// Opens an account and its first session, and queues the mail that asks to confirm the address.
/// 1 call, 13 WRU and 2 sends; with an `Idempotency-Key` 2 calls, 1 RRU and 15 WRU.
///
/// The same key again gets the same grant, and the messages are queued again: each is done once.
///
/// # Errors
/// [`Error::Invalid`] when the username or the e-mail is taken.
pub async fn register(
    app: &App,
    once: &Once,
    wanted: Registration,
    user_agent: Option<&str>,
) -> Result<Grant> {
    let registered = once.run(app, OWNER, opening(app, wanted, user_agent)).await?;
    app.queues.send(&registered.mail).await?;
    app.queues.send(&IndexJob::User { user: registered.grant.user }).await?;
    Ok(registered.grant)
}

async fn opening(
    app: &App,
    wanted: Registration,
    user_agent: Option<&str>,
) -> Result<(Vec<Write>, Registered)> {
    let hash = wanted.password.clone().hash().await?;
    let user = user(app, wanted, hash);
    let session = Session::open(app, user.id, user_agent);
    let mail = Issued::new(Purpose::Verify, user.id);
    let clash = || Error::internal(anyhow::anyhow!("an id was given twice"));
    let writes = vec![
        Taken::username(user.id, &user.username),
        Taken::email(user.id, &user.email),
        Write::create(&user).or(clash()),
        Write::create(&session).or(clash()),
        Write::create(&mail.row(app).await?).or(clash()),
        statistics::count(user.id.random(), Count::Users, 1),
    ];
    let grant = session.grant(&user);
    Ok((writes, Registered { grant, mail }))
}

fn user(app: &App, wanted: Registration, password_hash: String) -> User {
    let now = app.now();
    User {
        id: UserId::random_at(now),
        name: wanted.name,
        username: wanted.username,
        email: wanted.email,
        password_hash,
        bio: None,
        avatar: None,
        status: Status::Active,
        banned_until: None,
        standing_reason: None,
        verified_at: None,
        roles: vec![Role::User],
        followers_count: 0,
        following_count: 0,
        friend_requests_pending: 0,
        is_popular: false,
        is_merged: false,
        created_at: now,
    }
}
