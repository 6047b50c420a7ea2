//! The event source and the functions: so many at once take batches of the queue, as long as there are messages.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Result;
use aws_config::retry::RetryConfig;
use aws_sdk_sqs::types::Message;
use domain::feeds::timelines;
use local::layer;
use platform::{App, app::Clients, deadline::Deadline, settings::Settings};
use tests::World;
use tokio::{
    runtime::Handle,
    task::{JoinHandle, spawn_blocking},
};

use super::{Model, network::Network};

/// The time-out of the worker, in the template.
const TIMEOUT: Duration = Duration::from_secs(60);
/// How long a message that failed stays away, in the template.
const VISIBILITY: Duration = Duration::from_secs(360);
/// So often in a row a worker finds the queue empty and all others idle before it stops.
const IDLE_MAX: usize = 5;
const POLL: Duration = Duration::from_millis(200);

/// One of the functions that run at once.
pub(super) struct Worker {
    app: App,
    sqs: aws_sdk_sqs::Client,
    url: String,
    speed: f64,
    batch_size: usize,
    busy: Arc<AtomicUsize>,
}

/// What a worker has done.
pub(super) struct Done {
    pub(super) messages: u64,
    pub(super) failed: u64,
    /// When its last batch ended.
    pub(super) last: Instant,
}

impl Worker {
    pub(super) fn new(world: &World, model: &Model, network: &Network) -> Result<Self> {
        let config = world.stack.sdk_config();
        let inner = config.http_client().ok_or_else(|| anyhow::anyhow!("the stack sets an HTTP client"))?;
        let retry = config.retry_config().cloned().unwrap_or_else(RetryConfig::standard);
        let shorter = |pause: Duration| pause.div_f64(model.speed);
        let (first, longest) = (shorter(retry.initial_backoff()), shorter(retry.max_backoff()));
        let retry = retry.with_initial_backoff(first).with_max_backoff(longest);
        let config = config.to_builder().retry_config(retry);
        let config = config.http_client(layer::around(inner, network.function())).build();
        Ok(Self {
            app: app(world, Clients::new(&config))?,
            sqs: world.clients().sqs,
            url: world.stack.queue_url("timeline"),
            speed: model.speed,
            batch_size: model.batch_size,
            busy: network.busy(),
        })
    }

    /// Works on a thread of its own, as a function has a processor of its own.
    pub(super) fn work_alone(self) -> JoinHandle<Result<Done>> {
        let runtime = Handle::current();
        spawn_blocking(move || runtime.block_on(self.work()))
    }

    /// Works until the queue is empty and nobody works.
    async fn work(self) -> Result<Done> {
        let (mut all, mut idle) = (Done { messages: 0, failed: 0, last: Instant::now() }, 0);
        while idle < IDLE_MAX {
            let batch = self.receive().await?;
            if batch.is_empty() {
                idle = if self.busy.load(Ordering::Acquire) > 0 { 0 } else { idle + 1 };
                tokio::time::sleep(POLL).await;
                continue;
            }
            self.busy.fetch_add(1, Ordering::AcqRel);
            self.invoke(batch, &mut all).await?;
            self.busy.fetch_sub(1, Ordering::AcqRel);
            all.last = Instant::now();
        }
        Ok(all)
    }

    async fn receive(&self) -> Result<Vec<Message>> {
        let receive = self.sqs.receive_message().queue_url(&self.url);
        let received = receive.max_number_of_messages(self.batch_size as i32).send().await?;
        Ok(received.messages.unwrap_or_default())
    }

    /// One batch, message by message, as the worker does.
    async fn invoke(&self, batch: Vec<Message>, all: &mut Done) -> Result<()> {
        let deadline = Deadline::within(TIMEOUT.div_f64(self.speed));
        for message in batch {
            let job = serde_json::from_str(message.body.as_deref().unwrap_or_default())?;
            if timelines::work(&self.app, &deadline, job).await.is_ok() {
                let delete = self.sqs.delete_message().queue_url(&self.url);
                delete.set_receipt_handle(message.receipt_handle).send().await?;
                all.messages += 1;
            } else {
                self.again_later(message).await?;
                all.failed += 1;
            }
        }
        Ok(())
    }

    async fn again_later(&self, message: Message) -> Result<()> {
        tokio::time::sleep(VISIBILITY.div_f64(self.speed)).await;
        let again = self.sqs.change_message_visibility().queue_url(&self.url).visibility_timeout(0);
        again.set_receipt_handle(message.receipt_handle).send().await?;
        Ok(())
    }
}

/// What a function of the worker holds, with the settings of the template.
pub(super) fn app(world: &World, clients: Clients) -> Result<App> {
    let queue = world.stack.queue_url("timeline");
    let settings = Settings::read(|name| match name {
        "TABLE_NAME" => Some(world.table_name().to_owned()),
        "TIMELINE_QUEUE_URL" => Some(queue.clone()),
        "DEAD_LETTERS_URLS" => Some(format!("{queue} {queue}-dead-letters")),
        _ => None,
    })?;
    let clock = world.stack.clock().clone();
    Ok(App::new(clients, settings, Arc::new(move || clock.now())))
}
