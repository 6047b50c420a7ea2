//! Makes the calls of pushes side by side.

use anyhow::anyhow;
use futures::{StreamExt, stream};
use platform::{App, error::Error, settings::PusherApp};

use super::{
    api::{self, Refusal},
    app_of,
    calls::{Call, Push, calls},
};

/// The most calls at the same time. Ten messages take at most 11 calls, and 110 when their events are tried alone: of 5
/// seconds each, 25 seconds in all.
const CALLS_AT_ONCE: usize = 30;

/// Pushes together. Returns the index and the error of each push that was in a call that failed.
///
/// If the provider refuses the content of a call, its events are tried alone, so that only the refused one fails. A
/// request takes at most 5 seconds.
pub async fn push_all(app: &App, pushes: &[Push]) -> Vec<(usize, Error)> {
    if pushes.is_empty() {
        return Vec::new();
    }
    let pusher = match app_of(app).await {
        Ok(pusher) => pusher,
        Err(error) => return unsigned(pushes, &error),
    };
    let refused = make(app, &pusher, calls(pushes)).await;
    let (divisible, mut failed): (Vec<_>, Vec<_>) =
        refused.into_iter().partition(|(call, refusal)| call.is_shared() && refusal.is_of_content());
    let alone = divisible.into_iter().flat_map(|(call, _)| call.divided()).collect();
    failed.extend(make(app, &pusher, alone).await);
    failed.iter().flat_map(|(call, refusal)| call.indexes().map(|it| (it, refusal.error()))).collect()
}

/// Makes calls, and returns those that were refused.
async fn make<'a>(app: &App, pusher: &PusherApp, calls: Vec<Call<'a>>) -> Vec<(Call<'a>, Refusal)> {
    let make_one = async |call: Call<'a>| {
        let (resource, body) = call.request();
        let refusal = api::post(app, pusher, resource, &body).await.err()?;
        Some((call, refusal))
    };
    let made = stream::iter(calls).map(make_one).buffer_unordered(CALLS_AT_ONCE);
    made.filter_map(std::future::ready).collect().await
}

/// Returns the errors of pushes that no secret signs.
fn unsigned(pushes: &[Push], error: &Error) -> Vec<(usize, Error)> {
    tracing::error!("nothing is pushed: {error:?}");
    (0..pushes.len()).map(|it| (it, Error::internal(anyhow!("no secret signs the push")))).collect()
}
