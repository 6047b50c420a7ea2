//! Invites users to a circle, and accepts and lists invitations.

use std::collections::HashSet;

use base::{CircleId, Position, UserId};
use ledger::action_log::{Action, ActionType};
use platform::{App, Cursor, Error, FillingPage, Index, Once, Page, Query, Result, Write};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{
    Circle, Invitation, InvitationView, JoinStatus, Permission, Source, invitation,
    join_context::JoinContext,
    key,
    permissions::{self, Granted},
};
use people::{UserRef, ViewContext, relationships, unique};

pub(super) const NO_INVITATION: Error = Error::NotFound("invitation");
const INVITED: &str = "is already invited to this circle";

/// A request to invite a user.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct InvitationDraft {
    /// The user to invite: a username or an ID.
    pub username: UserRef,
}

/// Invites a user to a circle.
///
/// # Errors
/// - [`Error::NotFound`] if the circle or the user does not exist.
/// - [`Error::Forbidden`] without the permission `ACCEPT_USE_JOIN`, or if a block exists between the caller and the
///   user.
/// - [`Error::Invalid`] if the user is a member, is banned, or has a pending invitation or join request.
pub async fn invite(
    app: &App,
    caller: UserId,
    circle: CircleId,
    draft: InvitationDraft,
    once: &Once,
) -> Result<InvitationView> {
    let work = async |granted| invite_writes(app, granted, circle, &draft).await;
    permissions::run(app, caller, circle, Permission::AcceptUseJoin, once, work).await
}

async fn invite_writes(
    app: &App,
    granted: Granted,
    circle: CircleId,
    draft: &InvitationDraft,
) -> Result<(Vec<Write>, InvitationView)> {
    let caller = granted.user();
    let user = unique::user_named(app, &draft.username).await?;
    let context = JoinContext::of(app, circle, user).await?;
    check_invitable(&context)?;
    let invitation = new_invitation(app, &context.circle, user, caller);
    let sent = Action {
        metadata: Some(json!({ "circleId": circle })),
        ..Action::on_user(caller, ActionType::InviteSent, user, app.now())
    };
    let invited = Error::invalid("username", INVITED);
    let writes = vec![
        Write::put(&invitation).differs("status", JoinStatus::Pending).or(invited),
        granted.check_role_write(),
        Circle::check_alive_write(circle),
        relationships::check_unblocked_write(caller, user),
        sent.log_write().then_publish(&invitation.invited_event()),
    ];
    Ok((writes, invitation.view()))
}

fn check_invitable(context: &JoinContext) -> Result<()> {
    let refuse = |why| Err(Error::invalid("username", why));
    match () {
        () if context.is_banned() => refuse("is banned from this circle"),
        () if context.is_member() => refuse("is already a member of this circle"),
        () if context.has_pending_invitation() => refuse(INVITED),
        () if context.has_pending_request() => {
            refuse("has already requested to join. Accept the request instead.")
        }
        () => Ok(()),
    }
}

fn new_invitation(app: &App, circle: &Circle, user: UserId, invited_by_id: UserId) -> Invitation {
    let now = app.now();
    Invitation {
        circle: circle.id,
        user,
        invited_by_id,
        circle_name: circle.name.clone(),
        status: JoinStatus::Pending,
        position: app.ids.next(now),
        created_at: now,
    }
}

/// Accepts an invitation and joins the circle.
///
/// # Errors
/// - [`Error::NotFound`] if the circle does not exist or the user has no pending invitation.
/// - [`Error::NotFound`] if a block exists between the user and the inviter.
/// - [`Error::Forbidden`] if the user is banned.
/// - [`Error::Invalid`] if the user is a member or the circle is full.
pub async fn accept(app: &App, user: UserId, circle: CircleId, once: &Once) -> Result<InvitationView> {
    once.run(app, user, async || {
        let context = JoinContext::of(app, circle, user).await?;
        let invitation = context.invitation.clone().filter(Invitation::is_pending).ok_or(NO_INVITATION)?;
        let (accepted, accept) = invitation.answer_write(JoinStatus::Accepted);
        let join = context.join_writes(app, Source::Invitation)?;
        let log = Action::on_circle(user, ActionType::InviteAccepted, circle, app.now()).log_write();
        let log = log.then_publish(&accepted.joined_event(app.now()));
        // A block that was created after the invitation makes the invitation invalid.
        let unblocked = relationships::check_unblocked_write(user, accepted.invited_by_id).or(NO_INVITATION);
        let writes = [accept, log, unblocked].into_iter().chain(join).collect();
        Ok((writes, accepted.view()))
    })
    .await
}

/// Returns a page of a user's pending invitations, newest first. Omits invitations to circles that are dead or deleted.
/// Also omits an invitation if a block exists between the user and the inviter.
pub async fn invitations(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<InvitationView>> {
    let mut page = FillingPage::new(cursor);
    while let Some(Cursor { take, after }) = page.to_read() {
        let query = Query::index(Index::Gsi1, invitation::pending_partition(user)).newest_first();
        let rows: Vec<Invitation> = app.table.query(&query.before(after).limit(take.rows() + 1)).await?;
        let (last, read) = (rows.last().map(|invitation| invitation.position), rows.len());
        page.add(acceptable(app, user, rows).await?, last, read);
    }
    Ok(page.page(|invitation| invitation.position.to_string()).map(|invitation| invitation.view()))
}

/// Returns the invitations that the user can accept.
async fn acceptable(app: &App, user: UserId, mut invitations: Vec<Invitation>) -> Result<Vec<Invitation>> {
    let inviters = invitations.iter().map(|invitation| invitation.invited_by_id).collect();
    let circles: Vec<_> = invitations.iter().map(|invitation| key(invitation.circle)).collect();
    let hidden = relationships::hidden_from(app, user, &inviters, ViewContext::Thread);
    let circles = app.table.batch_get_eventual::<Circle>(&circles);
    let (hidden, circles) = futures::try_join!(hidden, circles)?;
    let living: HashSet<_> =
        circles.iter().filter(|circle| circle.is_alive()).map(|circle| circle.id).collect();
    invitations.retain(|invitation| {
        living.contains(&invitation.circle) && !hidden.contains(&invitation.invited_by_id)
    });
    Ok(invitations)
}
