//! Stores messages on disk, in one list per queue. A restart makes messages in flight visible.

use std::collections::BTreeMap;

use super::{Message, Queue};
use crate::disk::{Disk, SaveFailed};

const PREFIX: &str = "queue/";

/// Saves the unsaved changes of these queues in one transaction.
pub(super) fn write<'a>(
    disk: &Disk,
    queues: impl IntoIterator<Item = &'a mut Queue>,
) -> Result<(), SaveFailed> {
    let changed: Vec<_> = queues.into_iter().filter(|queue| queue.changes().next().is_some()).collect();
    if !changed.is_empty() {
        disk.write(|changes| {
            changed.iter().try_for_each(|queue| {
                let list = list(&queue.settings.name);
                queue.changes().try_for_each(|(sequence, message)| match message {
                    Some(message) => changes.put(&list, sequence, message),
                    None => changes.remove(&list, sequence),
                })
            })
        })?;
    }
    changed.into_iter().for_each(Queue::clear_changes);
    Ok(())
}

/// Restores the messages of `queues`. Deletes the messages of other queues from the disk.
pub(super) fn restore(disk: &Disk, queues: &mut BTreeMap<String, Queue>) -> anyhow::Result<()> {
    for (name, queue) in queues.iter_mut() {
        for (sequence, message) in disk.list::<Message>(&list(name))? {
            let visible_at = if message.in_flight { message.sent } else { message.visible_at };
            queue.restore(sequence, Message { visible_at, in_flight: false, ..message });
        }
    }
    let names: Vec<_> = queues.keys().map(String::as_str).collect();
    Ok(disk.write(|changes| changes.clear_others(PREFIX, &names))?)
}

fn list(queue: &str) -> String {
    format!("{PREFIX}{queue}")
}
