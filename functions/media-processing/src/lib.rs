//! Worker: processes uploaded files, and updates the posts and profiles that show them.

mod message;

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::{
    MediaJob, UserId, accounts, circles, conversations,
    media::{processing, sweep},
    moderation::cases,
    posts::{self, attachments, previews},
    uploads::{self, Upload},
};
use message::{BucketTest, FileRecord, Message};
use platform::{App, Result};
use runtime::{Batch, worker};

/// Handles each job and each uploaded file in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, async |message: Message| handle(app, message).await).await
}

async fn handle(app: &App, message: Message) -> Result<()> {
    let upload = match message {
        Message::Job(MediaJob::Show { upload }) => uploads::find(app, upload).await?,
        Message::Job(MediaJob::Expire { upload }) => sweep::expire(app, upload).await?,
        Message::Job(MediaJob::Release { upload, post }) => {
            if let Some(found) = uploads::find(app, upload).await? {
                cases::keep_file(app, &found, &[post]).await?;
            }
            return sweep::release(app, upload, post).await;
        }
        Message::Job(MediaJob::Place { upload, post }) => return cases::place_file(app, upload, post).await,
        Message::Job(MediaJob::EraseEvidence { case, key }) => {
            return cases::erase_files(app, case, &key).await;
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
    let Some(owner) = upload.owner else { return show_page_copy(app, &upload).await };
    if upload.copied_from.is_some() {
        show_copy(app, owner, &upload).await?;
    }
    attachments::show(app, &upload).await
}

/// Shows a finished copy as the picture of its owner or of a message group.
async fn show_copy(app: &App, owner: UserId, copy: &Upload) -> Result<()> {
    for of in &copy.picture_of {
        if *of == owner.into() {
            accounts::show_copy(app, owner, copy).await?;
        } else {
            conversations::show_copy(app, (*of).into(), copy).await?;
        }
    }
    Ok(())
}

/// Shows the finished copy of a page's image in the posts that link to the page.
async fn show_page_copy(app: &App, copy: &Upload) -> Result<()> {
    // A post is either outside of circles or in a circle.
    let keys = copy.posts.iter().flat_map(|post| [posts::key(*post), circles::posts::key(*post)]);
    previews::show_image(app, &keys.collect::<Vec<_>>(), copy).await
}
