//! A post, as its writer was told of it.

use serde_json::Value;

use crate::answer::Answer;

/// Something that was written.
#[derive(Clone, Debug)]
pub struct Post {
    /// Its public id.
    pub id: String,
    /// All of it.
    pub json: Value,
}

impl Post {
    /// The post of an answer.
    #[track_caller]
    pub fn of(answer: &Answer) -> Self {
        let json = answer.data().clone();
        let id = json["publicId"].as_str().unwrap_or_else(|| panic!("not a post: {answer}")).to_owned();
        Self { id, json }
    }

    /// Its path, or one below it: `post.path("/like")`.
    pub fn path(&self, below: &str) -> String {
        format!("/posts/{}{below}", self.id)
    }
}
