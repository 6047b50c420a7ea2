//! Accepts and rejects join requests.

use base::{CircleId, UserId};
use ledger::action_log::{Action, ActionType};
use people::{UserRef, relationships, unique};
use platform::{App, Error, Once, Result, Write};
use serde::{Deserialize, Serialize};
use serde_json::json;
use strum::{EnumString, VariantNames};
use utoipa::ToSchema;

use super::{
    CircleJoined, JoinRequest, JoinRequestView, JoinStatus, Permission, Source,
    join_context::JoinContext,
    permissions::{self, Granted},
};

/// The answer to a join request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(ascii_case_insensitive, serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum JoinDecision {
    /// The user joins.
    Accept,
    /// The user does not join.
    Reject,
}

platform::deserialize_in_any_case!(JoinDecision);

/// An answer to a join request. The ID of a request is the public ID of the user who sent it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = JoinRequestAnswer)]
#[serde(rename_all = "camelCase")]
pub struct JoinResponse {
    /// The request's ID. Required unless `userId` is set.
    request_id: Option<UserRef>,
    /// The user who requested to join, by username or ID. Required unless `requestId` is set.
    user_id: Option<UserRef>,
    /// Whether to accept or reject the request.
    action: JoinDecision,
}

/// Accepts or rejects a join request.
///
/// # Errors
/// - [`Error::NotFound`] if the circle or the request does not exist.
/// - [`Error::Forbidden`] without the permission `ACCEPT_USE_JOIN`.
/// - [`Error::Forbidden`] if the caller accepts, but a block exists between the caller and the user.
/// - [`Error::Invalid`] if the request is not pending, or if the caller accepts, but the circle is full.
pub async fn respond(
    app: &App,
    caller: UserId,
    circle: CircleId,
    response: JoinResponse,
    once: &Once,
) -> Result<JoinRequestView> {
    let user = response.user(app).await?;
    permissions::run(app, caller, circle, Permission::AcceptUseJoin, once, async |granted| {
        let context = JoinContext::of(app, circle, user).await?;
        let request = context.request.as_ref().ok_or(Error::NotFound("join request"))?;
        if !request.is_pending() {
            return Err(Error::Invalid("this request is not pending".into()));
        }
        match response.action {
            JoinDecision::Accept => accept(app, granted, &context, request),
            JoinDecision::Reject => Ok(reject(app, granted, request)),
        }
    })
    .await
}

impl JoinResponse {
    /// Returns the user who requested to join.
    async fn user(&self, app: &App) -> Result<UserId> {
        match (&self.request_id, &self.user_id) {
            (Some(request), Some(user)) => {
                let user = unique::user_id(app, user).await?;
                let is_same = unique::user_id(app, request).await? == user;
                let message = "must be the user who sent the request with this requestId";
                is_same.then_some(user).ok_or(Error::invalid("userId", message))
            }
            (Some(user), None) | (None, Some(user)) => unique::user_id(app, user).await,
            (None, None) => Err(Error::invalid("requestId", "is required if userId is omitted")),
        }
    }
}

fn accept(
    app: &App,
    granted: Granted,
    context: &JoinContext,
    request: &JoinRequest,
) -> Result<(Vec<Write>, JoinRequestView)> {
    let accepted = request.answered(app, granted.user(), JoinStatus::Accepted);
    let join = context.join_writes(app, Source::JoinRequest)?;
    let (circle_id, user_id, created_at) = (accepted.circle, accepted.user, app.now());
    let joined = CircleJoined { circle_id, user_id, created_at };
    let log = join_action(app, &accepted, granted).log_write().then_publish(&joined);
    let unblocked = relationships::check_unblocked_write(granted.user(), user_id);
    let mut writes = vec![accepted.answer_write(), granted.check_role_write(), log, unblocked];
    writes.extend(join);
    Ok((writes, accepted.view()))
}

fn join_action(app: &App, request: &JoinRequest, granted: Granted) -> Action {
    let metadata = json!({ "approvedById": granted.user(), "source": Source::JoinRequest });
    Action {
        metadata: Some(metadata),
        ..Action::on_circle(request.user, ActionType::JoinCircle, request.circle, app.now())
    }
}

fn reject(app: &App, granted: Granted, request: &JoinRequest) -> (Vec<Write>, JoinRequestView) {
    let rejected = request.answered(app, granted.user(), JoinStatus::Rejected);
    (vec![rejected.answer_write(), granted.check_role_write()], rejected.view())
}
