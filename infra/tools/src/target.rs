//! The service that a task works on: the local stack or a deployed stack.

use anyhow::{Context, Result};
use aws_config::{Region, SdkConfig};
use clap::Args;
use platform::{
    App,
    app::{Clients, sdk_config},
    clock::system_clock,
    settings::Settings,
};
use serde::Deserialize;
use serde_json::Value;

/// A deployed stack, or the local stack if no table is given.
#[derive(Args)]
pub(crate) struct Target {
    /// Name of the deployed table. Region and credentials come from the AWS environment.
    #[arg(long, env = "TABLE_NAME")]
    table: Option<String>,
    /// Name of the deployed bucket with the list of account deletions.
    #[arg(long, env = "DELETIONS_BUCKET")]
    deletions_bucket: Option<String>,
    /// URL of the deployed API.
    #[arg(long, env = "URL")]
    url: Option<String>,
    /// Port of the local stack.
    #[arg(long, env = "PORT", default_value_t = 3000)]
    port: u16,
}

/// Addresses of the local stack.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Local {
    aws_url: String,
    dynamodb_url: String,
    table_name: String,
}

impl Target {
    /// Returns an [`App`] that uses the target's table, and its bucket with the list of account deletions.
    pub(crate) async fn app(&self) -> Result<App> {
        let (table, config) = match &self.table {
            Some(table) => (table.clone(), sdk_config().load().await),
            None => {
                let local = self.local().await?;
                (local.table_name, local_config(&local.dynamodb_url).await)
            }
        };
        let settings = Settings::read(|name| match name {
            "TABLE_NAME" => Some(table.clone()),
            "DELETIONS_BUCKET" => self.deletions_bucket.clone(),
            _ => None,
        })?;
        Ok(App::new(Clients::new(&config), settings, system_clock()))
    }

    /// Returns a client for the target's queues.
    pub(crate) async fn queues(&self) -> Result<aws_sdk_sqs::Client> {
        let config = match &self.table {
            Some(_) => sdk_config().load().await,
            None => local_config(&self.local().await?.aws_url).await,
        };
        Ok(aws_sdk_sqs::Client::new(&config))
    }

    /// Returns the URL of the target's API.
    pub(crate) fn api(&self) -> String {
        self.url.clone().unwrap_or_else(|| format!("http://127.0.0.1:{}", self.port))
    }

    async fn local(&self) -> Result<Local> {
        let port = self.port;
        let hint = || {
            format!(
                "no local stack at port {port}. Start it with `make dev`, or set TABLE_NAME to a deployed table"
            )
        };
        let response = reqwest::get(format!("http://127.0.0.1:{port}/_local/addresses")).await;
        let response = response.with_context(hint)?.error_for_status().with_context(hint)?;
        let mut addresses: Value = response.json().await?;
        Ok(serde_json::from_value(addresses["data"].take())?)
    }
}

/// Returns an SDK configuration for the local stack.
async fn local_config(url: &str) -> SdkConfig {
    let credentials = aws_sdk_dynamodb::config::Credentials::new("local", "local", None, None, "local");
    let config = sdk_config().endpoint_url(url).region(Region::from_static("us-east-1"));
    config.credentials_provider(credentials).load().await
}
