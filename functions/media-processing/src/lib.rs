//! Worker: processes uploaded files, and updates the posts and profiles that show them.

mod message;

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::{
    accounts,
    jobs::MediaJob,
    media::{processing, sweep},
    posts::attachments,
    uploads::Upload,
};
use message::{BucketTest, FileRecord, Message};
use platform::{App, Result};
use runtime::worker::{self, Batch};

/// Handles each job and each uploaded file in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, async |message: Message| handle(app, message).await).await
}

async fn handle(app: &App, message: Message) -> Result<()> {
    let upload = match message {
        Message::Job(MediaJob::Show { upload }) => processing::find(app, upload).await?,
        Message::Job(MediaJob::Expire { upload }) => sweep::expire(app, upload).await?,
        Message::Job(MediaJob::Release { upload, post }) => {
            return sweep::release(app, upload, post).await;
        }
        Message::Files { records } => return process_files(app, &records).await,
        Message::Test(BucketTest::Test) => None,
    };
    show(app, upload).await
}

async fn process_files(app: &App, files: &[FileRecord]) -> Result<()> {
    for file in files {
        show(app, processing::process(app, file.key()).await?).await?;
    }
    Ok(())
}

async fn show(app: &App, upload: Option<Upload>) -> Result<()> {
    let Some(upload) = upload else { return Ok(()) };
    accounts::show_copy(app, &upload).await?;
    attachments::show(app, &upload).await
}
