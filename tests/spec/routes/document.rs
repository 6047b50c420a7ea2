//! The operations in the API reference, with a request for each.

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
    pub(crate) description: String,
    pub(crate) access: Access,
    pub(crate) example: Option<Value>,
    /// The operation as it is in the reference.
    pub(crate) described: Value,
}

/// Path prefixes of operations whose bodies other services define.
pub(crate) const OPEN: [&str; 3] = ["/internal/", "/pusher/", "/webhooks/"];

/// Returns whether another service defines the bodies of the operations with this path.
pub(crate) fn is_open(path: &str) -> bool {
    OPEN.iter().any(|prefix| path.starts_with(prefix))
}

/// Authorization of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Requires no sign-in.
    Public,
    /// Accepts requests without an access token, but refuses an invalid token.
    Optional,
    /// Requires a sign-in.
    SignedIn,
    /// Requires the role of an administrator.
    Admin,
}

static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(read_operations);

/// Returns all operations of the reference.
pub(crate) fn operations() -> &'static [Operation] {
    &OPERATIONS
}

fn read_operations() -> Vec<Operation> {
    let reference = documents::openapi::document();
    let document = serde_json::to_value(&reference).unwrap();
    let all = runtime::openapi::operations(&reference).map(|(method, path, _)| {
        let item = &document["paths"][path][method.as_str().to_lowercase()];
        let mut bodies = item["requestBody"]["content"].as_object().into_iter().flatten();
        Operation {
            path: path.to_owned(),
            status: item["x-status"].as_str().unwrap().to_owned(),
            description: item["description"].as_str().unwrap_or_default().replace('\n', " "),
            access: Access::of(path, item),
            example: bodies.find_map(|(_, body)| body.get("example").cloned()),
            described: item.clone(),
            method,
        }
    });
    all.collect()
}

impl Access {
    fn of(path: &str, item: &Value) -> Self {
        let schemes = item["security"].as_array().map(Vec::as_slice).unwrap_or_default();
        let nothing = serde_json::json!({});
        match (schemes, path) {
            ([], _) => Self::Public,
            (schemes, _) if schemes.contains(&nothing) => Self::Optional,
            (_, path) if path.starts_with("/admin/") => Self::Admin,
            _ => Self::SignedIn,
        }
    }
}

impl Operation {
    /// Returns method and path, like `POST /posts`.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Sends a request with the example body of the operation. The IDs in the path do not exist.
    pub(crate) async fn ask(&self, user: &Client, prefix: &str) -> Answer {
        send(self.request(user, prefix)).await
    }

    /// Builds the request of [`Self::ask`].
    pub(crate) fn request(&self, user: &Client, prefix: &str) -> RequestBuilder {
        let request = user.request(self.method.clone(), &format!("{prefix}{}", with_ids(&self.path)));
        match &self.example {
            Some(body) => request.json(body),
            None => request,
        }
    }
}
