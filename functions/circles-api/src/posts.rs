//! Posts in a circle, and verdicts from an external judge.

use axum::extract::State;
use domain::{
    CircleId,
    circles::posts::{self, Applied, CirclePostDraft, CirclePostQuery, CirclePostView, ExternalVerdict},
};
use platform::App;
use runtime::{Caller, Envelope, Input, List, ListEnvelope, Path, Query, Raw, Reply, Respond, RespondList};

/// Write a post or a comment in a circle
///
/// Members only. The post is stored immediately and judged later. `GET /posts/{publicId}/judge-status` returns the
/// result. A post with `parentId` is a comment. A user can write 5 posts an hour in a circle. Writing one more returns
/// 429, with the waiting time in `retry-after`. For 48 hours after the caller gave karma to the circle, posts and
/// comments return 403. The error message says when that time ends. Starting a CPR stays allowed. A text gets score 0 if
/// it has fewer than 10 characters, no words, or at least 3 links.
///
/// The score, rounded down, changes the circle's HP and EXP:
///
/// - 9 or 10: adds 5 HP and 10 EXP
/// - 7 or 8: adds 3 HP and 6 EXP
/// - 5 or 6: adds 1 HP and 2 EXP
/// - 3 or 4: changes nothing
/// - 1 or 2: removes 1 HP
/// - 0: removes 3 HP
///
/// If the circle was rewarded for the same text within the last hour, the post has no effect. It also does not count
/// for a CPR or a quest.
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
    draft: Input<CirclePostDraft>,
) -> Respond<CirclePostView> {
    Ok(Reply::accepted(posts::create(&app, caller.id, circle, draft.body, &draft.once).await?))
}

/// List the posts of a circle
///
/// Without `parentId`, returns the posts that start threads. With `parentId`, returns the comments on that post. The
/// order is newest first. With `sort=quality`, the best posts come first, and posts that have not been judged yet come
/// last. In this order, a `cursor` whose post no longer exists returns 400, because its position is unknown. With a
/// token, omits a post if a block exists between its author and the caller.
#[utoipa::path(get, path = "/circles/{publicId}/posts", tag = "circles",
    extensions(("x-status" = json!("proposed"))), security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = CircleId, Path,), CirclePostQuery),
    responses((status = 200, body = ListEnvelope<CirclePostView>)))]
pub(crate) async fn list_circle_posts(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(circle): Path<CircleId>,
    Query(query): Query<CirclePostQuery>,
) -> RespondList<CirclePostView> {
    Ok(List(posts::list(&app, caller.map(|caller| caller.id), circle, query).await?))
}

/// Apply the verdict of an external judge
///
/// The header `x-internal-signature` is `t=<unix seconds>,v1=<hex>`. `v1` is the HMAC-SHA256 of `t.body` with
/// `INTERNAL_SECRET`. A signature is valid for 300 seconds. Only the first verdict on a text counts. Further verdicts
/// return `applied: false`. After an edit of a judged post, one more verdict counts, and can only lower the score.
///
/// With the setting `JUDGE=external`, the webhook event `circle-post.created` announces each new or edited post that
/// the judge must read. A post waits for its verdict until an hour after its creation. Then the embedded judge decides.
/// Texts that always get score 0 are not announced.
#[utoipa::path(post, path = "/internal/judge-complete", tag = "circles",
    extensions(("x-status" = json!("proposed"))),
    params(("x-internal-signature" = String, Header, description = "`t=1767225600,v1=5257a869…`")),
    request_body(content = ExternalVerdict, example = json!({
        "postId": "01KGB5T9G0A1B2C3D4E5F6G7H8", "score": 7.5, "category": "deep_talk",
        "reason": "It asks a question that no one had asked.", "flags": []
    })),
    responses(
        (status = 200, body = Envelope<Applied>),
        (status = 401, description = "`UNAUTHORIZED`: the signature is missing, invalid or expired"),
        (status = 404, description = "`NOT_FOUND`: the circle post does not exist")))]
pub(crate) async fn apply_verdict(State(app): State<App>, Raw { headers, body }: Raw) -> Respond<Applied> {
    Ok(Reply::ok(posts::receive(&app, &headers, &body).await?))
}
