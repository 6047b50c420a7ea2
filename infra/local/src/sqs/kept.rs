//! The messages on disk: a list for each queue. What was in flight is visible at once after a restart.

use std::collections::BTreeMap;

use super::{Message, Queue};
use crate::disk::{Disk, Unwritten};

const PREFIX: &str = "queue/";

/// Writes what changed in these queues, in one transaction.
pub(super) fn write<'a>(
    disk: &Disk,
    queues: impl IntoIterator<Item = &'a mut Queue>,
) -> Result<(), Unwritten> {
    let changed: Vec<_> = queues.into_iter().filter(|queue| queue.changes().next().is_some()).collect();
    if !changed.is_empty() {
        disk.write(|it| {
            changed.iter().try_for_each(|queue| {
                let list = list(&queue.settings.name);
                queue.changes().try_for_each(|(sequence, message)| match message {
                    Some(message) => it.put(&list, sequence, message),
                    None => it.remove(&list, sequence),
                })
            })
        })?;
    }
    changed.into_iter().for_each(Queue::is_written);
    Ok(())
}

/// Puts every message back into its queue; those whose queue is gone leave the disk too.
pub(super) fn restore(disk: &Disk, queues: &mut BTreeMap<String, Queue>) -> anyhow::Result<()> {
    for (name, queue) in queues.iter_mut() {
        for (sequence, message) in disk.list::<Message>(&list(name))? {
            let visible_at = if message.in_flight { message.sent } else { message.visible_at };
            queue.put_back(sequence, Message { visible_at, in_flight: false, ..message });
        }
    }
    let names: Vec<_> = queues.keys().map(String::as_str).collect();
    Ok(disk.write(|it| it.clear_others(PREFIX, &names))?)
}

fn list(queue: &str) -> String {
    format!("{PREFIX}{queue}")
}
