//! Sends pushes to the provider, with several calls in parallel.

use anyhow::anyhow;
use futures::{StreamExt, stream};
use platform::{App, Error, settings::PusherApp};

use super::{
    api::{self, Refusal},
    app_of,
    calls::{Call, Push, calls},
};

/// Maximum number of parallel calls. With this limit, pushing ten messages takes at most 25 seconds, including retries.
const PARALLEL_CALLS: usize = 30;

/// Sends the pushes in shared calls. Returns the index and the error of each push in a failed call.
///
/// If the provider refuses the content of a call, the call's events are retried one by one. In this case, only the
/// refused events fail. A request takes at most 5 seconds.
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
    failed.iter().flat_map(|(call, refusal)| call.indexes().map(|index| (index, refusal.error()))).collect()
}

/// Makes the calls in parallel. Returns the refused calls, each with the reason.
async fn make<'a>(app: &App, pusher: &PusherApp, calls: Vec<Call<'a>>) -> Vec<(Call<'a>, Refusal)> {
    let make_one = async |call: Call<'a>| {
        let (resource, body) = call.request();
        let refusal = api::post(app, pusher, resource, &body).await.err()?;
        Some((call, refusal))
    };
    let made = stream::iter(calls).map(make_one).buffer_unordered(PARALLEL_CALLS);
    made.filter_map(std::future::ready).collect().await
}

/// Logs `error`, and returns an error for each push. Without the secret, no push can be signed.
fn unsigned(pushes: &[Push], error: &Error) -> Vec<(usize, Error)> {
    tracing::error!("failed to sign pushes: {error:?}");
    let missing = || Error::internal(anyhow!("the secret for signing pushes is missing"));
    (0..pushes.len()).map(|index| (index, missing())).collect()
}
