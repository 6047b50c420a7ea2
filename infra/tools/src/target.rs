//! Which service a chore is done on: the one that `make dev` runs, or a deployed one.

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

/// A deployed table where one is named, otherwise the local stack.
#[derive(Args)]
pub(crate) struct Target {
    /// The deployed table; the AWS SDK finds region and credentials as it always does.
    #[arg(long, env = "TABLE_NAME")]
    table: Option<String>,
    /// The deployed API.
    #[arg(long, env = "URL")]
    url: Option<String>,
    /// The local stack's port.
    #[arg(long, env = "PORT", default_value_t = 3000)]
    port: u16,
}

/// What the local stack says of itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Local {
    aws_url: String,
    dynamodb_url: String,
    table_name: String,
}

#[derive(Deserialize)]
struct Envelope {
    data: Local,
}

impl Target {
    /// The product, on that table.
    pub(crate) async fn app(&self) -> Result<App> {
        let (table, config) = match &self.table {
            Some(table) => (table.clone(), sdk_config().load().await),
            None => {
                let local = self.local().await?;
                (local.table_name, reaching(&local.dynamodb_url).await)
            }
        };
        let settings = Settings::read(|name| (name == "TABLE_NAME").then(|| table.clone()))?;
        Ok(App::new(Clients::new(&config), settings, system_clock()))
    }

    /// The queues that lie beside that table.
    pub(crate) async fn queues(&self) -> Result<aws_sdk_sqs::Client> {
        let config = match &self.table {
            Some(_) => sdk_config().load().await,
            None => reaching(&self.local().await?.aws_url).await,
        };
        Ok(aws_sdk_sqs::Client::new(&config))
    }

    /// Where its API is.
    pub(crate) fn api(&self) -> String {
        self.url.clone().unwrap_or_else(|| format!("http://127.0.0.1:{}", self.port))
    }

    async fn local(&self) -> Result<Local> {
        let port = self.port;
        let hint = || {
            format!("no local stack at port {port}: start it with `make dev`, or name a deployed TABLE_NAME")
        };
        let answer = reqwest::get(format!("http://127.0.0.1:{port}/_local/addresses")).await;
        let answer = answer.with_context(hint)?.error_for_status().with_context(hint)?;
        Ok(answer.json::<Envelope>().await?.data)
    }
}

/// A configuration that reaches the local stack.
async fn reaching(url: &str) -> SdkConfig {
    let credentials = aws_sdk_dynamodb::config::Credentials::new("local", "local", None, None, "local");
    let config = sdk_config().endpoint_url(url).region(Region::from_static("us-east-1"));
    config.credentials_provider(credentials).load().await
}
