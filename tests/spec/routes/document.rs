//! What the API reference says of each operation, as a request to send.

use std::sync::LazyLock;

use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use tests::{Answer, Client, send};

use super::with_ids;

/// An operation of the reference.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) status: String,
    pub(crate) door: Door,
    pub(crate) example: Option<Value>,
}

/// Whom an operation lets in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// Everybody; whatever else it asks for is not a sign-in.
    Public,
    /// Everybody, but a sign-in that is shown must be good.
    Optional,
    /// Those who signed in.
    SignedIn,
    /// Administrators.
    Admin,
}

static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(read_operations);

/// Every operation of the reference.
pub(crate) fn operations() -> &'static [Operation] {
    &OPERATIONS
}

fn read_operations() -> Vec<Operation> {
    let reference = documents::openapi::document();
    let document = serde_json::to_value(&reference).unwrap();
    let all = runtime::openapi::operations(&reference).map(|(method, path, _)| {
        let said = &document["paths"][path][method.as_str().to_lowercase()];
        let mut bodies = said["requestBody"]["content"].as_object().into_iter().flatten();
        Operation {
            path: path.to_owned(),
            status: said["x-status"].as_str().unwrap().to_owned(),
            door: Door::of(path, said),
            example: bodies.find_map(|(_, it)| it.get("example").cloned()),
            method,
        }
    });
    all.collect()
}

impl Door {
    fn of(path: &str, said: &Value) -> Self {
        let ways = said["security"].as_array().map(Vec::as_slice).unwrap_or_default();
        let nothing = serde_json::json!({});
        match (ways, path) {
            ([], _) => Self::Public,
            (ways, _) if ways.contains(&nothing) => Self::Optional,
            (_, path) if path.starts_with("/admin/") => Self::Admin,
            _ => Self::SignedIn,
        }
    }
}

impl Operation {
    /// Its name: `POST /posts`.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// What it answers to its own example, about things that are not there.
    pub(crate) async fn ask(&self, user: &Client, prefix: &str) -> Answer {
        send(self.request(user, prefix)).await
    }

    /// That request, to finish by hand.
    pub(crate) fn request(&self, user: &Client, prefix: &str) -> RequestBuilder {
        let request = user.request(self.method.clone(), &format!("{prefix}{}", with_ids(&self.path)));
        match &self.example {
            Some(body) => request.json(body),
            None => request,
        }
    }
}
