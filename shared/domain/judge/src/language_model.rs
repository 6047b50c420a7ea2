//! A language model as a judge.

use std::time::Duration;

use anyhow::{Context, ensure};
use futures::{TryFutureExt, future::BoxFuture};
use platform::{App, Result, error::Error};
use reqwest::Response;
use serde_json::Value;

use super::{
    Grade, Judge, ReportVerdict, answer,
    prompt::{self, Prompt},
};

/// Maximum duration of a request to a model.
pub(super) const TIMEOUT: Duration = Duration::from_secs(20);

/// A model that answers a prompt.
pub(super) trait LanguageModel: Send + Sync {
    /// Returns the model's answer.
    ///
    /// # Errors
    /// Fails if the model does not answer within 20 seconds, or if its answer has no text.
    fn ask(&self, app: &App, prompt: Prompt) -> impl Future<Output = anyhow::Result<String>> + Send;
}

/// Returns the text at `pointer` in a model's JSON response. Errors name the model's service.
pub(super) async fn response_text(
    service: &str,
    response: Response,
    pointer: &str,
) -> anyhow::Result<String> {
    let status = response.status();
    ensure!(status.is_success(), "{service} returned status {status}");
    let response: Value = response.json().await.map_err(reqwest::Error::without_url)?;
    let text = response.pointer(pointer).and_then(Value::as_str);
    Ok(text.with_context(|| format!("{service}'s response has no text"))?.to_owned())
}

impl<M: LanguageModel> Judge for M {
    fn judge<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<ReportVerdict>> {
        let verdict = async move { answer::verdict(&self.ask(app, prompt::for_report(content)).await?) };
        Box::pin(verdict.map_err(Error::Internal))
    }

    fn grade<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>> {
        let grade = async move { answer::grade(&self.ask(app, prompt::for_grade(content)).await?) };
        Box::pin(grade.map_err(Error::Internal))
    }
}
