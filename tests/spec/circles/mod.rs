//! Circles: who is in them, and how they live.

mod circle;

use serde_json::json;
use tests::{Answer, Person};

/// A circle, as its maker was told of it.
pub(crate) struct Circle {
    /// Its public id.
    pub(crate) id: String,
}

impl Circle {
    /// Its path, or one below it: `circle.path("/energy")`.
    pub(crate) fn path(&self, below: &str) -> String {
        format!("/circles/{}{below}", self.id)
    }
}

/// Somebody makes a circle.
pub(crate) async fn founds(who: &Person, name: &str) -> Circle {
    of(&who.post("/circles", json!({ "name": name })).await.ok())
}

fn of(answer: &Answer) -> Circle {
    Circle { id: answer.data()["publicId"].as_str().unwrap().to_owned() }
}
