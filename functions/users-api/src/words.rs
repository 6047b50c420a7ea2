//! `/me/muted-words`.

use axum::extract::State;
use domain::people::mutes::{self, MutedWord, WordMuted, WordRequest};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Body, Envelope, List, ListEnvelope, Reply, Respond, RespondList},
};

/// List the caller's muted words
///
/// Newest first, on one page (at most 200).
#[utoipa::path(get, path = "/me/muted-words", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200, body = ListEnvelope<MutedWord>)))]
pub(crate) async fn list_muted_words(State(app): State<App>, caller: Caller) -> RespondList<MutedWord> {
    Ok(List(mutes::words(&app, caller.id).await?))
}

/// Mute a word or a phrase
///
/// The caller's feeds, replies, quotes and searches omit other users' posts that contain it. Reposts and quotes of such
/// posts are omitted too. The caller gets no notifications about them. Matching is by whole words, as in a search, and
/// ignores case and diacritics. So `da lat` mutes `Đà Lạt`, and `ma` also mutes `má`. Hashtags are included. Repeating
/// has no effect. A user can mute at most 200 words. Another one returns 400.
#[utoipa::path(post, path = "/me/muted-words", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), request_body(content = WordRequest, example = json!({"word": "spoiler"})),
    responses((status = 200, body = Envelope<WordMuted>)))]
pub(crate) async fn mute_word(
    State(app): State<App>,
    caller: Caller,
    Body(request): Body<WordRequest>,
) -> Respond<WordMuted> {
    Ok(Reply::ok(mutes::mute_word(&app, caller.id, request).await?))
}

/// Unmute a word or a phrase
///
/// Case and diacritics are ignored. Repeating has no effect.
#[utoipa::path(delete, path = "/me/muted-words", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), request_body(content = WordRequest, example = json!({"word": "spoiler"})),
    responses((status = 200, body = Envelope<WordMuted>)))]
pub(crate) async fn unmute_word(
    State(app): State<App>,
    caller: Caller,
    Body(request): Body<WordRequest>,
) -> Respond<WordMuted> {
    Ok(Reply::ok(mutes::unmute_word(&app, caller.id, request).await?))
}
