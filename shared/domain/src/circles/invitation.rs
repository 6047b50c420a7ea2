//! Inviting, and accepting that.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    page::{Cursor, Page},
    table::{Index, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    Circle, CircleName, JoinStatus, Permission, Source, circle, permissions,
    standing::{JoinContext, MEANWHILE},
};
use crate::{
    ids::{CircleId, Position, UserId},
    ledger::action_log::{Action, ActionType},
    people::{relationships, unique, users::Username},
};

const TRIES: usize = 16;
const GONE: Error = Error::NotFound("invitation");
const INVITED: &str = "is invited already";

/// Whom to invite.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct InvitationDraft {
    /// Their username.
    pub username: Username,
}

/// That somebody was asked to come in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// Where.
    pub circle: CircleId,
    /// Whom.
    pub user: UserId,
    /// By whom.
    pub invited_by_id: UserId,
    /// What the circle was called then.
    pub circle_name: CircleName,
    /// What became of it.
    pub status: JoinStatus,
    /// Where it stands in their list.
    pub position: Position,
    /// When.
    pub created_at: Time,
}

/// An invitation, as it is answered.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationView {
    /// Its place in the list, and its cursor.
    pub public_id: Position,
    /// The circle.
    pub circle_id: CircleId,
    /// What it was called then.
    pub circle_name: CircleName,
    /// Who was invited.
    pub user_id: UserId,
    /// Who invited them.
    pub invited_by_id: UserId,
    /// What became of it.
    pub status: JoinStatus,
    /// When.
    pub created_at: Time,
}

/// Invites somebody. 4 calls, or 3 within 30 seconds of another: 8 RRU, 11 WRU.
///
/// # Errors
/// [`Error::NotFound`] for no such circle or user; [`Error::Forbidden`] without `ACCEPT_USE_JOIN`, and where
/// a block stands; [`Error::Invalid`] for oneself, a member, and who is invited or asked already.
pub async fn invite(
    app: &App,
    caller: UserId,
    circle: CircleId,
    draft: InvitationDraft,
    once: &Once,
) -> Result<InvitationView> {
    let done = once.run(app, caller, invitation(app, caller, circle, draft)).await;
    if matches!(done, Err(Error::Forbidden(_))) {
        permissions::forget(app, caller, circle);
    }
    done
}

async fn invitation(
    app: &App,
    caller: UserId,
    circle: CircleId,
    draft: InvitationDraft,
) -> Result<(Vec<Write>, InvitationView)> {
    let granted = permissions::require(app, circle, caller, Permission::AcceptUseJoin).await?;
    let user = unique::user_named(app, &draft.username).await?;
    let standing = JoinContext::of(app, circle, user).await?;
    standing.may_be_invited()?;
    let invitation = Invitation::new(app, &standing.circle, user, caller);
    let sent = Action {
        metadata: Some(json!({ "circleId": circle })),
        ..Action::on_user(caller, ActionType::InviteSent, user, app.now())
    };
    let again = Error::invalid("username", INVITED);
    let inviting = Write::put(&invitation).differs("status", JoinStatus::Pending).or(again);
    let writes = vec![
        inviting,
        granted.still(),
        Circle::living(circle),
        relationships::check_unblocked_write(caller, user),
        sent.log_write(),
    ];
    Ok((writes, invitation.view()))
}

/// Comes in by an invitation. 2 calls, and 1 event when the circle rises a level: 5 RRU, 16 WRU.
///
/// # Errors
/// [`Error::NotFound`] for no such circle, and without an invitation that waits; [`Error::Invalid`] for a
/// circle that is full.
pub async fn accept(app: &App, user: UserId, circle: CircleId) -> Result<InvitationView> {
    for _ in 0..TRIES {
        let standing = JoinContext::of(app, circle, user).await?;
        let invitation = standing.invitation.as_ref().ok_or(GONE)?;
        if !invitation.is_pending() {
            return standing.republish(app).await.and(Err(GONE));
        }
        let accepted = Invitation { status: JoinStatus::Accepted, ..invitation.clone() };
        let (entering, changed) = standing.enter(app, Source::Invitation)?;
        let log = Action::on_circle(user, ActionType::InviteAccepted, circle, app.now()).log_write();
        let writes = [accepted.answering(), log].into_iter().chain(entering).collect();
        match app.table.transact(writes).await {
            Err(Error::Conflict(_)) => continue,
            done => done?,
        }
        if let Some(changed) = changed {
            changed.publish(app).await?;
        }
        return Ok(accepted.view());
    }
    Err(Error::internal(anyhow::anyhow!("a circle kept changing while somebody came in")))
}

/// Invitations that wait for somebody's answer, the newest first. 1 call, 0.5 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn invitations(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<InvitationView>> {
    let query = Query::index(Index::Gsi1, format!("INVITED#{user}")).newest_first().before(cursor.after);
    let rows: Vec<Invitation> = app.table.query(&query.limit(cursor.take.rows() + 1)).await?;
    Ok(Page::cut(rows, cursor.take, |it| it.position.to_string()).map(|it| it.view()))
}

impl JoinContext {
    fn may_be_invited(&self) -> Result<()> {
        let refuse = |why| Err(Error::invalid("username", why));
        match () {
            () if self.is_in() => refuse("is in this circle already"),
            () if self.is_invited() => refuse(INVITED),
            () if self.asks() => refuse("has asked to join: accept that"),
            () => Ok(()),
        }
    }
}

impl Invitation {
    fn new(app: &App, circle: &Circle, user: UserId, invited_by_id: UserId) -> Self {
        let now = app.now();
        Self {
            circle: circle.id,
            user,
            invited_by_id,
            circle_name: circle.name.clone(),
            status: JoinStatus::Pending,
            position: app.ids.next(now),
            created_at: now,
        }
    }

    /// Whether it waits for an answer.
    pub fn is_pending(&self) -> bool {
        self.status == JoinStatus::Pending
    }

    /// That it is answered as it now says; refused unless it waits.
    fn answering(&self) -> Write {
        let write = Write::reindex(self).set("status", self.status).equals("position", self.position);
        write.equals("status", JoinStatus::Pending).or(MEANWHILE)
    }

    /// As clients see it.
    pub fn view(&self) -> InvitationView {
        InvitationView {
            public_id: self.position,
            circle_id: self.circle,
            circle_name: self.circle_name.clone(),
            user_id: self.user,
            invited_by_id: self.invited_by_id,
            status: self.status,
            created_at: self.created_at,
        }
    }
}

pub(super) fn key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::pk(circle), format!("INVITE#{user}"))
}

/// `CIRCLE#id / INVITE#u`, while it waits gsi1 `INVITED#u` / position
impl Row for Invitation {
    fn key(&self) -> Key {
        key(self.circle, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        if !self.is_pending() {
            return Vec::new();
        }
        vec![(Index::Gsi1, Key::new(format!("INVITED#{}", self.user), self.position.to_string()))]
    }
}
