//! Schema names are unique nouns. If two types had the same name, the document would silently omit one of them.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use super::document;

/// First lines of `platform` macro calls that declare one schema per line.
const MACROS: [&str; 4] = ["ids! {", "any_case_words! {", "text_types! {", "bus_events! {"];

/// Endings of names of Rust types. Names of schemas must not have these endings.
const OF_RUST: [&str; 6] = ["Envelope", "Map", "Row", "Set", "Vec", "View"];

#[test]
fn schema_names_are_unique() {
    let mut seen = HashMap::new();
    for (name, file) in rust_files(&["shared", "functions"]).into_iter().flat_map(|file| schemas(&file)) {
        if let Some(other) = seen.insert(name.clone(), file.clone()) {
            panic!("{name} is a schema in {} and in {}", other.display(), file.display());
        }
    }
    assert!(seen.len() > 100, "only {} schemas", seen.len());
    for known in ["Post", "CircleRole", "PostId", "Time", "Username"] {
        assert!(seen.contains_key(known), "the search misses the schema {known}");
    }
}

#[tokio::test]
async fn schema_names_are_nouns_of_the_api() {
    let document = document().await;
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        let is_of_rust = name.contains('_') || OF_RUST.iter().any(|word| name.ends_with(word));
        let is_verb = name.ends_with("ed");
        assert!(name.starts_with(char::is_uppercase) && !is_of_rust && !is_verb, "{name}");
    }
}

/// Returns the Rust files in these folders of the repository.
pub(crate) fn rust_files(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut next = 0;
    while next < files.len() {
        let inside = fs::read_dir(&files[next]).into_iter().flatten();
        files.extend(inside.map(|entry| entry.unwrap().path()));
        next += 1;
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// Returns the schema names in a file: type names, or names in `#[schema(as = …)]`.
fn schemas(file: &Path) -> Vec<(String, PathBuf)> {
    let text = fs::read_to_string(file).unwrap();
    let mut names = Vec::new();
    let (mut derived, mut given, mut within) = (false, None, false);
    for line in text.lines() {
        let code = line.trim_start();
        within = (within || MACROS.iter().any(|start| line.ends_with(start))) && line != "}";
        derived = !line.is_empty() && (derived || is_derive(code));
        given = given.or_else(|| code.strip_prefix("#[schema(")?.split("as = ").nth(1).map(word));
        let declared = if derived { declared(code) } else { None };
        let listed = if within { listed(line) } else { None };
        if let Some(name) = declared.or(listed).or_else(|| by_hand(code)) {
            names.push((given.take().unwrap_or(name), file.to_owned()));
            derived = false;
        }
    }
    names
}

fn is_derive(code: &str) -> bool {
    code.contains("ToSchema") && (code.starts_with("#[derive(") || code == "ToSchema,")
}

/// Returns the type name in a line such as `pub enum Name {`.
fn declared(code: &str) -> Option<String> {
    let kind = ["struct ", "enum "].into_iter().find_map(|keyword| code.split_once(keyword))?;
    let visible = kind.0.is_empty() || kind.0.starts_with("pub");
    (visible && !kind.1.starts_with('$')).then(|| word(kind.1))
}

/// Returns the type name in a macro line such as `    Name: check;`.
fn listed(line: &str) -> Option<String> {
    let name = line.strip_prefix("    ")?;
    name.starts_with(|char: char| char.is_ascii_uppercase()).then(|| word(name))
}

/// Returns the type name in a line such as `impl ToSchema for Name {}`.
fn by_hand(code: &str) -> Option<String> {
    code.strip_prefix("impl ToSchema for ").map(word)
}

fn word(text: &str) -> String {
    text.chars().take_while(|char| char.is_ascii_alphanumeric()).collect()
}
