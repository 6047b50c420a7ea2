//! Parses the steps of the story.
//!
//! A step has a comment, a line `[name =] [user] METHOD TARGET`, and indented lines with headers and a body. `name` is
//! the name under which the answer is saved. `{name.field}` is a field of a saved answer. `{code.name}`, `{created.name}`
//! and `{signed.name}` are values that a device computes from a saved answer. The header value `SIGNATURE` stands for
//! the signature of the body.

use reqwest::Method;

/// Method of a step that is a command for a terminal. In `steps.txt`, a line `$ COMMAND` defines such a step.
pub(super) const COMMAND: &str = "COMMAND";

/// A request whose texts can contain fields of earlier answers.
#[derive(Default)]
pub(super) struct Step {
    pub(super) text: String,
    pub(super) saved_as: Option<String>,
    pub(super) user: Option<String>,
    pub(super) method: Method,
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    /// JSON, or the name of a file after `@`.
    pub(super) body: Option<String>,
}

pub(super) fn parse(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(text) => steps.push(Step { text: text.to_owned(), ..Step::default() }),
            None => steps.last_mut().expect("a comment before each request").add(line),
        }
    }
    steps
}

impl Step {
    fn add(&mut self, line: &str) {
        match line.strip_prefix("  ") {
            Some(body) if body.starts_with(['{', '@']) => self.body = Some(body.to_owned()),
            Some(header) => {
                let (name, value) = header.split_once(": ").expect("a header");
                self.headers.push((name.to_owned(), value.to_owned()));
            }
            None => self.set_request(line),
        }
    }

    fn set_request(&mut self, line: &str) {
        if let Some(command) = line.strip_prefix("$ ") {
            self.method = Method::from_bytes(COMMAND.as_bytes()).expect("a method");
            self.target = command.to_owned();
            return;
        }
        let (saved_as, request) = match line.split_once(" = ") {
            Some((name, request)) => (Some(name.to_owned()), request),
            None => (None, line),
        };
        let mut words = request.rsplitn(3, ' ').map(str::to_owned);
        self.target = words.next().expect("a target");
        self.method = words.next().and_then(|method| method.parse().ok()).expect("a method");
        (self.saved_as, self.user) = (saved_as, words.next());
    }
}
