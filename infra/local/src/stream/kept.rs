//! The journal on disk: what was about to be written, and the records that are not done.

use std::sync::Arc;

use anyhow::Result;
use serde::de::DeserializeOwned;

use super::record::{Before, Record};
use crate::disk::Disk;

const INTEND: &str = "INSERT INTO stream_intents (rows) VALUES (?)";
const INTENTS: &str = "SELECT id, rows FROM stream_intents ORDER BY id";
const INTENDED: &str = "DELETE FROM stream_intents WHERE id = ?";
const RECORD: &str = "INSERT OR REPLACE INTO stream_records (mapping, sequence, record) VALUES (?, ?, ?)";
const RECORDS: &str = "SELECT sequence, record FROM stream_records WHERE mapping = ? ORDER BY sequence";
const OTHERS: &str = "DELETE FROM stream_records WHERE mapping NOT IN (SELECT value FROM json_each(?))";
const DONE: &str = "DELETE FROM stream_records WHERE mapping = ? AND sequence = ?";

/// Writes down rows that are about to be written, and numbers them. No number is ever used twice; there is none where
/// nothing is kept.
pub(super) fn intend(disk: &Disk, rows: &[Before]) -> Result<Option<u64>> {
    let mut intent = None;
    disk.write(|it| {
        it.prepare_cached(INTEND)?.execute([json(&rows)?])?;
        intent = Some(it.last_insert_rowid().unsigned_abs());
        Ok(())
    })?;
    Ok(intent)
}

/// Replaces an intent by what came of it: records, each for a mapping that wants it.
pub(super) fn complete<'a>(
    disk: &Disk,
    intent: u64,
    mut records: impl Iterator<Item = (&'a str, &'a Record)>,
) -> Result<()> {
    disk.write(|it| {
        it.prepare_cached(INTENDED)?.execute([intent])?;
        let mut insert = it.prepare_cached(RECORD)?;
        records.try_for_each(|(mapping, record)| {
            insert.execute((mapping, record.sequence, json(record)?)).map(drop)
        })
    })?;
    Ok(())
}

/// Forgets records that a mapping is done with.
pub(super) fn done(disk: &Disk, mapping: &str, records: &[Arc<Record>]) -> Result<()> {
    disk.write(|it| {
        let mut delete = it.prepare_cached(DONE)?;
        records.iter().try_for_each(|record| delete.execute((mapping, record.sequence)).map(drop))
    })?;
    Ok(())
}

/// Forgets the records of mappings that are none of these.
pub(super) fn erase_others(disk: &Disk, mappings: &[&str]) -> Result<()> {
    Ok(disk.write(|it| it.execute(OTHERS, [json(&mappings)?]).map(drop))?)
}

/// Returns the intents that nothing is known of, oldest first.
pub(super) fn intents(disk: &Disk) -> Result<Vec<(u64, Vec<Before>)>> {
    read(disk, INTENTS, None)
}

/// Returns the records that a mapping has yet to do, oldest first.
pub(super) fn records(disk: &Disk, mapping: &str) -> Result<Vec<Record>> {
    let records = read(disk, RECORDS, Some(mapping))?;
    Ok(records.into_iter().map(|(_, record)| record).collect())
}

fn read<T: DeserializeOwned>(disk: &Disk, select: &str, mapping: Option<&str>) -> Result<Vec<(u64, T)>> {
    let rows: Vec<(u64, String)> = disk.read(|it| {
        let mut select = it.prepare(select)?;
        let rows =
            select.query_map(rusqlite::params_from_iter(mapping), |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    })?;
    rows.into_iter().map(|(id, text)| Ok((id, serde_json::from_str(&text)?))).collect()
}

fn json(value: &impl serde::Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
