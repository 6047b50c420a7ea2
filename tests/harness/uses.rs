//! What functions use, in all worlds together: `make test` holds it to `infra/check/uses.txt`.

use std::{
    collections::BTreeSet,
    fs::OpenOptions,
    io::Write,
    sync::{Mutex, PoisonError},
};

use local::Uses;

/// The file that takes it, if it is to be kept.
const FILE: &str = "USES";

static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Notes, at the end of a world, what was used in it for the first time.
pub(crate) struct Noted(pub(crate) Uses);

impl Drop for Noted {
    fn drop(&mut self) {
        let Some(file) = std::env::var_os(FILE) else { return };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let new: String = self.0.lines().difference(&known).map(|it| format!("{it}\n")).collect();
        known.extend(new.lines().map(str::to_owned));
        let file = OpenOptions::new().append(true).create(true).open(file);
        // A panic here would hide the test's own.
        if file.and_then(|mut it| it.write_all(new.as_bytes())).is_err() {
            eprintln!("what was used was not noted");
        }
    }
}
