//! A headless Chromium, driven over WebDriver.
//!
//! It uses no WebDriver crate. Such crates add a second HTTP stack, or a serde_json feature that changes the service
//! under test.

use std::{
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};

/// Time limit for a page to show an expected text.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum length of the page text in a failure message.
const SHOWN_MAX_CHARS: usize = 3_000;
const RETRY_INTERVAL: Duration = Duration::from_millis(50);
/// Name of the JSON field in which WebDriver returns the ID of an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// Path of Chromium on Debian. On other systems, chromedriver searches for the browser.
const CHROMIUM: &str = "/usr/bin/chromium";
/// JavaScript that returns the first element that matches a selector. It also searches shadow trees, because the API
/// reference is a web component.
const FIND: &str = r"
    const find = (root, selector) => {
        const found = root.querySelector(selector);
        if (found) return found;
        for (const { shadowRoot } of root.querySelectorAll('*')) {
            const inner = shadowRoot && find(shadowRoot, selector);
            if (inner) return inner;
        }
        return null;
    };
    return find(document, arguments[0]);
";
const ARGUMENTS: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// A browser with a new profile. Dropping it closes the browser.
pub(crate) struct Browser {
    driver: Child,
    http: reqwest::Client,
    session: String,
    profile: PathBuf,
}

