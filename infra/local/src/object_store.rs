//! Stores objects of buckets in a directory or in memory.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs::{self, File},
    io::{ErrorKind, Result, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use sha2::{Digest, Sha256};

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

#[derive(Clone)]
pub(crate) enum ObjectStore {
    Memory(Arc<Mutex<HashMap<String, Object>>>),
    Directory(PathBuf),
}

impl ObjectStore {
    /// Opens the store in a data directory, or in memory without one. Deletes incomplete files.
    pub(crate) fn open(data: Option<&Path>) -> Result<Self> {
        let Some(data) = data else { return Ok(Self::Memory(Arc::default())) };
        let directory = data.join("objects");
        match fs::remove_dir_all(directory.join(INCOMPLETE)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(directory.join(INCOMPLETE))?,
        }
        Ok(Self::Directory(directory))
    }

    /// Stores an object, and replaces an existing object. If the write fails, the existing object remains.
    pub(crate) fn put(&self, path: &str, object: Object) -> Result<()> {
        match self {
            Self::Memory(objects) => {
                lock(objects).insert(path.to_owned(), object);
                Ok(())
            }
            Self::Directory(directory) => {
                write_atomically(directory, &object, |written| fs::rename(written, file(directory, path)))
            }
        }
    }

    /// Stores an object at a new path.
    /// Fails with [`ErrorKind::AlreadyExists`] if an object exists at the path.
    pub(crate) fn put_new(&self, path: &str, object: Object) -> Result<()> {
        match self {
            Self::Memory(objects) => match lock(objects).entry(path.to_owned()) {
                Entry::Occupied(_) => Err(ErrorKind::AlreadyExists.into()),
                Entry::Vacant(entry) => {
                    entry.insert(object);
                    Ok(())
                }
            },
            // Unlike a rename, a hard link does not replace an existing file.
            Self::Directory(directory) => write_atomically(directory, &object, |written| {
                fs::hard_link(written, file(directory, path)).and_then(|()| fs::remove_file(written))
            }),
        }
    }

    pub(crate) fn remove(&self, path: &str) -> Result<()> {
        match self {
            Self::Memory(objects) => {
                lock(objects).remove(path);
                Ok(())
            }
            Self::Directory(directory) => match fs::remove_file(file(directory, path)) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            },
        }
    }

    pub(crate) fn get(&self, path: &str) -> Option<Object> {
        match self {
            Self::Memory(objects) => lock(objects).get(path).cloned(),
            Self::Directory(directory) => read(&file(directory, path)),
        }
    }
}

/// Writes an object to a temporary file. Then calls `publish`, which moves the file to its final name.
fn write_atomically(
    directory: &Path,
    object: &Object,
    publish: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let incomplete = directory.join(INCOMPLETE).join(uuid());
    let written = write(&incomplete, object).and_then(|()| publish(&incomplete));
    written.inspect_err(|_| drop(fs::remove_file(&incomplete)))
}

fn file(directory: &Path, path: &str) -> PathBuf {
    directory.join(hex::encode(Sha256::digest(path)))
}

fn write(file: &Path, object: &Object) -> Result<()> {
    let mut file = File::create_new(file)?;
    writeln!(file, "{}\t{}", object.content_type, object.cache_control)?;
    file.write_all(&object.bytes)?;
    file.sync_all()
}

fn read(file: &Path) -> Option<Object> {
    let content = fs::read(file).ok()?;
    let end = content.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(content.get(..end)?).ok()?;
    let (content_type, cache_control) = head.split_once('\t').unwrap_or((head, ""));
    let (content_type, cache_control) = (content_type.to_owned(), cache_control.to_owned());
    Some(Object { content_type, cache_control, bytes: Bytes::from(content).slice(end + 1..) })
}
