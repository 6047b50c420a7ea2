//! Stores the versions of objects in a directory or in memory.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufRead, BufReader, ErrorKind, Read, Result, Write},
    ops::Bound::{Excluded, Included, Unbounded},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::{lock::lock, sqs::uuid};

/// Folder for files that are being written. Files in this folder are never read.
const INCOMPLETE: &str = "incomplete";

#[derive(Clone)]
pub(crate) struct Object {
    pub(crate) content_type: String,
    /// Value of the upload's `cache-control` header, or empty without this header.
    pub(crate) cache_control: String,
    pub(crate) bytes: Bytes,
}

/// A version of the object at a path.
pub(crate) struct Listed {
    pub(crate) path: String,
    pub(crate) id: String,
    /// Whether the version is a delete marker.
    pub(crate) is_deletion: bool,
}

/// The versions of all objects, and the directory with their files. Without a directory, objects are in memory.
#[derive(Clone, Default)]
pub(crate) struct ObjectStore {
    versions: Arc<Mutex<Versions>>,
    directory: Option<PathBuf>,
}

#[derive(Default)]
struct Versions {
    /// The versions of each path, oldest first.
    by_path: BTreeMap<String, Vec<Version>>,
    last_number: u64,
}

struct Version {
    /// Orders the versions of a path.
    number: u64,
    /// The version's ID, and the name of its file. It begins with the number. The rest is random, because a number is
    /// used again if its version was removed before a restart.
    id: String,
    content: Content,
}

enum Content {
    Memory(Object),
    File,
    DeleteMarker,
}

/// First line of a file, as JSON. The bytes of the object follow.
#[derive(Serialize, Deserialize)]
struct Head {
    path: String,
    content_type: String,
    cache_control: String,
    is_deletion: bool,
}

impl ObjectStore {
    /// Opens the store in a data directory, or in memory without one. Deletes incomplete files.
    pub(crate) fn open(data: Option<&Path>) -> Result<Self> {
        let Some(data) = data else { return Ok(Self::default()) };
        let directory = data.join("objects");
        match fs::remove_dir_all(directory.join(INCOMPLETE)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(directory.join(INCOMPLETE))?,
        }
        let versions = Arc::new(Mutex::new(Versions::read(&directory)?));
        Ok(Self { versions, directory: Some(directory) })
    }

    /// Adds a version of an object. Earlier versions remain.
    pub(crate) fn put(&self, path: &str, object: Object) -> Result<()> {
        self.add(path, Some(object), |_| true)
    }

    /// Adds a version of an object.
    /// Fails with [`ErrorKind::AlreadyExists`] if the object exists.
    pub(crate) fn put_new(&self, path: &str, object: Object) -> Result<()> {
        self.add(path, Some(object), |versions| versions.latest(path).is_none())
    }

    /// Adds a delete marker. Earlier versions remain.
    pub(crate) fn mark_deleted(&self, path: &str) -> Result<()> {
        self.add(path, None, |_| true)
    }

    /// Removes all versions of an object, except the latest.
    pub(crate) fn remove_earlier(&self, path: &str) -> Result<()> {
        let latest =
            lock(&self.versions).by_path.get(path).and_then(|all| all.last()).map(|last| last.number);
        self.remove_where(path, |version| Some(version.number) != latest)
    }

    /// Removes all versions of an object.
    pub(crate) fn remove(&self, path: &str) -> Result<()> {
        self.remove_where(path, |_| true)
    }

    /// Removes one version of an object.
    pub(crate) fn remove_version(&self, path: &str, id: &str) -> Result<()> {
        self.remove_where(path, |version| version.id == id)
    }

    /// Returns the latest version of an object, or `None` if the object does not exist.
    pub(crate) fn get(&self, path: &str) -> Option<Object> {
        let id = match lock(&self.versions).latest(path)? {
            Version { content: Content::Memory(object), .. } => return Some(object.clone()),
            version => version.id.clone(),
        };
        read(&self.directory.as_ref()?.join(id))
    }

    /// Returns up to `max` versions whose path starts with `prefix` and comes after `after`, ordered by path. The
    /// versions of a path are ordered from the latest to the oldest.
    pub(crate) fn list(&self, prefix: &str, after: &str, max: usize) -> Vec<Listed> {
        let versions = lock(&self.versions);
        let start = if after < prefix { Included(prefix) } else { Excluded(after) };
        let paths = versions.by_path.range::<str, _>((start, Unbounded));
        let paths = paths.take_while(|(path, _)| path.starts_with(prefix));
        let listed = paths.flat_map(|(path, all)| all.iter().rev().map(move |version| version.listed(path)));
        listed.take(max).collect()
    }

