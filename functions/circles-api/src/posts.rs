//! The posts of a circle, and the verdicts of an external judge.

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
/// Members only. The post is stored at once and judged afterwards: see `judge-status`. With `parentId` it is a
/// comment. A user writes at most 5 posts within any hour in a circle; the sixth is a 429 whose `retry-after` says
/// when the next is possible. 403 for 48 hours after a sacrifice; the message names the end. A text with fewer
/// than 10 characters, without words, or with 3 or more links has score 0.
///
/// The score, without decimals, changes the circle's energy: 9 and 10 give 5 HP and 10 EXP; 7 and 8 give 3 HP and
/// 6 EXP; 5 and 6 give 1 HP and 2 EXP; 3 and 4 give nothing; 1 and 2 take 1 HP; 0 takes 3 HP. A text that the circle rewarded
/// within the hour gives nothing again, and counts for no CPR and no quest.
#[utoipa::path(post, path = "/circles/{publicId}/posts", tag = "circles",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["write:circles"])),
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

/// List the posts of a circle
///
/// The posts that begin threads, or with `parentId` the comments on one. The newest first; with `sort=quality` the
/// best first, and those that are not judged yet last. With a token, nobody is among them whom a block separates from the
/// caller.
#[utoipa::path(get, path = "/circles/{publicId}/posts", tag = "circles",
    extensions(("x-status" = json!("proposed"))), security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = CircleId, Path,), CirclePostQuery),
    responses((status = 200, body = ListEnvelope<CirclePostView>)))]
pub(crate) async fn list_circle_posts(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(circle): Path<CircleId>,
    Query(query): Query<CirclePostQuery>,
) -> RespondList<CirclePostView> {
    Ok(List(posts::list(&app, caller.map(|it| it.id), circle, query).await?))
}

/// Apply the verdict of an external judge
///
/// The header `x-internal-signature` is `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `t.body` with
/// `INTERNAL_SECRET`, at most 300 seconds old. Only the first verdict on a post counts.
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
