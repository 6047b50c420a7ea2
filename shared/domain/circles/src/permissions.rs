//! Checks whether a member's role has a permission.

use base::{CircleId, UserId};
use moka::sync::Cache;
use platform::{App, Error, Once, Result, Time, Write};
use serde::{Serialize, de::DeserializeOwned};

use super::{Circle, Member, NO_CIRCLE, Permission, Role, key, member_key};

const FRESH_SECONDS: i64 = 30;
const MEMBERSHIPS_MAX: u64 = 10_000;
const REFUSED: &str = "your role in this circle does not permit this";

/// The roles that this Lambda instance read within the last 30 seconds, by user and circle.
///
/// A cached role may be up to 30 seconds out of date. So each write checks the stored role with
/// [`Granted::check_role_write`].
struct RoleCache(Cache<(UserId, CircleId), (Time, Role)>);

/// Proof that a member's role has the required permission.
#[derive(Clone, Copy, Debug)]
pub(super) struct Granted {
    circle: CircleId,
    user: UserId,
    role: Role,
}

/// Checks that a user's role in a circle has a permission, and returns the proof.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist or is dead. Fails with [`Error::Forbidden`] if the user
/// does not have the permission.
pub(super) async fn require(
    app: &App,
    circle: CircleId,
    user: UserId,
    permission: Permission,
) -> Result<Granted> {
    let role = match app.memory.of::<RoleCache>().fresh(user, circle, app.now()) {
        Some(role) => role,
        None => read(app, circle, user).await?,
    };
    role.may(permission).then_some(Granted { circle, user, role }).ok_or(Error::Forbidden(REFUSED.into()))
}

async fn read(app: &App, circle: CircleId, user: UserId) -> Result<Role> {
    let (key, member_key) = (key(circle), member_key(circle, user));
    let mut found = app.table.get_together(&[key.clone(), member_key.clone()]).await?;
    found.take::<Circle>(&key)?.filter(Circle::is_alive).ok_or(NO_CIRCLE)?;
    let member = found.take::<Member>(&member_key)?.filter(Member::is_in);
    let role = member.ok_or(Error::Forbidden(REFUSED.into()))?.role;
    app.memory.of::<RoleCache>().0.insert((user, circle), (app.now(), role));
    Ok(role)
}

/// Runs `work` through [`Once::run`] if the caller's role in a circle has a permission. Removes an outdated role from
/// the cache.
///
/// # Errors
/// Fails as [`require`] and [`Once::run`] do.
pub(super) async fn run<T, W>(
    app: &App,
    caller: UserId,
    circle: CircleId,
    permission: Permission,
    once: &Once,
    work: impl Fn(Granted) -> W,
) -> Result<T>
where
    T: Serialize + DeserializeOwned,
    W: Future<Output = Result<(Vec<Write>, T)>>,
{
    let work = async || work(require(app, circle, caller, permission).await?).await;
    let done = once.run(app, caller, work).await;
    if matches!(done, Err(Error::Forbidden(_))) {
        invalidate(app, caller, circle);
    }
    done
}

/// Removes a user's role in a circle from the cache.
pub(super) fn invalidate(app: &App, user: UserId, circle: CircleId) {
    app.memory.of::<RoleCache>().0.invalidate(&(user, circle));
}

impl Granted {
    /// Returns the check that fails the transaction with [`Error::Forbidden`] if the role changed after it was read.
    pub(super) fn check_role_write(self) -> Write {
        let Self { circle, user, role } = self;
        let check = Write::check(member_key(circle, user)).equals("role", role).lacks("leftAt");
        check.or(Error::Forbidden(REFUSED.into())).into()
    }

    /// Returns the write that sets the member's role. The write fails with [`Error::Forbidden`] if the role changed
    /// after it was read.
    pub(super) fn role_write(self, role: Role) -> Write {
        let Self { circle, user, role: before } = self;
        let write = Write::update(member_key(circle, user)).set("role", role).equals("role", before);
        write.lacks("leftAt").or(Error::Forbidden(REFUSED.into()))
    }

    /// Commits `writes`, unless the member's role has changed.
    ///
    /// # Errors
    /// Fails with [`Error::Forbidden`] if the role changed after it was read.
    pub(super) async fn commit(self, app: &App, mut writes: Vec<Write>) -> Result<()> {
        writes.push(self.check_role_write());
        let done = app.table.transact(writes).await;
        if matches!(done, Err(Error::Forbidden(_))) {
            invalidate(app, self.user, self.circle);
        }
        done
    }

    pub(super) fn user(self) -> UserId {
        self.user
    }

    pub(super) fn role(self) -> Role {
        self.role
    }
}

impl RoleCache {
    fn fresh(&self, user: UserId, circle: CircleId, now: Time) -> Option<Role> {
        let (read_at, role) = self.0.get(&(user, circle))?;
        (now < read_at.plus_seconds(FRESH_SECONDS)).then_some(role)
    }
}

impl Default for RoleCache {
    fn default() -> Self {
        Self(Cache::new(MEMBERSHIPS_MAX))
    }
}
