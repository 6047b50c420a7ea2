//! Which service a chore is done on: the one that `make dev` runs, or a deployed one.

use anyhow::{Context, Result};
use clap::Args;
use serde::Deserialize;
use shared::{
    App,
    app::{Clients, sdk_config, system_clock},
    settings::Settings,
};

/// A deployed table where one is named, otherwise the local stack.
#[derive(Args)]
pub(crate) struct Place {
    /// The deployed table; the AWS SDK finds region and credentials as it always does.
    #[arg(long, env = "TABLE_NAME")]
    table: Option<String>,
    /// The local stack's port.
    #[arg(long, env = "PORT", default_value_t = 3000)]
    port: u16,
}

/// What the local stack says of itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Local {
    dynamodb_url: String,
    table_name: String,
}

#[derive(Deserialize)]
struct Envelope {
    data: Local,
}

impl Place {
    /// The product, on that table.
    pub(crate) async fn app(self) -> Result<App> {
        match self.table {
            Some(table) => make(table, sdk_config()).await,
            None => local(self.port).await,
        }
    }
}

async fn local(port: u16) -> Result<App> {
    let url = format!("http://127.0.0.1:{port}/_local/addresses");
    let hint =
        || format!("no local stack at port {port}: start it with `make dev`, or name a deployed TABLE_NAME");
    let answer = reqwest::get(&url).await.with_context(hint)?.error_for_status().with_context(hint)?;
    let Local { dynamodb_url, table_name } = answer.json::<Envelope>().await?.data;
    let credentials = aws_sdk_dynamodb::config::Credentials::new("local", "local", None, None, "local");
    let config = sdk_config()
        .endpoint_url(dynamodb_url)
        .region(aws_config::Region::from_static("us-east-1"))
        .credentials_provider(credentials);
    make(table_name, config).await
}

async fn make(table: String, config: aws_config::ConfigLoader) -> Result<App> {
    let settings = Settings::read(|name| (name == "TABLE_NAME").then(|| table.clone()))?;
    Ok(App::new(Clients::new(&config.load().await), settings, system_clock()))
}
