//! Runs the steps of the story on a stack of its own.

use std::collections::BTreeMap;

use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{
    accounts,
    people::users::{Email, Role},
};
use local::{Options, Stack};
use reqwest::{Method, Response, redirect::Policy};
use serde_json::{Map, Value, json};
use tests::PasskeyDevice;

use super::{
    computed, folder,
    steps::{COMMAND, Step},
};

/// Ports of `make dev STORY=1`, for recording. The signature of an upload's URL depends on its port.
pub(super) const PORTS: [u16; 2] = [3000, 3001];
/// Addresses in recorded answers, which replace the addresses of the stack.
pub(super) const API: &str = "http://127.0.0.1:3000";
pub(super) const FILES: &str = "http://127.0.0.1:3001";

const MAILS: &str = "/_local/mail";
/// Header value that stands for the signature of the body.
const SIGNATURE: &str = "SIGNATURE";
/// The only command of the story.
const APPOINTMENT: &str = "make admin EMAIL=";

struct Story {
    stack: Stack,
    http: reqwest::Client,
    /// Saved answers, by name.
    saved: BTreeMap<String, Value>,
    phone: PasskeyDevice,
}

/// A request, with the values of earlier answers.
#[derive(Default)]
struct Request {
    method: Method,
    target: String,
    headers: Map<String, Value>,
    token: Option<String>,
    /// JSON, `@` and the name of a file, or empty.
    body: String,
    bytes: Vec<u8>,
    /// Whether the server needs exactly these bytes: a file, or a body with a signature.
    is_exact: bool,
}

/// Runs the steps on a stack with these ports, and returns each with its answer. 0 chooses a free port.
pub(super) async fn run(steps: &[Step], [port, aws_port]: [u16; 2]) -> Vec<Value> {
    let options = Options { port, aws_port, ..Options::story() };
    let stack = Stack::start(options).await.expect("a stack");
    let mut story = Story { stack, http: client(), saved: BTreeMap::new(), phone: computed::phone() };
    let mut recorded = Vec::new();
    for step in steps {
        recorded.push(story.run(step).await);
    }
    recorded
}

/// Returns a client that does not follow redirects.
pub(super) fn client() -> reqwest::Client {
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).redirect(Policy::none());
    client.build().expect("a client")
}

/// Runs the command of a step.
pub(super) async fn run_command(stack: &Stack, command: &str) {
    let app = stack.accounts().expect("accounts");
    let email: Email = command.strip_prefix(APPOINTMENT).expect(APPOINTMENT).to_owned().try_into().unwrap();
    accounts::appoint(&app, &email, Role::SuperAdmin, false).await.expect("a user");
}

impl Story {
    async fn run(&mut self, step: &Step) -> Value {
        if step.method.as_str() == COMMAND {
            run_command(&self.stack, &step.target).await;
            let request = Request { target: step.target.clone(), ..Request::default() };
            return record(step, &request, 0, Value::Null);
        }
        let request = self.request(step);
        let (status, answer) = self.answer(step, &request).await;
        let answer = if is_local(&request.target) { Value::Null } else { answer };
        self.with_recorded_addresses(&record(step, &request, status, answer))
    }

    /// Sends the request, and saves the answer if a later step needs it.
    async fn answer(&mut self, step: &Step, request: &Request) -> (u16, Value) {
        let response = self.send(request).await;
        let status = response.status().as_u16();
        let has_id = response.headers().contains_key("x-request-id");
        assert!(status < 500 && has_id != is_local(&request.target), "{}: {status}", step.text);
        let text = response.text().await.expect("a body");
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(name) = &step.saved_as {
            assert!(status < 300, "{}: {status} {text}", step.text);
            let saved = if request.target == MAILS { newest(&answer) } else { answer.clone() };
            self.saved.insert(name.clone(), saved);
        }
        (status, answer)
    }

