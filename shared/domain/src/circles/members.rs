//! Who is in a circle, and giving them their roles.

use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, Page},
    table::{Index, Query, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Circle, Member, Permission, Role, find, key, member_key,
    permissions::{self, Granted},
    standing::MEANWHILE,
};
use crate::{
    ids::{CircleId, UserId},
    people::{
        unique,
        users::{self, User, UserCard, Username},
    },
};

const TRIES: usize = 4;
const NO_MEMBER: Error = Error::NotFound("member");

/// A member of a circle.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberView {
    /// Who.
    #[serde(flatten)]
    pub user: UserCard,
    /// What they are there.
    pub role: Role,
    /// Since when.
    pub joined_at: Time,
}

/// A role for somebody.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Appointment {
    /// Their username.
    pub username: Username,
    /// What they become. Whoever makes another `OWNER` becomes `ADMIN`.
    pub role: Role,
}

/// Members of a circle, by when they came to the network. 3 calls: 1 RRU, 0.5 for each of them and for each
/// 4 KB of memberships.
///
/// # Errors
/// [`Error::NotFound`] for no such circle, or one that died.
pub async fn members(app: &App, circle: CircleId, cursor: Cursor<UserId>) -> Result<Page<MemberView>> {
    let query = Query::index(Index::Gsi2, format!("MEMBERS#{circle}")).after(cursor.after);
    let query = query.limit(cursor.take.rows() + 1);
    let (_, rows) = futures::try_join!(find(app, circle), app.table.query::<Member>(&query))?;
    let Page { rows, after } = Page::cut(rows, cursor.take, |it| it.user.public().to_string());
    let people: Vec<_> = rows.iter().map(|it| it.user).collect();
    let mut cards = users::cards(app, &people).await?;
    let rows = rows.iter().filter_map(|it| Some(it.view(cards.remove(&it.user)?)));
    Ok(Page { rows: rows.collect(), after })
}

/// Gives a member a role. 4 calls, 3 within 30 seconds of another: 5 RRU, 6 WRU; 10 to hand the circle over.
///
/// # Errors
/// [`Error::NotFound`] for no such circle or user, and for who is not in it; [`Error::Forbidden`] for who is not
/// its owner; [`Error::Invalid`] for oneself.
pub async fn appoint(app: &App, caller: UserId, circle: CircleId, wish: Appointment) -> Result<MemberView> {
    let granted = permissions::require(app, circle, caller, Permission::ChangeRoles).await?;
    let user = unique::user_named(app, &wish.username).await?;
    if user == caller {
        return Err(Error::invalid("username", "must not be your own"));
    }
    for _ in 0..TRIES {
        let (member, card) = member(app, circle, user).await?;
        let mut writes = vec![member.becoming(wish.role).or(MEANWHILE)];
        match wish.role {
            Role::Owner => writes.extend(handing_over(granted, &member)),
            _ => writes.push(granted.still()),
        }
        let done = app.table.transact(writes).await;
        permissions::forget(app, caller, circle);
        permissions::forget(app, user, circle);
        match done {
            Err(Error::Conflict(_)) => continue,
            done => return done.map(|()| Member { role: wish.role, ..member }.view(card)),
        }
    }
    Err(Error::internal(anyhow::anyhow!("a member kept changing while they were given a role")))
}

/// Somebody who is in a circle. 1 call, 2 RRU.
async fn member(app: &App, circle: CircleId, user: UserId) -> Result<(Member, UserCard)> {
    let (key, user_key) = (member_key(circle, user), users::key(user));
    let mut found = app.table.get_together(&[key.clone(), user_key.clone()]).await?;
    let member = found.take::<Member>(&key)?.filter(Member::is_in).ok_or(NO_MEMBER)?;
    let user: User = found.take(&user_key)?.ok_or(NO_MEMBER)?;
    Ok((member, user.card()))
}

/// The circle is the other's, and the owner an administrator of it.
fn handing_over(granted: Granted, to: &Member) -> [Write; 2] {
    let circle = Write::update(key(to.circle)).set("ownerId", to.user);
    [granted.becoming(Role::Admin), Circle::alive(circle)]
}

impl Member {
    fn becoming(&self, role: Role) -> Write {
        let write = Write::update(member_key(self.circle, self.user)).set("role", role);
        write.equals("role", self.role).equals("joinedAt", self.joined_at).lacks("leftAt")
    }

    fn view(&self, user: UserCard) -> MemberView {
        MemberView { user, role: self.role, joined_at: self.joined_at }
    }
}
