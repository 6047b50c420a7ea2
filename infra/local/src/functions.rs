//! Starts the product's functions by crate name. Only this module lists the functions.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result, bail};
use aws_config::SdkConfig;
use aws_lambda_events::{
    dynamodb::Event,
    sqs::{SqsBatchResponse, SqsEvent},
    streams::DynamoDbEventResponse,
};
use futures::future::LocalBoxFuture;
use platform::{App, app::Clients, clock::Clock, deadline::Deadline, random::Random, settings::Settings};
use runtime::{http::Routes, worker::Batch};
use serde_json::Value as Json;

use crate::{
    iam::Iam,
    iam_interceptor,
    remote::{self, Remote},
    template,
};

/// Maximum time that API Gateway waits for a function:
/// <https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html>.
const GATEWAY_TIMEOUT_MAX: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub(crate) enum Function {
    Http(axum::Router),
    Sqs(Work),
    Stream(StreamWork),
    Remote(Remote),
}

/// Processes a batch of messages. As on Lambda, the future stays on one thread.
pub(crate) type Work = Arc<dyn Fn(SqsEvent) -> LocalBoxFuture<'static, SqsBatchResponse> + Send + Sync>;

pub(crate) type StreamWork = Arc<dyn Fn(Json) -> LocalBoxFuture<'static, Result<Json>> + Send + Sync>;

/// Creates the AWS clients of functions. Tests add interceptors here.
pub type MakeClients = Arc<dyn Fn(&SdkConfig) -> Clients + Send + Sync>;

/// Starts functions. Each function has an [`App`] with its own environment.
pub(crate) struct Starter {
    pub(crate) config: SdkConfig,
    pub(crate) clients: MakeClients,
    pub(crate) clock: Clock,
    pub(crate) iam: Arc<Iam>,
    /// URL of functions outside this process, if any.
    pub(crate) runtime: Option<String>,
    /// Maximum number of pages that a worker processes per invocation. `None`: limited only by the deadline.
    pub(crate) pages: Option<usize>,
    /// Seed of IDs and tokens. `None`: they are random and secure.
    pub(crate) seed: Option<u64>,
}

type MakeDeadline = Box<dyn Fn() -> Deadline + Send + Sync>;

impl Starter {
    pub(crate) fn start(&self, name: &str, function: &template::Function) -> Result<(Function, Settings)> {
        let settings = Settings::read(|name| function.environment.get(name).cloned())
            .context("failed to read the function's environment in the template")?;
        self.init(name, function)?;
        if let Some(runtime) = &self.runtime {
            let remote = Remote::new(runtime, &function.crate_name)?;
            return Ok((Function::Remote(remote), settings));
        }
        let clients = (self.clients)(&iam_interceptor::with_interceptor(&self.config, name, &self.iam));
        let app = App::with_random(clients, settings.clone(), Arc::clone(&self.clock), self.random(name));
        Ok((connect(function, app, self.deadline(function))?, settings))
    }

    /// Returns the source of random values. With a seed, each function has its own sequence of values.
    fn random(&self, name: &str) -> Random {
        let add = |seed: u64, byte: u8| seed.wrapping_mul(31).wrapping_add(u64::from(byte));
        self.seed.map_or_else(Random::default, |seed| Random::seeded(name.bytes().fold(seed, add)))
    }

    /// Returns the timeout of a function. If the pages of work are limited, functions have no timeout.
    pub(crate) fn timeout(&self, function: &Function, template: &template::Function) -> Duration {
        self.pages.map_or_else(|| function.timeout(template), |_| Duration::MAX)
    }

    fn deadline(&self, function: &template::Function) -> MakeDeadline {
        let (pages, timeout) = (self.pages, function.timeout);
        Box::new(move || pages.map_or_else(|| Deadline::within(timeout), Deadline::after_pages))
    }

    /// Fails unless the function's policy allows reading the function's secrets and table.
    fn init(&self, name: &str, function: &template::Function) -> Result<()> {
        for secret in
            function.environment.values().filter(|value| value.starts_with("arn:aws:secretsmanager:"))
        {
            self.iam.require(name, "secretsmanager:GetSecretValue", secret)?;
        }
        match function.environment.get("TABLE_NAME") {
            Some(table) => self.iam.require_table(name, table),
            None => Ok(()),
        }
    }
}

/// Generates the API documents from the current code, because the checked-in documents may be outdated.
fn generated() -> docs_api::Documents {
    docs_api::Documents {
        openapi: documents::openapi::published(),
        asyncapi: documents::asyncapi::published(),
        guides: documents::guides::published(),
    }
}

