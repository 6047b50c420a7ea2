//! A language model as a judge.

use futures::{TryFutureExt, future::BoxFuture};
use platform::{App, Result, error::Error};

use super::{
    Grade, Judge, ReportVerdict, answer,
    prompt::{self, Prompt},
};

/// A model that answers a prompt.
pub(super) trait LanguageModel: Send + Sync {
    /// Returns the model's answer.
    ///
    /// # Errors
    /// Fails if the model does not answer within 20 seconds, or if its answer has no text.
    fn ask(&self, app: &App, prompt: Prompt) -> impl Future<Output = anyhow::Result<String>> + Send;
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
