//! The start of a function: the certificates that it trusts, and checks of its secrets.

use std::process::{Output, Stdio};

use aws_lambda_events::sqs::SqsBatchResponse;
use platform::{
    App,
    table::{Key, Write},
};
use runtime::worker::{self, Batch};
use tests::{Authority, World};
use tokio::process::Command;

use crate::{auth::rotation::rotate, kept::DataDirectory, scale::all_rows};

const JWT_KEY: &str = "arn:aws:secretsmanager:us-east-1:000000000000:secret:jwt-key";
pub(crate) const HLS_KEY: &str = "arn:aws:secretsmanager:us-east-1:000000000000:secret:hls-key";
const SHORT_SECRET: &str = "sesame";
const PLAIN_SECRET: &str = "a secret in plain text of 32 bytes";
/// The partition key of the row that a function writes at its start.
const WRITTEN: &str = "START";

#[tokio::test]
async fn a_function_trusts_the_systems_certificate_authorities() {
    let (world, proxy) = (World::new().await, Authority::new("proxy"));
    let started = Start::of(&world, &proxy).await.run("system").await;
    assert!(started.status.success(), "{}", text(&started));
    assert!(has_written(&world).await, "the function wrote through its proxy");
}

#[tokio::test]
async fn secrets_are_not_read_from_an_untrusted_server() {
    let (world, proxy) = (World::new().await, Authority::new("proxy"));
    let (dynamodb, roots) = (world.stack.dynamodb_url().to_owned(), Authority::new("another").pem);
    let start = Start { dynamodb, roots, ..Start::of(&world, &proxy).await };
    let started = start.run("no-secrets").await;
    assert!(!started.status.success() && text(&started).contains("UnknownIssuer"), "{}", text(&started));
}

#[tokio::test]
async fn a_table_on_an_untrusted_server_is_not_written() {
    let (world, proxy) = (World::new().await, Authority::new("proxy"));
    let roots = Authority::new("another").pem;
    let start =
        Start { variables: vec![("JWT_SECRET", PLAIN_SECRET)], roots, ..Start::of(&world, &proxy).await };
    let started = start.run("no-table").await;
    assert!(!started.status.success() && text(&started).contains("UnknownIssuer"), "{}", text(&started));
    assert!(!has_written(&world).await);
}

#[tokio::test]
async fn without_tls_the_system_certificates_are_not_read() {
    let world = World::new().await;
    // A debug build of the SDK panics if it reads the system certificates and finds none.
    let start = Start { roots: String::new(), ..Start::at(&world) };
    let started = start.run("no-roots").await;
    assert!(started.status.success(), "{}", text(&started));
}

#[tokio::test]
async fn a_secret_shorter_than_32_bytes_prevents_startup() {
    let world = World::new().await;
    rotate(&world, "hls-key", SHORT_SECRET).await;
    for (variable, value) in [
        ("JWT_SECRET", HLS_KEY),
        ("JWT_SECRET_PREVIOUS", HLS_KEY),
        ("JWT_SECRET", SHORT_SECRET),
        ("JWT_SECRET_PREVIOUS", SHORT_SECRET),
        ("HLS_SECRET", HLS_KEY),
        ("HLS_SECRET", SHORT_SECRET),
        ("INTERNAL_SECRET", HLS_KEY),
        ("OUTBOUND_SECRET", HLS_KEY),
        ("ORIGIN_SECRET", SHORT_SECRET),
    ] {
        let start = Start::with(&world, vec![("JWT_SECRET", JWT_KEY), (variable, value)]);
        let started = start.run("short").await;
        let output = text(&started);
        assert!(!started.status.success(), "{variable} {value}");
        assert!(output.contains(&format!("{variable} must have at least 32 bytes")), "{output}");
        assert!(!output.contains(SHORT_SECRET), "{output}");
    }
}

#[tokio::test]
async fn secrets_that_other_services_issue_can_be_short() {
    let world = World::new().await;
    rotate(&world, "hls-key", SHORT_SECRET).await;
    let started = Start::with(&world, vec![("JUDGE_API_KEY", HLS_KEY)]).run("others").await;
    assert!(started.status.success(), "{}", text(&started));
}

