//! What panics has failed, and nothing else with it: on a route, and with jobs, that only this test has.

use std::sync::Mutex;

use platform::deadline::Deadline;
use runtime::{
    routes,
    worker::{self, Batch},
};
use serde_json::{Value, json};
use tests::{World, serve};

/// Show what is not there
#[utoipa::path(get, path = "/nothing", responses((status = 200, description = "Never.")))]
async fn show_nothing() {
    panic!("a cause that is nobody's business")
}

#[tokio::test]
async fn a_request_that_panics_is_answered_as_one_that_fails_and_the_next_one_too() {
    let world = World::new().await;
    let address = serve(&world, routes![show_nothing]).await;
    for _ in 0..2 {
        let answer = reqwest::get(format!("{address}/nothing")).await.unwrap();
        assert_eq!(answer.status(), 500);
        assert_eq!(answer.headers()["x-error-code"], "INTERNAL_SERVER_ERROR");
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["success"], false);
        assert!(!body.to_string().contains("business"), "{body}");
    }
}

#[tokio::test]
async fn a_job_that_panics_comes_again_and_holds_back_no_other() {
    let world = World::new().await;
    let message = |id: u8| {
        json!({ "messageId": format!("message-{id}"), "body": id.to_string(),
        "attributes": {}, "messageAttributes": {} })
    };
    let event = json!({ "Records": [message(1), message(2), message(3)] });
    let batch = Batch::new(serde_json::from_value(event).unwrap(), Deadline::after_pages(1));
    let done = Mutex::new(Vec::new());
    let app = world.app();
    let response = worker::each(&app, batch, async |job: u8| {
        assert_ne!(job, 2, "a job that nobody can do");
        done.lock().unwrap().push(job);
        Ok(())
    });
    let failed: Vec<_> =
        response.await.batch_item_failures.into_iter().map(|it| it.item_identifier).collect();
    assert_eq!((failed, done.into_inner().unwrap()), (vec!["message-2".to_owned()], vec![1, 3]));
}
