//! What is written in a circle, and what judges say of it.

use axum::extract::State;
use domain::{
    circles::posts::{self, Applied, CirclePostDraft, CirclePostQuery, CirclePostView, ExternalVerdict},
    ids::CircleId,
};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Create, Envelope, List, ListEnvelope, Path, Query, Raw, Reply, Respond, RespondList},
};

/// Write in a circle
///
/// Members only. It is kept at once and judged afterwards: see `judge-status`. With `parentId` it is a comment.
/// At most 5 within any hour in a circle; the sixth is a 429 whose `retry-after` says when the next is taken.
/// 403 for 48 hours after a sacrifice, with the end in the message. What has fewer than 10 characters, no words,
/// or 3 or more links is worth nothing.
///
/// A score gives or takes: 9 and 10: 5 HP and 10 EXP; 7 and 8: 3 and 6; 5 and 6: 1 and 2; 3 and 4 nothing; 1 and
/// 2: 1 HP less; 0: 3 HP less; decimals are cut off.
#[utoipa::path(post, path = "/circles/{publicId}/posts", tag = "circles",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])),
    params(("publicId" = CircleId, Path,)),
    request_body(content = CirclePostDraft,
        example = json!({"content": "I read it twice, because the first time I was sure that she was wrong."})),
    responses((status = 202, body = Envelope<CirclePostView>)))]
pub(crate) async fn create_circle_post(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    draft: Create<CirclePostDraft>,
) -> Respond<CirclePostView> {
    Ok(Reply::accepted(posts::create(&app, caller.id, circle, draft.body, &draft.once).await?))
}

/// List what was written in a circle
///
/// The posts that begin threads, or with `parentId` the comments on one: the newest first, or with
/// `sort=quality` the best, those that wait for the judge last.
#[utoipa::path(get, path = "/circles/{publicId}/posts", tag = "circles",
    extensions(("x-status" = json!("proposed"))), params(("publicId" = CircleId, Path,), CirclePostQuery),
    responses((status = 200, body = ListEnvelope<CirclePostView>)))]
pub(crate) async fn list_circle_posts(
    State(app): State<App>,
    Path(circle): Path<CircleId>,
    Query(query): Query<CirclePostQuery>,
) -> RespondList<CirclePostView> {
    Ok(List(posts::list(&app, circle, query).await?))
}

/// Hear the verdict of a judge elsewhere
///
/// The header `x-internal-signature` is `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `t.body` with
/// `INTERNAL_SECRET`, at most 300 seconds old. The first verdict on a post counts, whoever gives it.
#[utoipa::path(post, path = "/internal/judge-complete", tag = "circles",
    extensions(("x-status" = json!("proposed"))),
    params(("x-internal-signature" = String, Header, description = "`t=1767225600,v1=5257a869…`")),
    request_body(content = ExternalVerdict, example = json!({
        "postId": "01KGB5T9G0A1B2C3D4E5F6G7H8", "score": 7.5, "category": "deep_talk",
        "reason": "It asks what nobody had asked.", "flags": []
    })),
    responses(
        (status = 200, body = Envelope<Applied>),
        (status = 401, description = "the signature is missing, wrong or old"),
        (status = 404, description = "no such post of a circle")))]
pub(crate) async fn apply_verdict(State(app): State<App>, Raw { headers, body }: Raw) -> Respond<Applied> {
    Ok(Reply::ok(posts::receive(&app, &headers, &body).await?))
}
