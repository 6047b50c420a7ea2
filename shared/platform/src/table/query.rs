//! Reads rows of one partition, in the order of their sort keys.

use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity::Total};
use serde::de::DeserializeOwned;

use super::{
    Index, Row, Table,
    answer::{self, AnyRow, Consumed, Several, Stored},
    retry::failed,
    row::Item,
};
use crate::error::Result;

/// What to read of one partition of the table or of an index.
#[derive(Clone, Debug)]
pub struct Query {
    pk: String,
    index: Option<Index>,
    range: Range,
    limit: Option<i32>,
    newest_first: bool,
    consistent: bool,
}

#[derive(Clone, Debug)]
enum Range {
    All,
    Prefix(String),
    Between(String, String),
    Before(String),
    After(String),
}

impl Query {
    /// Reads a partition of the table, lowest sort key first.
    pub fn partition(pk: impl Into<String>) -> Self {
        Self {
            pk: pk.into(),
            index: None,
            range: Range::All,
            limit: None,
            newest_first: false,
            consistent: false,
        }
    }

    /// Reads a partition of an index, lowest sort key first.
    pub fn index(index: Index, pk: impl Into<String>) -> Self {
        Self { index: Some(index), ..Self::partition(pk) }
    }

    /// Reads only sort keys that begin with `sk`.
    pub fn prefix(mut self, sk: impl Into<String>) -> Self {
        self.range = Range::Prefix(sk.into());
        self
    }

    /// Reads only sort keys from `low` to `high`, both included; nothing, and without a call, when `high` is lower.
    pub fn between(mut self, low: impl Into<String>, high: impl Into<String>) -> Self {
        self.range = Range::Between(low.into(), high.into());
        self
    }

    /// Reads only sort keys that begin with `prefix`, from one of them on, itself included; all of them without one.
    pub fn prefix_from(self, prefix: &str, from: Option<String>) -> Self {
        self.between(from.unwrap_or_else(|| prefix.to_owned()), format!("{prefix}~"))
    }

    /// Reads only sort keys lower than `sk`; all of them without one.
    pub fn before(mut self, sk: Option<impl ToString>) -> Self {
        self.range = sk.map_or(self.range, |it| Range::Before(it.to_string()));
        self
    }

    /// Reads only sort keys higher than `sk`; all of them without one.
    pub fn after(mut self, sk: Option<impl ToString>) -> Self {
        self.range = sk.map_or(self.range, |it| Range::After(it.to_string()));
        self
    }

    /// Reads at most so many rows.
    pub fn limit(mut self, rows: usize) -> Self {
        self.limit = i32::try_from(rows).ok();
        self
    }

    /// Reads the highest sort key first.
    pub fn newest_first(mut self) -> Self {
        self.newest_first = true;
        self
    }

    /// Reads with strong consistency, for twice the RRU. DynamoDB refuses it for an index.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Whether its range ends before it begins, which DynamoDB refuses.
    fn is_empty(&self) -> bool {
        matches!(&self.range, Range::Between(low, high) if low > high)
    }

    fn condition(&self) -> (String, Vec<(&'static str, String)>) {
        let sk = self.index.map_or("sk", Index::sk);
        let (condition, values) = match &self.range {
            Range::All => (String::new(), vec![]),
            Range::Prefix(it) => (format!(" AND begins_with({sk}, :a)"), vec![(":a", it.clone())]),
            Range::Between(low, high) => {
                (format!(" AND {sk} BETWEEN :a AND :b"), vec![(":a", low.clone()), (":b", high.clone())])
            }
            Range::Before(it) => (format!(" AND {sk} < :a"), vec![(":a", it.clone())]),
            Range::After(it) => (format!(" AND {sk} > :a"), vec![(":a", it.clone())]),
        };
        let pk = self.index.map_or("pk", Index::pk);
        (format!("{pk} = :pk{condition}"), values)
    }
}

/// The position at which the next page of a scan begins.
pub struct Next(Item);

impl Table {
    /// Returns the rows of the query; without a limit, all of them.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer.
    pub async fn query<R: Row>(&self, query: &Query) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        let mut from: Option<Item> = None;
        if query.is_empty() {
            return Ok(rows);
        }
        loop {
            let missing = query.limit.map(|limit| limit - rows.len() as i32);
            let page: Several<Stored<R>> = self.query_page(query, missing, from).await?;
            from = page.next();
            rows.extend(page.items.into_iter().map(|Stored(row)| row));
            let full = query.limit.is_some_and(|limit| rows.len() >= limit as usize);
            if full || from.is_none() {
                return Ok(rows);
            }
        }
    }

    /// Returns the next rows of the query, at most `rows`, and the sort key at which they end; `None` after the last page.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer.
    pub async fn next_page<R: Row>(&self, query: Query, rows: usize) -> Result<(Vec<R>, Option<String>)> {
        let found: Vec<R> = self.query(&query.limit(rows)).await?;
        let last = found.last().map(|row| row.key().sk).filter(|_| found.len() == rows);
        Ok((found, last))
    }

    /// Returns the rows of one kind on a page of the whole table, and where the next page begins. Only tools
    /// scan, never a request or a worker.
    ///
    /// # Errors
    /// Fails when DynamoDB does not answer.
    pub async fn scan<R: DeserializeOwned>(&self, from: Option<Next>) -> Result<(Vec<R>, Option<Next>)> {
        let scan = self.client.scan().table_name(self.name());
        let scan = scan.set_exclusive_start_key(from.map(|Next(item)| item)).return_consumed_capacity(Total);
        let answer = Box::pin(scan.send()).await.map_err(failed)?;
        let page: Several<AnyRow> = answer::read(answer.items.unwrap_or_default())?;
        page.consumed_capacity.iter().for_each(Consumed::count_read);
        // Rows of another kind are left out.
        let rows = page.items.iter().filter_map(|it| it.read().ok()).collect();
        Ok((rows, page.next().map(Next)))
    }

    async fn query_page<R: Row>(
        &self,
        query: &Query,
        limit: Option<i32>,
        from: Option<Item>,
    ) -> Result<Several<Stored<R>>> {
        let (condition, values) = query.condition();
        let mut ask = self.client.query().table_name(self.name());
        for (name, value) in values {
            ask = ask.expression_attribute_values(name, AttributeValue::S(value));
        }
        let ask = ask
            .expression_attribute_values(":pk", AttributeValue::S(query.pk.clone()))
            .key_condition_expression(condition)
            .set_index_name(query.index.map(|it| it.name().to_owned()))
            .scan_index_forward(!query.newest_first)
            .consistent_read(query.consistent)
            .set_limit(limit)
            .set_exclusive_start_key(from)
            .return_consumed_capacity(Total);
        let answer = Box::pin(ask.send()).await.map_err(failed)?;
        let page: Several<Stored<R>> = answer::read(answer.items.unwrap_or_default())?;
        page.consumed_capacity.iter().for_each(Consumed::count_read);
        Ok(page)
    }
}
