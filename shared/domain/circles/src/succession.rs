//! Replaces the owner of a circle who leaves, deletes their account, or is banned from the service permanently.
//!
//! The transaction that removes the owner also makes the heir the owner. The heir is the longest-standing
//! administrator, or else the longest-standing member. Members whose accounts are active take precedence. A member who
//! is banned permanently cannot inherit. A circle without an heir is closed.

use std::collections::HashMap;

use base::{CircleId, UserId};
use people::{Status, User, users};
use platform::{App, Error, Index, Query, Result, Time, Write, outbox_record_write, retry_on_conflict};

use super::{
    Change, Circle, CircleInherited, Member, Role, energy, key,
    member::{members_partition, next_circle},
    member_key, permissions,
};

/// A member who can become the owner, with the member's account.
struct Heir {
    member: Member,
    account: User,
}

/// Returns the writes for a circle that a member leaves, except the write of the member's own row.
///
/// If the owner leaves, the writes appoint and notify the heir, or close the circle if there is no heir. The writes
/// fail if the circle changed after it was read. `log` is the write of the log entry.
pub(super) async fn departure_writes(
    app: &App,
    circle: &Circle,
    member: &Member,
    log: Write,
) -> Result<Vec<Write>> {
    if circle.owner_id != member.user && circle.members_count > 1 {
        return Ok(vec![circle.count_write(-1), log]);
    }
    let heir = if circle.members_count > 1 { heir(app, circle).await? } else { None };
    let Some(heir) = heir else {
        let writes = closing_writes(app, circle, circle.close_write(app.now())).await?;
        return Ok(writes.into_iter().chain([log]).collect());
    };
    let owner = circle.replace_owner_write(heir.account.id).add("membersCount", -1);
    Ok(heir.appointment_writes(app, log).into_iter().chain([owner]).collect())
}

/// Returns the writes that remove all HP of a circle, and `close`, which soft-deletes the circle.
async fn closing_writes(app: &App, circle: &Circle, close: Write) -> Result<Vec<Write>> {
    let (energy, now) = (energy::energy(app, circle.id).await?, app.now());
    let mut writes = Change::deletion(None, app.ids.next(now), &energy).apply(&energy, now)?.energy_writes();
    writes.push(close);
    Ok(writes)
}

/// Replaces the owner of the user's next circle, if the user owns it and is banned permanently. Returns the cursor of
/// the next page, if any.
///
/// The former owner becomes a member. Without an heir, the circle is closed.
pub async fn replace_banned_owner_page(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<Option<String>> {
    let Some((cursor, circle)) = next_circle(app, user, after).await? else { return Ok(None) };
    retry_on_conflict(async || replace_banned_owner(app, user, circle).await).await.map(|()| Some(cursor))
}

async fn replace_banned_owner(app: &App, user: UserId, id: CircleId) -> Result<()> {
    let keys = [key(id), member_key(id, user), users::key(user)];
    let mut found = app.table.get_together(&keys).await?;
    let [circle, member, account] = keys;
    let circle = found.take::<Circle>(&circle)?.filter(|circle| circle.is_alive() && circle.owner_id == user);
    let owner = found.take::<Member>(&member)?.filter(Member::is_in);
    let account = found.take::<User>(&account)?.filter(User::is_banned_for_good);
    let (Some(circle), Some(owner), Some(_)) = (circle, owner, account) else { return Ok(()) };
    permissions::invalidate(app, user, id);
    let mut writes = match heir(app, &circle).await? {
        None => closing_writes(app, &circle, circle.close_unchanged_write(app.now())).await?,
        Some(heir) => {
            let mut writes = heir.appointment_writes(app, outbox_record_write(app));
            writes.extend([circle.replace_owner_write(heir.account.id), owner.role_write(Role::Member)]);
            writes
        }
    };
    let banned = Write::check(users::key(user)).equals("status", Status::Banned).lacks("bannedUntil");
    writes.push(banned.into());
    app.table.transact(writes).await
}

/// Returns the heir of a circle's owner, or `None` if all other members are banned permanently.
///
/// # Errors
/// Fails with [`Error::WriteConflict`] if there is no heir, but the index does not yet contain all members.
async fn heir(app: &App, circle: &Circle) -> Result<Option<Heir>> {
    let members: Vec<Member> =
        app.table.query(&Query::index(Index::Gsi2, members_partition(circle.id))).await?;
    let count = members.len() as i64;
    let others: Vec<_> =
        members.iter().map(|member| member.user).filter(|user| *user != circle.owner_id).collect();
    let accounts = users::find_all(app, &others).await?;
    let mut accounts: HashMap<_, _> = accounts.into_iter().map(|account| (account.id, account)).collect();
    let heirs = members
        .into_iter()
        .filter_map(|member| Some(Heir { account: accounts.remove(&member.user)?, member }))
        .filter(|heir| !heir.account.is_banned_for_good());
    match heirs.min_by_key(Heir::precedence) {
        None if count < circle.members_count => Err(Error::WriteConflict),
        heir => Ok(heir),
    }
}

impl Heir {
    /// Returns the sort key of a possible heir. The possible heir with the lowest key becomes the owner.
    fn precedence(&self) -> (bool, bool, Time) {
        let account = &self.account;
        let is_member = self.member.role == Role::Member;
        (!account.is_active(), is_member, self.member.joined_at)
    }

    /// Returns the writes that make the heir an owner, and notify the heir. The writes fail if the membership or the
    /// account changed after it was read.
    fn appointment_writes(&self, app: &App, log: Write) -> Vec<Write> {
        let Self { member, account } = self;
        permissions::invalidate(app, account.id, member.circle);
        let inherited =
            CircleInherited { circle_id: member.circle, user_id: account.id, created_at: app.now() };
        let unchanged = Write::check(users::key(account.id)).equals("status", account.status);
        let unchanged = unchanged.is_still("bannedUntil", account.banned_until);
        vec![member.role_write(Role::Owner), unchanged.into(), log.then_publish(&inherited)]
    }
}
