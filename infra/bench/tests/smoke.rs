//! Runs all of `make bench` on a tiny network. The measured values are not meaningful.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, ensure};
use serde_json::Value;

const NETWORK: &str = "--people 14 --posts 40 --likes 60 --follows 3 --followers 14 --clients 10";

/// Runs the benchmark and returns its output directory.
fn bench(name: &str, arguments: &str) -> Result<PathBuf> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut bench = Command::new(env!("CARGO_BIN_EXE_bench"));
    bench.args(NETWORK.split_whitespace()).args(arguments.split_whitespace()).arg("--out").arg(&out);
    let output = bench.output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(out)
}

fn assert_contains(page: &str, rows: &[&str]) {
    for row in rows {
        assert!(page.contains(row), "{row} is not in\n{page}");
    }
}

fn read(out: &Path, name: &str) -> Result<String> {
    Ok(std::fs::read_to_string(out.join(name))?)
}

#[test]
fn every_operation_is_measured() -> Result<()> {
    let out = bench("requests", "--only requests --counted 2 --requests 2 --at-once 2")?;
    let page = read(&out, "table.md")?;
    assert_contains(
        &page,
        &["| POST /posts |", "| GET /posts/news-feed?sort=ranked |", "| GET /me/drafts |"],
    );
    let figures: Value = serde_json::from_str(&read(&out, "figures.json")?)?;
    let named =
        |name| figures["requests"].as_array().unwrap().iter().find(move |result| result["operation"] == name);
    let detail = named("GET /posts/{id}").unwrap();
    assert_eq!(detail["follow_up"], serde_json::json!({ "function": 0.0, "store": 0.0 }));
    assert!(
        detail["consumed"]["calls"].as_f64().unwrap() >= 2.0 && detail["consumed"]["write_units"] == 0.0,
        "{detail}"
    );
    let register = named("POST /auth/register").unwrap();
    assert!(register["dollars"].as_f64() > Some(100.0), "SES has a price: {register}");
    let draft = named("POST /me/drafts").unwrap();
    assert_eq!(draft["follow_up_consumed"]["write_units"], 0.0, "no work of earlier requests: {draft}");
    let like = named("POST /posts/{id}/like").unwrap();
    assert!(like["dollars"].as_f64() > detail["dollars"].as_f64(), "{like} {detail}");
    assert!(like["processor"]["store"].as_f64().unwrap() > 0.0, "{like}");
    Ok(())
}

#[test]
fn drains_and_growth_are_measured() -> Result<()> {
    let phases = "--only drains --only growth";
    let tiny = "--counted 1 --requests 2 --at-once 2 --backlog 16";
    let out = bench("others", &format!("{phases} {tiny}"))?;
    let page = read(&out, "table.md")?;
    assert_contains(&page, &["| GET /posts/{id}/replies |", "| relay |"]);
    assert!(read(&out, "growth.svg")?.contains("<svg"));
    Ok(())
}
