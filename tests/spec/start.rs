//! How a function starts: whom it believes to be AWS.

use std::{
    path::PathBuf,
    process::{Output, Stdio},
};

use platform::{
    App,
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};
use tests::{Authority, World};
use tokio::process::Command;

const JWT_KEY: &str = "arn:aws:secretsmanager:us-east-1:000000000000:secret:jwt-key";
const PLAIN_SECRET: &str = "a secret in plain text of 32 bytes";

#[tokio::test]
async fn aws_behind_an_authority_that_the_system_trusts_is_trusted() {
    let (world, proxy) = (World::new().await, Authority::new("proxy"));
    let started = Start::of(&world, &proxy).await.run("system").await;
    assert!(started.status.success(), "{}", text(&started));
    let row = world.app().table.get::<Started>(&key()).await.unwrap();
    assert!(row.is_some(), "it wrote through its proxy");
}

#[tokio::test]
async fn secrets_behind_an_authority_that_nobody_trusts_are_not_read() {
    let (world, proxy) = (World::new().await, Authority::new("proxy"));
    let start = Start { roots: Authority::new("another").pem, ..Start::of(&world, &proxy).await };
    let started = start.run("no-secrets").await;
    assert!(!started.status.success() && text(&started).contains("UnknownIssuer"), "{}", text(&started));
}

#[tokio::test]
async fn a_table_behind_an_authority_that_nobody_trusts_is_not_written() {
    let (world, proxy) = (World::new().await, Authority::new("proxy"));
    let roots = Authority::new("another").pem;
    let start = Start { secret: PLAIN_SECRET, roots, ..Start::of(&world, &proxy).await };
    let started = start.run("no-table").await;
    assert!(!started.status.success() && text(&started).contains("UnknownIssuer"), "{}", text(&started));
    assert!(world.app().table.get::<Started>(&key()).await.unwrap().is_none());
}

#[tokio::test]
async fn the_roots_of_the_system_are_not_read_where_they_are_not_needed() {
    let (world, proxy) = (World::new().await, Authority::new("proxy"));
    let (aws, dynamodb) = (world.stack.aws_url().to_owned(), world.stack.dynamodb_url().to_owned());
    // The SDK's client ends a debug build that reads roots and finds none.
    let start = Start { aws, dynamodb, roots: String::new(), ..Start::of(&world, &proxy).await };
    let started = start.run("no-roots").await;
    assert!(started.status.success(), "{}", text(&started));
}

/// What the tests above run in processes of their own: the roots of the system are a matter of a whole process.
#[tokio::test]
#[ignore = "other tests start it"]
async fn a_function_starts_and_writes() {
    let app = App::from_env().await.unwrap();
    app.table.write(Write::put(&Started { pk: "START".to_owned(), sk: "UP".to_owned() })).await.unwrap();
}

#[derive(Serialize, Deserialize)]
struct Started {
    pk: String,
    sk: String,
}

impl Row for Started {
    fn key(&self) -> Key {
        key()
    }
}

fn key() -> Key {
    Key::new("START", "UP")
}

/// The environment of a function.
struct Start {
    aws: String,
    dynamodb: String,
    table: String,
    secret: &'static str,
    roots: String,
}

impl Start {
    /// AWS is behind a proxy, and the system knows the proxy's authority.
    async fn of(world: &World, proxy: &Authority) -> Self {
        Self {
            aws: proxy.before(world.stack.aws_url()).await,
            dynamodb: proxy.before(world.stack.dynamodb_url()).await,
            table: world.stack.table_name().to_owned(),
            secret: JWT_KEY,
            roots: proxy.pem.clone(),
        }
    }

    async fn run(self, name: &str) -> Output {
        let roots = Roots::new(name, &self.roots);
        let mut function = Command::new(std::env::current_exe().unwrap());
        function.args(["--ignored", "--exact", "start::a_function_starts_and_writes"]);
        function.env("AWS_ENDPOINT_URL", self.aws).env("AWS_ENDPOINT_URL_DYNAMODB", self.dynamodb);
        function.env("AWS_REGION", "us-east-1");
        function.env("AWS_ACCESS_KEY_ID", "local").env("AWS_SECRET_ACCESS_KEY", "local");
        function.env("TABLE_NAME", self.table).env("JWT_SECRET", self.secret);
        function.env("SSL_CERT_FILE", &roots.0).stdin(Stdio::null());
        function.output().await.unwrap()
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A file of root certificates, gone with its test.
struct Roots(PathBuf);

impl Roots {
    fn new(name: &str, pem: &str) -> Self {
        let file = std::env::temp_dir().join(format!("social-{name}-{}.pem", std::process::id()));
        std::fs::write(&file, pem).unwrap();
        Self(file)
    }
}

impl Drop for Roots {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
