//! What came back.

use http::HeaderMap;
use serde_json::{Value, json};

/// An answer of the gateway.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The request, for the message of a test that fails.
    pub request: String,
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub bytes: Vec<u8>,
    /// The body as text.
    pub text: String,
    /// The body as JSON; null where it is something else.
    pub body: Value,
}

impl Answer {
    /// The answer, if it is a success in the envelope.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert!((200..300).contains(&self.status), "{self}");
        assert_eq!(self.body["success"], true, "{self}");
        self
    }

    /// The payload of a success.
    #[track_caller]
    pub fn data(&self) -> &Value {
        assert_eq!(self.body["success"], true, "{self}");
        &self.body["data"]
    }

    /// The rows of a list.
    #[track_caller]
    pub fn rows(&self) -> &[Value] {
        self.data().as_array().map(Vec::as_slice).unwrap_or_else(|| panic!("not a list: {self}"))
    }

    /// One field of every row.
    #[track_caller]
    pub fn column(&self, field: &str) -> Vec<Value> {
        self.rows().iter().map(|row| row[field].clone()).collect()
    }

    /// The cursor of the next page; none on the last.
    #[track_caller]
    pub fn after(&self) -> Option<&str> {
        let pagination = &self.body["pagination"];
        assert_eq!(pagination["hasMore"], !pagination["after"].is_null(), "{self}");
        pagination["after"].as_str()
    }

    /// The message of a refusal that has this status, this code and nothing but the envelope.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> &str {
        assert_eq!((self.status, self.header("x-error-code")), (status, Some(code)), "{self}");
        let message = self.body["message"].as_str().unwrap_or_else(|| panic!("no message: {self}"));
        assert_eq!(self.body, json!({ "success": false, "message": message }), "{self}");
        message
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} answered {} {}", self.request, self.status, self.text)
    }
}