impl Browser {
    pub(crate) async fn start() -> Self {
        let mut driver = Command::new("chromedriver")
            .args(["--port=0", "--log-level=SEVERE"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .expect("chromedriver is needed: apt-get install chromium chromium-driver");
        let port = port_of(&mut driver);
        let profile = std::env::temp_dir().join(format!("browser-{}", driver.id()));
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut browser = Self { driver, http, session: format!("http://127.0.0.1:{port}"), profile };
        let answer =
            browser.call(Method::POST, "/session", json!({ "capabilities": browser.wanted() })).await;
        let id = answer.expect("a session")["sessionId"].as_str().unwrap().to_owned();
        browser.session = format!("{}/session/{id}", browser.session);
        browser
    }

    fn wanted(&self) -> Value {
        let profile = format!("--user-data-dir={}", self.profile.display());
        let size = "--window-size=1200,900".to_owned();
        let arguments: Vec<_> = ARGUMENTS.map(str::to_owned).into_iter().chain([profile, size]).collect();
        let mut options = json!({ "args": arguments });
        if Path::new(CHROMIUM).exists() {
            options["binary"] = CHROMIUM.into();
        }
        json!({ "alwaysMatch": { "goog:chromeOptions": options } })
    }

    /// Opens a URL.
    pub(crate) async fn opens(&self, url: &str) {
        self.call(Method::POST, "/url", json!({ "url": url })).await.unwrap();
    }

    /// Switches to the newest tab.
    pub(crate) async fn turns_to_the_new_tab(&self) {
        let handles = self.call(Method::GET, "/window/handles", Value::Null).await.unwrap();
        let newest = handles.as_array().unwrap().last().unwrap().clone();
        self.call(Method::POST, "/window", json!({ "handle": newest })).await.unwrap();
    }

    /// Waits until the page shows a text.
    pub(crate) async fn sees(&self, text: &str) {
        self.waits_for("body", text).await;
    }

    /// Waits until an element shows a text.
    pub(crate) async fn waits_for(&self, selector: &str, text: &str) {
        let shown = async || self.text(selector).await.filter(|shown| shown.contains(text));
        self.waits(&format!("text `{text}` at `{selector}`"), shown).await;
    }

    /// Checks that the page does not show a text.
    pub(crate) async fn misses(&self, text: &str) {
        let page = self.text("body").await.unwrap();
        assert!(!page.contains(text), "the page shows `{text}`:\n{page}");
    }

    /// Waits for the first visible element that matches a selector, and clicks it.
    pub(crate) async fn clicks(&self, selector: &str) {
        let click = async || self.post(&self.find(selector).await.ok()?, "click", json!({})).await.ok();
        self.waits(&format!("element to click at `{selector}`"), click).await;
    }

    /// Waits until no element matches a selector.
    pub(crate) async fn loses(&self, selector: &str) {
        let lost = async || self.find(selector).await.is_err().then_some(());
        self.waits(&format!("page without `{selector}`"), lost).await;
    }

    /// Clicks the button with this name.
    pub(crate) async fn presses(&self, name: &str) {
        self.clicks_at(&format!("//button[normalize-space()='{name}']")).await;
    }

    /// Expands the section whose heading has the text `code` in a `code` element.
    pub(crate) async fn unfolds(&self, code: &str) {
        self.clicks_at(&format!("//summary[code='{code}']")).await;
    }

    async fn clicks_at(&self, path: &str) {
        let click = async || self.post(&self.find_by_path(path).await.ok()?, "click", json!({})).await.ok();
        self.waits(&format!("element to click at `{path}`"), click).await;
    }

    /// Replaces the value of a field.
    pub(crate) async fn writes(&self, selector: &str, text: &str) {
        let write = async || {
            let field = self.find(selector).await.ok()?;
            self.post(&field, "clear", json!({})).await.ok()?;
            self.post(&field, "value", json!({ "text": text })).await.ok()
        };
        self.waits(&format!("field at `{selector}`"), write).await;
    }

    /// Waits for a field, and returns the value of the field.
    pub(crate) async fn reads(&self, selector: &str) -> String {
        let read = async || {
            let id = self.find(selector).await.ok()?;
            let value = self.call(Method::GET, &format!("/element/{id}/property/value"), Value::Null).await;
            value.ok()?.as_str().map(str::to_owned)
        };
        self.waits(&format!("value at `{selector}`"), read).await
    }

    /// Runs the body of a JavaScript function on the page, and returns its result.
    pub(crate) async fn runs(&self, script: &str) -> Value {
        let script = json!({ "script": script, "args": [] });
        self.call(Method::POST, "/execute/sync", script).await.unwrap()
    }

    /// Calls `attempt` until it returns a value, and returns the value. Panics after [`TIMEOUT`].
    async fn waits<T>(&self, what: &str, attempt: impl AsyncFn() -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(found) = attempt().await {
                return found;
            }
            if start.elapsed() > TIMEOUT {
                let text = self.text("body").await.unwrap_or_default();
                let text: String = text.chars().take(SHOWN_MAX_CHARS).collect();
                panic!("no {what} on the page:\n{text}");
            }
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }

    /// Returns the ID of the first element that matches a selector.
    async fn find(&self, selector: &str) -> Result<String, String> {
        let script = json!({ "script": FIND, "args": [selector] });
        let found = self.call(Method::POST, "/execute/sync", script).await?;
        Ok(found[ELEMENT].as_str().ok_or("no such element")?.to_owned())
    }

    /// Returns the ID of the first element at an XPath.
    async fn find_by_path(&self, path: &str) -> Result<String, String> {
        let found = self.call(Method::POST, "/element", json!({ "using": "xpath", "value": path })).await?;
        Ok(found[ELEMENT].as_str().unwrap_or_default().to_owned())
    }

    /// Returns the text of the first element that matches a selector.
    async fn text(&self, selector: &str) -> Option<String> {
        let path = format!("/element/{}/text", self.find(selector).await.ok()?);
        self.call(Method::GET, &path, Value::Null).await.ok()?.as_str().map(str::to_owned)
    }

    /// Sends a command for the element with this ID.
    async fn post(&self, element: &str, command: &str, body: Value) -> Result<Value, String> {
        self.call(Method::POST, &format!("/element/{element}/{command}"), body).await
    }

    /// Sends a command to the driver, and returns its response. Fails with the driver's error message.
    async fn call(&self, method: Method, path: &str, body: Value) -> Result<Value, String> {
        let request = self.http.request(method, format!("{}{path}", self.session));
        let request = if body.is_null() { request } else { request.json(&body) };
        let answer = request.send().await.map_err(|error| error.to_string())?;
        let refused = !answer.status().is_success();
        let mut answer: Value = answer.json().await.map_err(|error| error.to_string())?;
        if refused { Err(answer["value"]["message"].to_string()) } else { Ok(answer["value"].take()) }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Kills the whole process group, because the browser survives if only the driver is killed.
        let _ = Command::new("kill").args(["--", &format!("-{}", self.driver.id())]).status();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Reads the driver's port from its output.
fn port_of(driver: &mut Child) -> u16 {
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = lines
        .map_while(Result::ok)
        .find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok());
    port.expect("the port, which chromedriver prints")
}
