//! A stack that answers the same requests in the same order with the same answers. The API reference shows recorded
//! answers of such a stack.

use std::time::Duration;

use axum::{
    Router,
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use jiff::Timestamp;

use crate::{advance::Advance, clock::Start, delivery::Delivery, options::Options};

/// 2026-01-31, five minutes before ten in the morning (UTC).
const START: Timestamp = Timestamp::constant(1_769_853_300, 0);
const SEED: u64 = 1;
/// Time that passes with each write.
const STEP: Duration = Duration::from_secs(1);
const SECRETS: [&str; 4] = ["JWT_SECRET", "HLS_SECRET", "INTERNAL_SECRET", "OUTBOUND_SECRET"];
/// A page that uses passkeys. The stack's own address depends on its port, and browsers treat its host as `localhost`.
const APP: (&str, &str) = ("PASSKEY_ORIGINS", "https://app.localhost");
const SECRET: &str = "a public secret for examples, which protects nothing";

impl Options {
    /// Returns the options of a stack in memory with a fixed clock, seed and secrets. Each write moves the clock by a
    /// second, and returns after its effects.
    pub fn story() -> Self {
        let secrets = SECRETS.map(|name| (name, SECRET)).into_iter();
        let variables = secrets.chain([APP]).map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self {
            clock: Start::At(START),
            delivery: Delivery::WithWrites,
            seed: Some(SEED),
            variables: variables.collect(),
            ..Self::default()
        }
    }
}

/// Adds the time and the effects of writes to the API.
pub(crate) fn router(api: Router, advance: Advance) -> Router {
    api.layer(from_fn_with_state(advance, answer))
}

/// Reads leave the clock unchanged, so that opening the API reference does not change later answers.
async fn answer(State(advance): State<Advance>, request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let moved = advance.by(STEP).await;
    let response = next.run(request).await;
    if let Err(error) = moved.and(advance.deliver_pending().await) {
        tracing::error!(%error, "failed to deliver messages");
    }
    response
}
