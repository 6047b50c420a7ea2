//! `/health`: reports whether the service runs, in which version, and whether it can read its table.

use std::sync::{Mutex, PoisonError};

use axum::extract::State;
use platform::{App, Key, Time, table::JsonRow};
use runtime::{Envelope, Reply, Respond, openapi};
use serde::Serialize;
use utoipa::ToSchema;

/// After a successful read of the table, an instance does not read the table again for this time.
const CACHE_SECONDS: i64 = 1;
/// The commit from which the function was built, if `make` built it.
const COMMIT: Option<&str> = option_env!("GIT_COMMIT");

/// Check that the service runs
///
/// Makes no call to the table.
#[utoipa::path(get, path = "/health", tag = "health", extensions(("x-status" = json!("extension"))),
    responses((status = 200, body = Envelope<Health>)))]
pub(crate) async fn check_health(State(app): State<App>) -> Respond<Health> {
    let (version, commit) = (openapi::version().to_owned(), COMMIT.map(str::to_owned));
    Ok(Reply::ok(Health { version, commit, time: app.now() }))
}

/// Check that the service can read its table
///
/// Makes a call to the table. Each instance makes at most one such call a second. Returns 500 if the table does not
/// respond.
#[utoipa::path(get, path = "/health/ready", tag = "health", extensions(("x-status" = json!("extension"))),
    responses((status = 200, body = Envelope<Readiness>)))]
pub(crate) async fn check_readiness(State(app): State<App>) -> Respond<Readiness> {
    let (checked, now) = (app.memory.of::<CheckedAt>(), app.now());
    if !checked.is_recent(now) {
        // No row has this key. A response without a row is enough.
        app.table.get::<JsonRow>(&Key::new("HEALTH", "READY")).await?;
        checked.set(now);
    }
    Ok(Reply::ok(Readiness { ready: true, time: now }))
}

/// The version of the running service.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// The release.
    #[schema(example = "0.1.0")]
    version: String,
    /// The commit. Null if the service was not built by `make`.
    #[schema(example = "7cddd0129f1e")]
    commit: Option<String>,
    /// The current RFC 3339 time of the service.
    time: Time,
}

/// The service can read its table.
#[derive(Serialize, ToSchema)]
pub(crate) struct Readiness {
    /// Always true.
    #[schema(example = true)]
    ready: bool,
    /// The current RFC 3339 time of the service.
    time: Time,
}

/// The time of this instance's last successful call to the table.
#[derive(Default)]
struct CheckedAt(Mutex<Option<Time>>);

impl CheckedAt {
    fn is_recent(&self, now: Time) -> bool {
        let at = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        at.is_some_and(|at| now < at.plus_seconds(CACHE_SECONDS))
    }

    fn set(&self, now: Time) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    }
}
