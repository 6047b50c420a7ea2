//! Describes recorded requests so that a program can repeat them.

use serde_json::{Value, json};

use super::Step;

/// Method of a step that is a command for a terminal.
const COMMAND: &str = "COMMAND";

impl Step {
    /// Returns the step as an item of `x-story`. The item contains the answer unless an operation shows the answer.
    pub(super) fn request(&self, name: &str, is_shown: bool) -> Value {
        if self.method == COMMAND {
            return json!({ "summary": self.text, "command": self.target });
        }
        let mut item = json!({
            "summary": self.text,
            "example": name,
            "method": self.method,
            "target": self.target,
            "headers": self.all_headers(),
            "status": self.status,
        });
        match &self.bytes {
            Some(bytes) => item["bodyBase64"] = json!(bytes),
            None if self.body.is_null() => {}
            None => item["body"] = self.body.clone(),
        }
        if !is_shown && !self.answer.is_null() {
            item["answer"] = self.answer.clone();
        }
        item
    }

    fn all_headers(&self) -> Value {
        let mut headers = self.headers.clone();
        if let Some(token) = &self.token {
            headers.insert("authorization".to_owned(), json!(format!("Bearer {token}")));
        }
        if self.body.is_object() {
            headers.insert("content-type".to_owned(), json!("application/json"));
        }
        headers.into()
    }
}
