//! `/me/muted-words`.

use axum::extract::State;
use domain::people::mutes::{self, MutedWord, WordMuted, WordRequest};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Body, Envelope, List, ListEnvelope, Reply, Respond, RespondList},
};

/// List the words that the caller mutes
///
/// All of them on one page, the newest first: at most 200.
#[utoipa::path(get, path = "/me/muted-words", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200, body = ListEnvelope<MutedWord>)))]
pub(crate) async fn list_muted_words(State(app): State<App>, caller: Caller) -> RespondList<MutedWord> {
    Ok(List(mutes::words(&app, caller.id).await?))
}

/// Mute a word or a phrase
///
/// Posts of others that have it are left out of the caller's feeds, replies, quotes and searches, so are reposts and quotes of
/// them, and the caller is not notified of them. It is compared as a search compares words: whole words, one after the
/// other, whatever their case and their diacritics, so `da lat` mutes `Đà Lạt`, and `ma` mutes `má` too. Hashtags count.
/// Repeating changes nothing. With 200 words, one more answers 400.
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

/// Mute a word or a phrase no more
///
/// In whatever case and with whatever diacritics it was muted. Repeating changes nothing.
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
