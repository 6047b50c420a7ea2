//! Worker: asks addresses that people gave, and sends to them. No other function does.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::{jobs::OutboundJob, posts::previews, realtime::devices};
use platform::App;
use runtime::worker::{self, Batch};

/// As many jobs as a batch has: most of each is waiting for a stranger.
const JOBS_TOGETHER: usize = 10;

/// Does the job of each message.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    let work = async |job| match job {
        OutboundJob::WebPush { recipient, notification, at } => {
            devices::deliver(app, recipient, notification, at).await
        }
        OutboundJob::Preview { post } => previews::show(app, post).await,
    };
    worker::side_by_side(app, batch, JOBS_TOGETHER, work).await
}
