//! A function does not build its API description at startup. Only this test defines the route.

use std::sync::atomic::{AtomicBool, Ordering};

use runtime::routes;
use tests::World;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{Object, RefOr, Schema},
};

static IS_DESCRIBED: AtomicBool = AtomicBool::new(false);

struct Answer;

impl PartialSchema for Answer {
    fn schema() -> RefOr<Schema> {
        IS_DESCRIBED.store(true, Ordering::SeqCst);
        Object::new().into()
    }
}

impl ToSchema for Answer {}

/// Show an answer
#[utoipa::path(get, path = "/answer", responses((status = 200, body = Answer)))]
async fn show_answer() {}

#[tokio::test]
async fn a_function_builds_its_api_description_only_on_request() {
    let world = World::new().await;
    let service = runtime::http::service(routes![show_answer], world.app());
    assert!(!IS_DESCRIBED.load(Ordering::SeqCst), "the description was built at start");
    drop(service);
    let components = routes![show_answer].describe().components.unwrap();
    assert!(IS_DESCRIBED.load(Ordering::SeqCst));
    assert!(components.schemas.contains_key("Answer"));
}
