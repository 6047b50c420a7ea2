//! Answering who asked to be let in.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{
    JoinRequest, JoinRequestView, JoinStatus, Permission, Source,
    permissions::{self, Granted},
    standing::JoinContext,
};
use crate::{
    ids::{CircleId, UserId},
    ledger::action_log::{Action, ActionType},
};

/// Somebody may come in while others do, and while posts are judged.
const TRIES: usize = 16;
const ANSWERED: Error = Error::Invalid(std::borrow::Cow::Borrowed("this request is not pending"));

platform::any_case_words! {
    /// What to answer.
    InvitationAnswer {
        /// They come in.
        Accept = "ACCEPT",
        /// They do not.
        Reject = "REJECT",
    }
}

/// An answer to who asked to be let in. A request goes by the id of who asks, in either form.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JoinRequestAnswer)]
pub struct Response {
    /// Which request; or `userId`.
    request_id: Option<UserId>,
    /// Whose request; or `requestId`.
    user_id: Option<UserId>,
    /// What to answer.
    action: InvitationAnswer,
}

/// Lets somebody in, or does not. 3 calls, 2 within 30 seconds of another, and 1 event when the circle
/// rises a level: 7 RRU; 18 WRU, or 5 to reject.
///
/// # Errors
/// [`Error::NotFound`] for no such circle or request; [`Error::Forbidden`] without `ACCEPT_USE_JOIN`;
/// [`Error::Invalid`] when the request is not pending, and for a circle that is full.
pub async fn respond(app: &App, caller: UserId, circle: CircleId, wish: Response) -> Result<JoinRequestView> {
    let asker = wish.asker()?;
    for _ in 0..TRIES {
        let granted = permissions::require(app, circle, caller, Permission::AcceptUseJoin).await?;
        let standing = JoinContext::of(app, circle, asker).await?;
        let request = standing.request.as_ref().ok_or(Error::NotFound("join request"))?;
        if !request.is_pending() {
            return standing.republish(app).await.and(Err(ANSWERED));
        }
        let done = match wish.action {
            InvitationAnswer::Accept => accept(app, granted, &standing, request).await,
            InvitationAnswer::Reject => reject(app, granted, request).await,
        };
        match done {
            Err(Error::Conflict(_)) => continue,
            Err(Error::Forbidden(why)) => {
                permissions::forget(app, caller, circle);
                return Err(Error::Forbidden(why));
            }
            done => return done,
        }
    }
    Err(Error::internal(anyhow::anyhow!("a circle kept changing while somebody came in")))
}

impl Response {
    fn asker(&self) -> Result<UserId> {
        match (self.request_id, self.user_id) {
            (Some(one), Some(other)) if one != other => {
                Err(Error::invalid("userId", "must be who made the request"))
            }
            (one, other) => one.or(other).ok_or(Error::invalid("requestId", "or userId is required")),
        }
    }
}

async fn accept(
    app: &App,
    granted: Granted,
    standing: &JoinContext,
    request: &JoinRequest,
) -> Result<JoinRequestView> {
    let answered = request.answered(app, granted.user(), JoinStatus::Accepted);
    let (entering, changed) = standing.enter(app, Source::JoinRequest)?;
    let mut writes = vec![answered.answering(), granted.still(), joined(app, &answered, granted).log()];
    writes.extend(entering);
    app.table.transact(writes).await?;
    if let Some(changed) = changed {
        changed.publish(app).await?;
    }
    Ok(answered.view())
}

fn joined(app: &App, request: &JoinRequest, granted: Granted) -> Action {
    let metadata = json!({ "approvedById": granted.user(), "source": Source::JoinRequest });
    Action {
        metadata: Some(metadata),
        ..Action::on_circle(request.user, ActionType::JoinCircle, request.circle, app.now())
    }
}

async fn reject(app: &App, granted: Granted, request: &JoinRequest) -> Result<JoinRequestView> {
    let answered = request.answered(app, granted.user(), JoinStatus::Rejected);
    let writes: Vec<Write> = vec![answered.answering(), granted.still()];
    app.table.transact(writes).await.map(|()| answered.view())
}
