//! Worker: sends requests to user-supplied URLs. No other function sends such requests.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::{OutboundJob, circles, posts::previews, realtime::devices, uploads, webhooks};
use platform::App;
use runtime::{Batch, worker};

/// Maximum number of concurrent jobs. It is the queue's batch size, because a job mostly waits for a remote server.
const JOBS_TOGETHER: usize = 10;

/// Sends the requests of each job in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    let work = async |job| match job {
        OutboundJob::WebPush { recipient, notification, at } => {
            devices::deliver(app, recipient, notification, at).await
        }
        OutboundJob::CopyPicture { upload } => uploads::fetch_copy(app, upload).await,
        OutboundJob::Preview { post } => previews::show(app, post).await,
        OutboundJob::PreviewInCircle { post } => circles::posts::show_preview(app, post).await,
        OutboundJob::Announce { announcement } => webhooks::announce(app, &announcement).await,
        OutboundJob::TestWebhook { webhook, announcement } => {
            webhooks::test_now(app, webhook, announcement).await
        }
        OutboundJob::RetryDelivery { webhook, announcement } => {
            webhooks::retry_delivery(app, webhook, announcement).await
        }
    };
    worker::side_by_side(app, batch, JOBS_TOGETHER, work).await
}
