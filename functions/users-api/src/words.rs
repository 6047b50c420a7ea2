//! `/me/muted-words`: words that hide posts from the caller.

use axum::extract::State;
use domain::people::mutes::{self, MutedWord, UnmuteRequest, WordMuted, WordRequest};
use platform::App;
use runtime::{Caller, Envelope, Input, List, ListEnvelope, Reply, Respond, RespondList};

/// List the caller's muted words
///
/// Returns at most 200 words on one page, newest first.
#[utoipa::path(get, path = "/me/muted-words", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200, body = ListEnvelope<MutedWord>)))]
pub(crate) async fn list_muted_words(State(app): State<App>, caller: Caller) -> RespondList<MutedWord> {
    Ok(List(mutes::words(&app, caller.id).await?))
}

/// Mute a word or a phrase
///
/// Posts by other users that contain the word are omitted from the caller's feeds, replies, quotes and searches.
/// Reposts and quotes of such posts are also omitted. The caller gets no notifications about omitted posts. As in a
/// search, only whole words match, and case and accents are ignored. So `da lat` mutes `Đà Lạt`, and `ma` also mutes
/// `má`. In scripts without spaces between words, any part of a text matches. Emojis and symbols match as written, so
/// `C++` does not mute `vitamin C`. Repeating the request changes only `expiresAt` and `scope`. A user can mute at most
/// 200 words. Muting one more returns 400.
#[utoipa::path(post, path = "/me/muted-words", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), request_body(content = WordRequest, example = json!({"word": "spoiler"})),
    responses((status = 200, body = Envelope<WordMuted>)))]
pub(crate) async fn mute_word(
    State(app): State<App>,
    caller: Caller,
    Input { body: request, once }: Input<WordRequest>,
) -> Respond<WordMuted> {
    Ok(Reply::ok(mutes::mute_word(&app, caller.id, request, &once).await?))
}

/// Unmute a word or a phrase
///
/// Case and diacritics are ignored. Returns 404 if the word or phrase is not muted.
#[utoipa::path(delete, path = "/me/muted-words", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), request_body(content = UnmuteRequest, example = json!({"word": "spoiler"})),
    responses((status = 200, body = Envelope<WordMuted>),
        (status = 404, description = "`NOT_FOUND`: the word or phrase is not muted")))]
pub(crate) async fn unmute_word(
    State(app): State<App>,
    caller: Caller,
    Input { body: request, once }: Input<UnmuteRequest>,
) -> Respond<WordMuted> {
    Ok(Reply::ok(mutes::unmute_word(&app, caller.id, request, &once).await?))
}
