//! Records the permissions and variables that functions use, and the outcomes of their jobs. `make uses-check` and
//! `make test` compare them with files in `infra/check`.

use std::{collections::BTreeSet, fs::OpenOptions, io::Write, sync::Mutex};

use local::Uses;

use crate::server::lock;

/// Environment variables with the paths of the output files. Without a variable, nothing is written.
const USES: &str = "USES";
const OUTCOMES: &str = "OUTCOMES";

static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The recorded uses and outcomes of a stack. Dropping them appends new entries to the output files.
pub(crate) struct Noted(pub(crate) Uses);

impl Drop for Noted {
    fn drop(&mut self) {
        append(USES, &self.0.lines());
        append(OUTCOMES, &self.0.outcomes());
    }
}

/// Appends the lines that are new in this process to the output file that `variable` names.
fn append(variable: &str, lines: &BTreeSet<String>) {
    let Some(file) = std::env::var_os(variable) else { return };
    let mut known = lock(&KNOWN);
    let new: String = lines.difference(&known).map(|line| format!("{line}\n")).collect();
    known.extend(new.lines().map(str::to_owned));
    let file = OpenOptions::new().append(true).create(true).open(file);
    // A panic here would hide the failure of the test.
    if file.and_then(|mut file| file.write_all(new.as_bytes())).is_err() {
        eprintln!("failed to write the recorded uses and outcomes");
    }
}
