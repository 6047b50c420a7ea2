//! Where the bucket's objects lie: in a directory or, where there is none, in memory.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs::{self, File},
    io::{ErrorKind, Result, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::sqs::uuid;

/// Objects that have not arrived whole. None of these files has a name that is read.
const ARRIVING: &str = "arriving";

#[derive(Clone)]
pub(crate) struct Object {
    pub(crate) content_type: String,
    /// Empty where whoever put it did not say.
    pub(crate) cache_control: String,
    pub(crate) bytes: Bytes,
}

/// All objects, by their paths.
#[derive(Clone)]
pub(crate) enum Shelf {
    Memory(Arc<Mutex<HashMap<String, Object>>>),
    Directory(PathBuf),
}

impl Shelf {
    /// Opens the shelf of a data directory, and clears away what a kill left half written.
    pub(crate) fn open(data: Option<&Path>) -> Result<Self> {
        let Some(data) = data else { return Ok(Self::Memory(Arc::default())) };
        let directory = data.join("objects");
        match fs::remove_dir_all(directory.join(ARRIVING)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(directory.join(ARRIVING))?,
        }
        Ok(Self::Directory(directory))
    }

    /// Keeps an object: all of it or, after a failure or a kill, what was there before.
    pub(crate) fn put(&self, path: &str, object: Object) -> Result<()> {
        match self {
            Self::Memory(objects) => {
                objects.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), object);
                Ok(())
            }
            Self::Directory(directory) => {
                arrive(directory, &object, |arrived| fs::rename(arrived, file(directory, path)))
            }
        }
    }

    /// Keeps an object where there is none.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] where there is one.
    pub(crate) fn put_new(&self, path: &str, object: Object) -> Result<()> {
        match self {
            Self::Memory(objects) => {
                match objects.lock().unwrap_or_else(PoisonError::into_inner).entry(path.to_owned()) {
                    Entry::Occupied(_) => Err(ErrorKind::AlreadyExists.into()),
                    Entry::Vacant(place) => {
                        place.insert(object);
                        Ok(())
                    }
                }
            }
            // Unlike a rename, a link takes the place of nothing.
            Self::Directory(directory) => arrive(directory, &object, |arrived| {
                fs::hard_link(arrived, file(directory, path)).and_then(|()| fs::remove_file(arrived))
            }),
        }
    }

    /// Takes an object away, if there is one.
    pub(crate) fn remove(&self, path: &str) -> Result<()> {
        match self {
            Self::Memory(objects) => {
                objects.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
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
            Self::Memory(objects) => {
                objects.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
            }
            Self::Directory(directory) => read(&file(directory, path)),
        }
    }
}

/// Writes an object whole, before it gets its name.
fn arrive(directory: &Path, object: &Object, name: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let arriving = directory.join(ARRIVING).join(uuid());
    write(&arriving, object).and_then(|()| name(&arriving)).inspect_err(|_| drop(fs::remove_file(&arriving)))
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
    let end = content.iter().position(|it| *it == b'\n')?;
    let head = std::str::from_utf8(content.get(..end)?).ok()?;
    let (content_type, cache_control) = head.split_once('\t').unwrap_or((head, ""));
    let (content_type, cache_control) = (content_type.to_owned(), cache_control.to_owned());
    Some(Object { content_type, cache_control, bytes: Bytes::from(content).slice(end + 1..) })
}