    async fn send(&self, request: &Request) -> Response {
        let target = &request.target;
        let api = if target.starts_with('/') { self.stack.url() } else { "" };
        let mut sent = self.http.request(request.method.clone(), format!("{api}{target}"));
        for (name, value) in &request.headers {
            sent = sent.header(name, value.as_str().expect("a text"));
        }
        if let Some(token) = &request.token {
            sent = sent.bearer_auth(token);
        }
        if request.body.starts_with('{') {
            sent = sent.header("content-type", "application/json");
        }
        if !request.bytes.is_empty() {
            sent = sent.body(request.bytes.clone());
        }
        sent.send().await.expect("a response")
    }

    fn request(&mut self, step: &Step) -> Request {
        let body = step.body.as_ref().map(|body| self.filled(body)).unwrap_or_default();
        let bytes = match body.strip_prefix('@') {
            Some(file) => std::fs::read(folder().join(file)).expect("a file"),
            None => body.clone().into_bytes(),
        };
        let target = self.filled(&step.target).replace(self.stack.url(), "");
        let mut headers = Map::new();
        for (name, value) in &step.headers {
            let value =
                if value == SIGNATURE { computed::signature(&self.stack, &body) } else { self.filled(value) };
            headers.insert(name.clone(), json!(value));
        }
        let token = step.user.as_ref().map(|user| self.token(user));
        let is_exact = body.starts_with('@') || step.headers.iter().any(|(_, value)| value == SIGNATURE);
        Request { method: step.method.clone(), target, headers, token, body, bytes, is_exact }
    }

    fn token(&self, user: &str) -> String {
        let found = ["accessToken", "token"].map(|field| self.find(&format!("{user}.{field}")));
        found.into_iter().flatten().next().expect("a token")
    }

    /// Replaces each `{name.field}` by a field of a saved answer, or by a value that a device computes.
    fn filled(&mut self, text: &str) -> String {
        let mut parts = text.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match part.split_once('}').filter(|(name, _)| is_field(name)) {
                Some((name, rest)) => {
                    let found = self.computed(name).or_else(|| self.find(name));
                    filled +=
                        &found.unwrap_or_else(|| panic!("{text} needs {name}: {:#}", json!(self.saved)));
                    filled += rest;
                }
                None => filled = filled + "{" + part,
            }
        }
        filled
    }

    /// Returns a value that a device computes from a saved answer. `code.NAME` is a code of an authenticator app.
    /// `created.NAME` and `signed.NAME` are responses of the phone with the passkey.
    fn computed(&mut self, name: &str) -> Option<String> {
        let (kind, name) = name.split_once('.')?;
        let data = self.saved.get(name).map(|answer| &answer["data"])?;
        match kind {
            "code" => Some(computed::code(&self.stack, data)),
            "created" => Some(self.phone.creates(data).to_string()),
            "signed" => Some(self.phone.signs(data).to_string()),
            _ => None,
        }
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

fn record(step: &Step, request: &Request, status: u16, answer: Value) -> Value {
    let body = match request.body.as_str() {
        "" => Value::Null,
        body => serde_json::from_str(body).unwrap_or_else(|_| json!(body)),
    };
    json!({
        "text": step.text,
        "user": step.user,
        "token": request.token,
        "method": step.method.as_str(),
        "target": request.target,
        "headers": request.headers,
        "body": body,
        "bytes": request.is_exact.then(|| BASE64_STANDARD.encode(&request.bytes)),
        "status": status,
        "answer": answer,
    })
}

fn is_field(name: &str) -> bool {
    name.contains('.') && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.')
}

pub(super) fn is_local(target: &str) -> bool {
    target.starts_with("/_local") || !target.starts_with('/')
}

/// Returns the token in the newest email with a link.
fn newest(mails: &Value) -> Value {
    let texts = mails["data"].as_array().expect("emails").iter().filter_map(|mail| mail["text"].as_str());
    let token = texts.filter_map(|text| text.split("token=").nth(1)?.split_whitespace().next()).next_back();
    json!({ "data": { "token": token } })
}
