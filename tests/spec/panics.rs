//! A panic fails only the request or job that panics. Only these tests define the route and the jobs.

use std::sync::Mutex;

use aws_lambda_events::sqs::SqsBatchResponse;
use platform::deadline::Deadline;
use runtime::{
    routes,
    worker::{self, Batch},
};
use serde_json::{Value, json};
use tests::{World, serve};

/// Panic always
#[utoipa::path(get, path = "/nothing", responses((status = 200, description = "Never.")))]
async fn show_nothing() {
    panic!("a private cause")
}

#[tokio::test]
async fn a_panicking_request_returns_500() {
    let world = World::new().await;
    let address = serve(runtime::http::service(routes![show_nothing], world.app())).await;
    for _ in 0..2 {
        let answer = reqwest::get(format!("{address}/nothing")).await.unwrap();
        assert_eq!(answer.status(), 500);
        assert_eq!(answer.headers()["x-error-code"], "INTERNAL_SERVER_ERROR");
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["success"], false);
        assert!(!body.to_string().contains("private"), "{body}");
    }
}

#[tokio::test]
async fn a_panicking_job_is_retried_alone() {
    let (world, done) = (World::new().await, Done::default());
    let app = world.app();
    let response = worker::each(&app, batch(), async |job: u8| done.do_all(&[job])).await;
    assert_eq!((failed(response), done.jobs()), (vec!["message-2".to_owned()], vec![1, 3]));
}

#[tokio::test]
async fn a_panicking_job_in_a_shared_transaction_is_retried_alone() {
    let (world, done) = (World::new().await, Done::default());
    let app = world.app();
    let work = async |jobs: Vec<u8>| match done.do_all(&jobs) {
        Ok(()) => Vec::new(),
        Err(error) => vec![(0, error)],
    };
    let response = worker::together(&app, batch(), work).await;
    assert_eq!((failed(response), done.jobs()), (vec!["message-2".to_owned()], vec![1, 3]));
}

/// Returns a batch with three messages: the jobs 1, 2 and 3.
fn batch() -> Batch {
    let message = |id: u8| {
        json!({ "messageId": format!("message-{id}"), "body": id.to_string(),
        "attributes": {}, "messageAttributes": {} })
    };
    let event = json!({ "Records": [message(1), message(2), message(3)] });
    Batch::new(serde_json::from_value(event).unwrap(), Deadline::after_pages(1))
}

fn failed(response: SqsBatchResponse) -> Vec<String> {
    response.batch_item_failures.into_iter().map(|failure| failure.item_identifier).collect()
}

#[derive(Default)]
struct Done(Mutex<Vec<u8>>);

impl Done {
    /// Records the jobs as done. Panics if job 2 is one of them.
    fn do_all(&self, jobs: &[u8]) -> platform::Result<()> {
        assert!(!jobs.contains(&2), "job 2 panics");
        self.0.lock().unwrap().extend(jobs);
        Ok(())
    }

    fn jobs(self) -> Vec<u8> {
        self.0.into_inner().unwrap()
    }
}
