//! Requests to user-supplied URLs wait in one queue for each kind of recipient.

use domain::{
    announcements::{AnnouncedEvent, Announcement},
    jobs::OutboundJob,
};
use platform::outbox::outbox_record_write;
use tests::World;

#[tokio::test]
async fn fetches_pushes_and_webhooks_have_a_queue_each() {
    let world = World::new().await;
    let app = world.app();
    let announcement = Announcement::now(&app, Some(AnnouncedEvent::CircleDied), "circle");
    let (recipient, notification) = (app.ids.next(app.now()), app.ids.next(app.now()));
    let jobs = [
        ("outbound", OutboundJob::Preview { post: app.ids.next(app.now()) }),
        ("outbound", OutboundJob::PreviewInCircle { post: app.ids.next(app.now()) }),
        ("outbound", OutboundJob::CopyPicture { upload: app.ids.next(app.now()) }),
        ("web-push", OutboundJob::WebPush { recipient, notification, at: app.now() }),
        ("webhook", OutboundJob::Announce { announcement: announcement.clone() }),
        ("webhook", OutboundJob::TestWebhook { webhook: app.ids.next(app.now()), announcement }),
    ];
    for (queue, job) in jobs {
        app.table.write(outbox_record_write(&app).then(&job)).await.unwrap();
        world.stack.drain_streams().await;
        let queues = world.stack.queues().into_iter();
        let waiting: Vec<_> = queues.filter(|queue| queue.visible > 0).map(|queue| queue.name).collect();
        assert_eq!(waiting, [queue], "{job:?}");
        world.settle().await;
    }
}
