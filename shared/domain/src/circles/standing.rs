//! How somebody stands to a circle, and the one way in.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
};

use super::{
    Change, Changed, Circle, Energy, Invitation, JoinRequest, Member, NO_CIRCLE, Role, Source, energy_key,
    invitation, join_request, key, member_key,
};
use crate::ids::{CircleId, UserId};

/// Members that a circle can have.
const MEMBERS_MAX: i64 = 1000;
const FULL: &str = "this circle has as many members as it can";
/// What was read is no longer so: read it again.
pub(super) const MEANWHILE: Error = Error::Conflict("this was changed meanwhile");

/// A living circle, and all that ties somebody to it.
pub(super) struct JoinContext {
    pub(super) circle: Circle,
    pub(super) energy: Energy,
    pub(super) user: UserId,
    pub(super) member: Option<Member>,
    pub(super) request: Option<JoinRequest>,
    pub(super) invitation: Option<Invitation>,
}

impl JoinContext {
    /// 1 call, 5 RRU.
    ///
    /// # Errors
    /// [`Error::NotFound`] for no such circle, or one that died.
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
            circle: found.take::<Circle>(&circle)?.filter(Circle::lives).ok_or(NO_CIRCLE)?,
            energy: found.take(&energy)?.ok_or(NO_CIRCLE)?,
            user,
            member: found.take(&member)?,
            request: found.take(&request)?,
            invitation: found.take(&invitation)?,
        })
    }

    /// Whether they are in it.
    pub(super) fn is_in(&self) -> bool {
        self.member.as_ref().is_some_and(Member::is_in)
    }

    /// Whether they wait to be let in.
    pub(super) fn asks(&self) -> bool {
        self.request.as_ref().is_some_and(JoinRequest::is_pending)
    }

    /// Whether they were invited, and have not answered.
    pub(super) fn is_invited(&self) -> bool {
        self.invitation.as_ref().is_some_and(Invitation::is_pending)
    }

    /// Tells again, to members, how the circle is doing: what somebody's coming did to it may be written and
    /// not published, because the work ended between.
    pub(super) async fn republish(&self, app: &App) -> Result<()> {
        match self.is_in() {
            true => self.energy.publish(app, self.energy.condition()).await,
            false => Ok(()),
        }
    }

    /// The steps of coming in now, and what it does to the circle: EXP for the first time. 4 steps;
    /// 2 for who was in it before. Refused with [`MEANWHILE`], or as [`Changed::steps`].
    ///
    /// # Errors
    /// [`Error::Invalid`] for a member, and for a circle that is full.
    pub(super) fn enter(&self, app: &App, source: Source) -> Result<(Vec<Write>, Option<Changed>)> {
        if self.is_in() {
            return Err(Error::Invalid("this user is in the circle already".into()));
        }
        if self.circle.members_count >= MEMBERS_MAX {
            return Err(Error::Invalid(FULL.into()));
        }
        let now = app.now();
        let member = Member::new(self.circle.id, self.user, Role::Member, source, now);
        let counted = self.circle.counting(1).below_or_lacks("membersCount", MEMBERS_MAX);
        let Some(before) = &self.member else {
            let changed = self.energy.changed(&Change::join(self.user, app.ids.next(now)), now)?;
            let mut steps = vec![Write::create(&member).or(MEANWHILE), counted.or(MEANWHILE)];
            steps.extend(changed.steps());
            return Ok((steps, Some(changed)));
        };
        Ok((vec![member.returning(before), counted.or(MEANWHILE)], None))
    }
}

impl Circle {
    /// So many members more, while it lives.
    pub(super) fn counting(&self, by: i64) -> Write {
        Write::update(key(self.id)).add("membersCount", by).exists().lacks("deletedAt")
    }

    /// For a transaction: nothing is done once it died.
    pub(super) fn living(id: CircleId) -> Write {
        Self::alive(Write::check(key(id)))
    }

    /// The write, only while the circle lives.
    pub(super) fn alive(write: Write) -> Write {
        write.exists().lacks("deletedAt").or(NO_CIRCLE)
    }
}

impl Member {
    /// Somebody who left comes in again; what restricts them still does.
    fn returning(&self, before: &Member) -> Write {
        let write = Write::reindex(self).set("role", self.role).set("source", self.source);
        let write = write.set("joinedAt", self.joined_at).remove("leftAt");
        write.equals("leftAt", before.left_at).or(MEANWHILE)
    }
}