    fn add(&self, path: &str, object: Option<Object>, may_add: impl FnOnce(&Versions) -> bool) -> Result<()> {
        let incomplete = self.directory.as_ref().map(|directory| directory.join(INCOMPLETE).join(uuid()));
        let written = incomplete.as_ref().map_or(Ok(()), |file| write(file, path, object.as_ref()));
        let added = written.and_then(|()| self.publish(path, object, incomplete.as_deref(), may_add));
        added.inspect_err(|_| drop(incomplete.map(fs::remove_file)))
    }

    fn publish(
        &self,
        path: &str,
        object: Option<Object>,
        incomplete: Option<&Path>,
        may_add: impl FnOnce(&Versions) -> bool,
    ) -> Result<()> {
        let mut versions = lock(&self.versions);
        if !may_add(&versions) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let number = versions.last_number + 1;
        let id = format!("{number}-{}", uuid());
        let content = match (object, incomplete.zip(self.directory.as_ref())) {
            (object, Some((incomplete, directory))) => {
                fs::rename(incomplete, directory.join(&id))?;
                if object.is_some() { Content::File } else { Content::DeleteMarker }
            }
            (Some(object), None) => Content::Memory(object),
            (None, None) => Content::DeleteMarker,
        };
        versions.add(path.to_owned(), Version { number, id, content });
        Ok(())
    }

    fn remove_where(&self, path: &str, is_removed: impl Fn(&Version) -> bool) -> Result<()> {
        let mut versions = lock(&self.versions);
        let Some(all) = versions.by_path.get_mut(path) else { return Ok(()) };
        for version in all.iter().filter(|version| is_removed(version)) {
            self.directory
                .as_ref()
                .map_or(Ok(()), |directory| fs::remove_file(directory.join(&version.id)))?;
        }
        all.retain(|version| !is_removed(version));
        if all.is_empty() {
            versions.by_path.remove(path);
        }
        Ok(())
    }
}

impl Versions {
    /// Reads the first lines of all files. Ignores files in other formats.
    fn read(directory: &Path) -> Result<Self> {
        let mut versions = Self::default();
        let files =
            fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>>>()?;
        let mut ids: Vec<_> = files.iter().filter_map(|name| numbered(name.to_str()?)).collect();
        ids.sort_unstable();
        for (number, id) in ids {
            let Some((head, _)) = read_head(&directory.join(&id)) else { continue };
            let content = if head.is_deletion { Content::DeleteMarker } else { Content::File };
            versions.add(head.path, Version { number, id, content });
        }
        Ok(versions)
    }

    fn add(&mut self, path: String, version: Version) {
        self.last_number = version.number;
        self.by_path.entry(path).or_default().push(version);
    }

    /// Returns the latest version, or `None` if it is a delete marker.
    fn latest(&self, path: &str) -> Option<&Version> {
        self.by_path.get(path)?.last().filter(|version| !matches!(version.content, Content::DeleteMarker))
    }
}

impl Version {
    fn listed(&self, path: &str) -> Listed {
        let is_deletion = matches!(self.content, Content::DeleteMarker);
        Listed { path: path.to_owned(), id: self.id.clone(), is_deletion }
    }
}

/// Returns the number in a version's ID, and the ID. Returns `None` for the names of other files.
fn numbered(id: &str) -> Option<(u64, String)> {
    let number = id.split('-').next()?.parse().ok()?;
    Some((number, id.to_owned()))
}

fn write(file: &Path, path: &str, object: Option<&Object>) -> Result<()> {
    let text = |value: fn(&Object) -> &str| object.map(value).unwrap_or_default().to_owned();
    let head = Head {
        path: path.to_owned(),
        content_type: text(|object| &object.content_type),
        cache_control: text(|object| &object.cache_control),
        is_deletion: object.is_none(),
    };
    let mut file = File::create_new(file)?;
    writeln!(file, "{}", serde_json::to_string(&head)?)?;
    file.write_all(object.map(|object| object.bytes.as_ref()).unwrap_or_default())?;
    file.sync_all()
}

fn read(file: &Path) -> Option<Object> {
    let (Head { content_type, cache_control, .. }, mut rest) = read_head(file)?;
    let mut bytes = Vec::new();
    rest.read_to_end(&mut bytes).ok()?;
    Some(Object { content_type, cache_control, bytes: bytes.into() })
}

/// Returns the first line of a file, and a reader of the bytes after the line.
fn read_head(file: &Path) -> Option<(Head, BufReader<File>)> {
    let mut reader = BufReader::new(File::open(file).ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    Some((serde_json::from_str(&line).ok()?, reader))
}