fn connect(function: &template::Function, app: App, deadline: MakeDeadline) -> Result<Function> {
    Ok(match function.crate_name.as_str() {
        "admin-api" => http(admin_api::routes(), app),
        "auth-api" => http(auth_api::routes(), app),
        "circles-api" => http(circles_api::routes(), app),
        "docs-api" => http(docs_api::routes(generated()), app),
        "message-group-api" => http(message_group_api::routes(), app),
        "notification-api" => http(notification_api::routes(), app),
        "posts-api" => http(posts_api::routes(), app),
        "users-api" => http(users_api::routes(), app),
        "pusher-api" => http(pusher_api::routes(), app),
        "uploads-api" => http(uploads_api::routes(), app),
        "webhooks-api" => http(webhooks_api::routes(), app),
        "account-deletion" => worker(app, deadline, account_deletion::work),
        "like-sync" => worker(app, deadline, like_sync::work),
        "mail" => worker(app, deadline, mail::work),
        "media-processing" => worker(app, deadline, media_processing::work),
        "outbound" => worker(app, deadline, outbound::work),
        "timeline" => worker(app, deadline, timeline::work),
        "notification-grouping" => worker(app, deadline, notification_grouping::work),
        "museum-api" => http(museum_api::routes(), app),
        "quests-api" => http(quests_api::routes(), app),
        "search-api" => http(search_api::routes(), app),
        "housekeeping" => worker(app, deadline, housekeeping::work),
        "relay" => stream(app, relay::work),
        "circle-judge" => worker(app, deadline, circle_judge::work),
        "circle-drain" => worker(app, deadline, circle_drain::work),
        "cpr-check" => worker(app, deadline, cpr_check::work),
        "quest-reset" => worker(app, deadline, quest_reset::work),
        "search-index" => worker(app, deadline, search_index::work),
        "realtime-push" => worker(app, deadline, realtime_push::work),
        "report-evaluation" => worker(app, deadline, report_evaluation::work),
        other => bail!("unknown crate `{other}`: add it to infra/local/src/functions.rs"),
    })
}

impl Function {
    pub(crate) fn takes_requests(&self) -> bool {
        matches!(self, Self::Http(_) | Self::Remote(_))
    }

    /// Returns the handler of message batches, or `None` for other kinds of functions.
    pub(crate) fn work(&self) -> Option<Work> {
        match self {
            Self::Http(_) | Self::Stream(_) => None,
            Self::Sqs(work) => Some(Arc::clone(work)),
            Self::Remote(remote) => {
                let remote = remote.clone();
                Some(Arc::new(move |event| {
                    let remote = remote.clone();
                    Box::pin(async move { remote.batch(event).await })
                }))
            }
        }
    }

    /// Returns the handler of stream records, or `None` for other kinds of functions.
    pub(crate) fn stream_work(&self) -> Option<StreamWork> {
        match self {
            Self::Http(_) | Self::Sqs(_) => None,
            Self::Stream(work) => Some(Arc::clone(work)),
            Self::Remote(remote) => {
                let remote = remote.clone();
                Some(Arc::new(move |event| {
                    let remote = remote.clone();
                    Box::pin(async move { remote.invoke(event.to_string()).await })
                }))
            }
        }
    }

    /// Returns the timeout of a call. Remote functions have a longer timeout, which includes compilation.
    pub(crate) fn timeout(&self, template: &template::Function) -> Duration {
        match self {
            Self::Http(_) => template.timeout.min(GATEWAY_TIMEOUT_MAX),
            Self::Sqs(_) | Self::Stream(_) => template.timeout,
            Self::Remote(_) => remote::TIMEOUT,
        }
    }
}

fn http(routes: Routes, app: App) -> Function {
    Function::Http(runtime::http::service(routes, app))
}

fn worker<W>(app: App, deadline: MakeDeadline, work: W) -> Function
where
    W: AsyncFn(&App, Batch) -> SqsBatchResponse + Send + Sync + 'static,
{
    let work = Arc::new(work);
    Function::Sqs(Arc::new(move |event| {
        let (app, work, batch) = (app.clone(), Arc::clone(&work), Batch::new(event, deadline()));
        Box::pin(async move { runtime::worker::batch(&app, batch, &*work).await })
    }))
}

fn stream<W>(app: App, work: W) -> Function
where
    W: AsyncFn(&App, Event) -> DynamoDbEventResponse + Send + Sync + 'static,
{
    let work = Arc::new(work);
    Function::Stream(Arc::new(move |event| {
        let (app, work) = (app.clone(), Arc::clone(&work));
        Box::pin(async move {
            let event = serde_json::from_value(event).context("the event has no stream records")?;
            Ok(serde_json::to_value(runtime::stream::batch(&app, event, &*work).await)?)
        })
    }))
}
