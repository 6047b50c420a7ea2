//! The parts of a message that the log needs.

use aws_lambda_events::sqs::SqsMessage;
use platform::request_id;
use serde::Deserialize;
use serde_json::Value;
use tracing::Span;

/// The kind of a message, and the ID of the request that caused it.
pub(crate) struct MessageHead {
    /// The kind of the job or the event. Other messages are of the kind `message`.
    pub(crate) kind: String,
    /// The ID of the request, or `None` if a schedule or an AWS service caused the message.
    pub(crate) request: Option<String>,
}

/// The fields of a job, or of an event as EventBridge delivers it.
#[derive(Default, Deserialize)]
struct Fields {
    #[serde(alias = "detail-type")]
    job: Option<String>,
    #[serde(default, rename = "requestId")]
    request: Option<String>,
    #[serde(default)]
    detail: Value,
}

impl MessageHead {
    /// Reads the head of a message. A message without these fields has the kind `message` and no request.
    pub(crate) fn of(message: &SqsMessage) -> Self {
        let body = message.body.as_deref().unwrap_or_default();
        let Fields { job, request, detail } = serde_json::from_str(body).unwrap_or_default();
        let in_detail = || detail.get(request_id::FIELD)?.as_str().map(str::to_owned);
        Self { kind: job.unwrap_or_else(|| "message".to_owned()), request: request.or_else(in_detail) }
    }

    /// Returns the span of the job. Its log lines have the ID of the request, like the log lines of the request itself.
    pub(crate) fn span(&self) -> Span {
        tracing::info_span!("job", id = self.request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_kind_and_the_request_that_its_body_names() {
        for (body, kind, request) in [
            (r#"{"job":"added","requestId":"r1"}"#, "added", Some("r1")),
            (r#"{"detail-type":"MessageSent","detail":{"requestId":"r1"}}"#, "MessageSent", Some("r1")),
            (r#"{"job":"added"}"#, "added", None),
            ("{}", "message", None),
            ("", "message", None),
            ("[]", "message", None),
            (r#"{"requestId":1}"#, "message", None),
            (r#"{"detail":"text"}"#, "message", None),
        ] {
            let mut message = SqsMessage::default();
            message.body = Some(body.to_owned());
            let head = MessageHead::of(&message);
            assert_eq!((&*head.kind, head.request.as_deref()), (kind, request), "{body}");
        }
    }
}