#[tokio::test]
async fn each_kind_of_function_logs_its_cold_start() {
    let world = World::new().await;
    for kind in ["requests", "messages", "schedule"] {
        let variables = vec![
            ("JWT_SECRET", JWT_KEY),
            ("KIND", kind),
            // Without a runtime API at this address, the function ends after its start.
            ("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:1"),
            ("AWS_LAMBDA_FUNCTION_NAME", "function"),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256"),
            ("AWS_LAMBDA_FUNCTION_VERSION", "42"),
            ("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/social/Function"),
            ("AWS_LAMBDA_LOG_STREAM_NAME", "stream"),
        ];
        let start = Start::with(&world, variables);
        let output = text(&start.run_test(kind, "start::a_function_starts_and_logs").await);
        let line = output.lines().find(|line| line.contains(r#""message":"cold start""#));
        let line = line.unwrap_or_else(|| panic!("{kind}: {output}"));
        for field in [r#""memoryMb":256"#, r#""version":"42""#, r#""millis":"#] {
            assert!(line.contains(field), "{kind}: {line}");
        }
    }
}

/// The other tests run this test in a new process, because it reads the environment of a function.
#[tokio::test]
#[ignore = "run by other tests"]
async fn a_function_starts_and_logs() {
    let kind = std::env::var_os("KIND").unwrap();
    let ended = match kind.to_str().unwrap() {
        "requests" => runtime::http::serve(|| docs_api::routes(docs_api::PUBLISHED)).await,
        "messages" => worker::run(async |_: &App, _: Batch| SqsBatchResponse::default()).await,
        _ => runtime::scheduled::run(async |_: &App| Ok(())).await,
    };
    ended.unwrap_err();
}

/// The other tests run this test in a new process, because a process reads the system certificates only once.
#[tokio::test]
#[ignore = "run by other tests"]
async fn a_function_starts_and_writes() {
    let app = App::from_env().await.unwrap();
    app.table.write(Write::update(Key::new(WRITTEN, "UP")).set("at", app.now())).await.unwrap();
}

/// Returns whether a function wrote its row.
async fn has_written(world: &World) -> bool {
    all_rows(world).await.iter().any(|row| row["pk"].as_s().is_ok_and(|pk| pk == WRITTEN))
}

/// The environment of a new function process.
pub(crate) struct Start {
    aws: String,
    dynamodb: String,
    table: String,
    variables: Vec<(&'static str, &'static str)>,
    roots: String,
}

impl Start {
    fn at(world: &World) -> Self {
        Self {
            aws: world.stack.aws_url().to_owned(),
            dynamodb: world.stack.dynamodb_url().to_owned(),
            table: world.stack.table_name().to_owned(),
            variables: vec![("JWT_SECRET", JWT_KEY)],
            roots: Authority::new("system").pem,
        }
    }

    /// Returns an environment with these variables.
    pub(crate) fn with(world: &World, variables: Vec<(&'static str, &'static str)>) -> Self {
        Self { variables, ..Self::at(world) }
    }

    /// Returns an environment in which AWS endpoints are behind a TLS proxy whose certificate the system trusts.
    async fn of(world: &World, proxy: &Authority) -> Self {
        let aws = proxy.before(world.stack.aws_url()).await;
        let dynamodb = proxy.before(world.stack.dynamodb_url()).await;
        Self { aws, dynamodb, roots: proxy.pem.clone(), ..Self::at(world) }
    }

    /// Starts a function in a new process. Each call needs a different `name`.
    pub(crate) async fn run(self, name: &str) -> Output {
        self.run_test(name, "start::a_function_starts_and_writes").await
    }

    /// Runs an ignored test in a new process. Each call needs a different `name`.
    async fn run_test(self, name: &str, test: &str) -> Output {
        let directory = DataDirectory::new(name);
        std::fs::create_dir_all(&directory.0).unwrap();
        let roots = directory.0.join("roots.pem");
        std::fs::write(&roots, &self.roots).unwrap();
        let mut function = Command::new(std::env::current_exe().unwrap());
        function.args(["--ignored", "--exact", test]);
        function.env("AWS_ENDPOINT_URL", self.aws).env("AWS_ENDPOINT_URL_DYNAMODB", self.dynamodb);
        function.env("AWS_REGION", "us-east-1");
        function.env("AWS_ACCESS_KEY_ID", "local").env("AWS_SECRET_ACCESS_KEY", "local");
        function.env("TABLE_NAME", self.table).envs(self.variables);
        function.env("SSL_CERT_FILE", &roots).stdin(Stdio::null());
        function.output().await.unwrap()
    }
}

pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
