//! Runs the steps of the story on a stack of its own.

use std::collections::BTreeMap;

use domain::{
    accounts,
    people::users::{Email, Role},
};
use local::{Options, Stack};
use reqwest::RequestBuilder;
use serde_json::{Map, Value, json};

use super::{folder, steps::Step};

/// Ports of `make dev STORY=1`, for recording. The signature of an upload's URL depends on its port.
pub(super) const PORTS: [u16; 2] = [3000, 3001];
/// Addresses in recorded answers, in place of those of the stack.
const API: &str = "http://127.0.0.1:3000";
const FILES: &str = "http://127.0.0.1:3001";

const MAILS: &str = "/_local/mail";
/// The only command of the story.
const APPOINTMENT: &str = "make admin EMAIL=";

struct Story {
    stack: Stack,
    http: reqwest::Client,
    /// Saved answers, by name.
    saved: BTreeMap<String, Value>,
}

/// Runs the steps on a stack with these ports, and returns each with its answer. 0 chooses a free port.
pub(super) async fn run(steps: &[Step], [port, aws_port]: [u16; 2]) -> Vec<Value> {
    let options = Options { port, aws_port, ..Options::story() };
    let stack = Stack::start(options).await.expect("a stack");
    let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
    let mut story = Story { stack, http, saved: BTreeMap::new() };
    let mut recorded = Vec::new();
    for step in steps {
        recorded.push(story.run(step).await);
    }
    recorded
}

impl Story {
    async fn run(&mut self, step: &Step) -> Value {
        if let Some(email) = step.target.strip_prefix(APPOINTMENT) {
            self.appoint(email).await;
            return record(step, &step.target, json!({}), Value::Null, 0, Value::Null);
        }
        let target = self.filled(&step.target);
        let headers = step.headers.iter().map(|(name, value)| (name.clone(), json!(self.filled(value))));
        let headers: Map<_, _> = headers.collect();
        let body = step.body.as_ref().map(|body| self.filled(body));
        let request = self.request(step, &target, &headers, body.as_deref());
        let (status, answer) = self.answer(step, &target, request).await;
        let body = body.map(|body| serde_json::from_str(&body).unwrap_or_else(|_| json!(body)));
        let answer = if is_local(&target) { Value::Null } else { answer };
        self.with_recorded_addresses(&record(step, &target, json!(headers), json!(body), status, answer))
    }

    async fn appoint(&self, email: &str) {
        let app = self.stack.accounts().expect("accounts");
        let email: Email = email.to_owned().try_into().expect("an address");
        accounts::appoint(&app, &email, Role::SuperAdmin, false).await.expect("a user");
    }

    /// Sends the request, and saves the answer if a later step needs it.
    async fn answer(&mut self, step: &Step, target: &str, request: RequestBuilder) -> (u16, Value) {
        let response = request.send().await.expect("a response");
        let status = response.status().as_u16();
        let has_id = response.headers().contains_key("x-request-id");
        assert!(status < 500 && has_id != is_local(target), "{}: {status}", step.text);
        let text = response.text().await.expect("a body");
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(name) = &step.saved_as {
            assert!(status < 300, "{}: {status} {text}", step.text);
            let saved = if target == MAILS { newest(&answer) } else { answer.clone() };
            self.saved.insert(name.clone(), saved);
        }
        (status, answer)
    }

    fn request(
        &self,
        step: &Step,
        target: &str,
        headers: &Map<String, Value>,
        body: Option<&str>,
    ) -> RequestBuilder {
        let url =
            if target.starts_with('/') { format!("{}{target}", self.stack.url()) } else { target.to_owned() };
        let mut request = self.http.request(step.method.clone(), url);
        for (name, value) in headers {
            request = request.header(name, value.as_str().expect("a text"));
        }
        if let Some(user) = &step.user {
            let token =
                ["accessToken", "token"].into_iter().find_map(|field| self.find(&format!("{user}.{field}")));
            request = request.bearer_auth(token.expect("a token"));
        }
        match body.map(|body| body.strip_prefix('@').ok_or(body)) {
            Some(Ok(file)) => request.body(std::fs::read(folder().join(file)).expect("a file")),
            Some(Err(json)) => request.header("content-type", "application/json").body(json.to_owned()),
            None => request,
        }
    }

    /// Replaces each `{name.field}` by a field of a saved answer.
    fn filled(&self, text: &str) -> String {
        let mut parts = text.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match part.split_once('}').filter(|(name, _)| is_field(name)) {
                Some((name, rest)) => {
                    filled += &self
                        .find(name)
                        .unwrap_or_else(|| panic!("{text} needs {name}: {:#}", json!(self.saved)));
                    filled += rest;
                }
                None => filled = filled + "{" + part,
            }
        }
        filled
    }

    fn find(&self, name: &str) -> Option<String> {
        let (name, field) = name.split_once('.')?;
        let answer = self.saved.get(name)?;
        let field = field.replace('.', "/");
        let places = [format!("/data/{field}"), format!("/pagination/{field}")];
        Some(places.iter().find_map(|place| answer.pointer(place))?.as_str()?.to_owned())
    }

    fn with_recorded_addresses(&self, record: &Value) -> Value {
        let text = record.to_string().replace(self.stack.url(), API).replace(self.stack.aws_url(), FILES);
        serde_json::from_str(&text).expect("JSON")
    }
}

fn record(step: &Step, target: &str, headers: Value, body: Value, status: u16, answer: Value) -> Value {
    json!({
        "text": step.text,
        "user": step.user,
        "method": step.method.as_str(),
        "target": target,
        "headers": headers,
        "body": body,
        "status": status,
        "answer": answer,
    })
}

fn is_field(name: &str) -> bool {
    name.contains('.') && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.')
}

fn is_local(target: &str) -> bool {
    target.starts_with("/_local") || !target.starts_with('/')
}

/// Returns the token in the newest email with a link.
fn newest(mails: &Value) -> Value {
    let texts = mails["data"].as_array().expect("emails").iter().filter_map(|mail| mail["text"].as_str());
    let token = texts.filter_map(|text| text.split("token=").nth(1)?.split_whitespace().next()).next_back();
    json!({ "data": { "token": token } })
}
