//! The rows that determine whether a user can join a circle, and the writes for joining.

use base::{CircleId, UserId};
use platform::{App, Error, Result, Write};

use super::{
    Change, Circle, Energy, Invitation, JoinRequest, Member, NO_CIRCLE, Role, Source, energy_key, invitation,
    join_request, key, member_key,
};

const MEMBERS_MAX: i64 = 1000;
const BANNED: &str = "this user is banned from this circle";
const FULL: &str = "this circle is full (at most 1000 members)";

/// A living circle, and a user's membership, join request and invitation in this circle.
pub(super) struct JoinContext {
    pub(super) circle: Circle,
    pub(super) energy: Energy,
    pub(super) user: UserId,
    pub(super) member: Option<Member>,
    pub(super) request: Option<JoinRequest>,
    pub(super) invitation: Option<Invitation>,
}

impl JoinContext {
    /// Reads the circle, its energy, and the user's membership, request and invitation.
    ///
    /// # Errors
    /// Fails with [`Error::NotFound`] if the circle does not exist or is dead.
    pub(super) async fn of(app: &App, circle: CircleId, user: UserId) -> Result<Self> {
        let keys = [
            key(circle),
            energy_key(circle),
            member_key(circle, user),
            join_request::key(circle, user),
            invitation::key(circle, user),
        ];
        let mut found = app.table.get_together(&keys).await?;
        let [circle, energy, member, request, invitation] = keys;
        Ok(Self {
            circle: found.take::<Circle>(&circle)?.filter(Circle::is_alive).ok_or(NO_CIRCLE)?,
            energy: found.take(&energy)?.ok_or(NO_CIRCLE)?,
            user,
            member: found.take(&member)?,
            request: found.take(&request)?,
            invitation: found.take(&invitation)?,
        })
    }

    pub(super) fn is_member(&self) -> bool {
        self.member.as_ref().is_some_and(Member::is_in)
    }

    /// Fails with [`Error::Forbidden`] if the user is banned.
    pub(super) fn check_unbanned(&self) -> Result<()> {
        match self.is_banned() {
            true => Err(Error::Forbidden(BANNED.into())),
            false => Ok(()),
        }
    }

    pub(super) fn is_banned(&self) -> bool {
        self.member.as_ref().is_some_and(Member::is_banned)
    }

    pub(super) fn has_pending_request(&self) -> bool {
        self.request.as_ref().is_some_and(JoinRequest::is_pending)
    }

    pub(super) fn has_pending_invitation(&self) -> bool {
        self.invitation.as_ref().is_some_and(Invitation::is_pending)
    }

    /// Returns the writes that make the user a member. The circle gains EXP if the user joins for the first time. The
    /// writes fail if a row changed after it was read.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the user is a member or the circle is full. Fails with [`Error::Forbidden`] if
    /// the user is banned.
    pub(super) fn join_writes(&self, app: &App, source: Source) -> Result<Vec<Write>> {
        self.check_unbanned()?;
        if self.is_member() {
            return Err(Error::Invalid("this user is already a member of this circle".into()));
        }
        if self.circle.members_count >= MEMBERS_MAX {
            return Err(Error::Invalid(FULL.into()));
        }
        let now = app.now();
        let member = Member::new(self.circle.id, self.user, Role::Member, source, now);
        let count = self.circle.count_write(1).below_or_lacks("membersCount", MEMBERS_MAX);
        if let Some(before) = &self.member {
            return Ok(vec![member.rejoin_write(before), count]);
        }
        let transition = Change::join(self.user, app.ids.next(now)).apply(&self.energy, now)?;
        let mut writes = vec![Write::create(&member), count];
        writes.extend(transition.energy_writes());
        Ok(writes)
    }
}
