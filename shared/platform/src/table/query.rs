//! Reads rows of one partition, ordered by sort key.

use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity::Total};
use serde::de::DeserializeOwned;

use super::{
    Index, Row, Table,
    answer::{self, AnyRow, Consumed, PageResponse, Stored},
    retry::call_error,
    row::Item,
};
use crate::Result;

/// A query for rows in one partition of the table or of an index.
#[derive(Clone, Debug, Default)]
pub struct Query {
    pk: String,
    index: Option<Index>,
    range: Range,
    limit: Option<i32>,
    newest_first: bool,
    consistent: bool,
}

#[derive(Clone, Debug, Default)]
enum Range {
    #[default]
    All,
    Prefix(String),
    Between(String, String),
    Before(String),
    After(String),
}

impl Query {
    /// Reads a partition of the table, with the lowest sort key first.
    pub fn partition(pk: impl Into<String>) -> Self {
        Self { pk: pk.into(), ..Self::default() }
    }

    /// Reads a partition of an index, with the lowest sort key first.
    pub fn index(index: Index, pk: impl Into<String>) -> Self {
        Self { index: Some(index), ..Self::partition(pk) }
    }

    /// Reads only sort keys that begin with `sk`.
    pub fn prefix(mut self, sk: impl Into<String>) -> Self {
        self.range = Range::Prefix(sk.into());
        self
    }

    /// Reads only sort keys from `low` to `high`, including both. If `high` is lower than `low`, reads nothing and
    /// makes no call.
    pub fn between(mut self, low: impl Into<String>, high: impl Into<String>) -> Self {
        self.range = Range::Between(low.into(), high.into());
        self
    }

    /// Reads only sort keys that begin with `prefix` and are not lower than `from`.
    pub fn prefix_from(self, prefix: &str, from: Option<String>) -> Self {
        self.between(from.unwrap_or_else(|| prefix.to_owned()), format!("{prefix}~"))
    }

    /// Reads only sort keys that begin with `prefix` and are lower than `{prefix}{end}`. `None` means no upper limit.
    pub fn prefix_before(self, prefix: impl Into<String>, end: Option<impl ToString>) -> Self {
        let prefix = prefix.into();
        let Some(end) = end else { return self.prefix(prefix) };
        let high = highest_below(format!("{prefix}{}", end.to_string()));
        self.between(prefix, high)
    }

    /// Reads only sort keys lower than `sk`. `None` leaves the range unchanged.
    pub fn before(mut self, sk: Option<impl ToString>) -> Self {
        self.range = sk.map_or(self.range, |sk| Range::Before(sk.to_string()));
        self
    }

    /// Reads only sort keys higher than `sk`. `None` leaves the range unchanged.
    pub fn after(mut self, sk: Option<impl ToString>) -> Self {
        self.range = sk.map_or(self.range, |sk| Range::After(sk.to_string()));
        self
    }

    /// Reads at most `rows` rows.
    pub fn limit(mut self, rows: usize) -> Self {
        self.limit = i32::try_from(rows).ok();
        self
    }

    /// Reads rows in descending order of their sort keys.
    pub fn newest_first(mut self) -> Self {
        self.newest_first = true;
        self
    }

    /// Reads with strong consistency, at twice the cost. Not available for indexes.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Returns whether the range ends before it begins. DynamoDB refuses such ranges.
    fn is_empty(&self) -> bool {
        matches!(&self.range, Range::Between(low, high) if low > high)
    }

    fn condition(&self) -> (String, Vec<(&'static str, String)>) {
        let sk = self.index.map_or("sk", Index::sk);
        let (condition, values) = match &self.range {
            Range::All => (String::new(), vec![]),
            Range::Prefix(prefix) => (format!(" AND begins_with({sk}, :a)"), vec![(":a", prefix.clone())]),
            Range::Between(low, high) => {
                (format!(" AND {sk} BETWEEN :a AND :b"), vec![(":a", low.clone()), (":b", high.clone())])
            }
            Range::Before(end) => (format!(" AND {sk} < :a"), vec![(":a", end.clone())]),
            Range::After(start) => (format!(" AND {sk} > :a"), vec![(":a", start.clone())]),
        };
        let pk = self.index.map_or("pk", Index::pk);
        (format!("{pk} = :pk{condition}"), values)
    }
}

/// Returns the upper limit of a range that ends before `sk`, because BETWEEN includes its limits. `~` is higher than all
/// characters of sort keys.
fn highest_below(mut sk: String) -> String {
    let last = sk.pop().map_or(0, |last| last as u8);
    sk.push(char::from(last.saturating_sub(1)));
    sk.push('~');
    sk
}

/// The start of the next page of a scan.
pub struct Next(Item);

impl Table {
    /// Returns the rows that match the query, up to its limit.
    pub async fn query<R: Row>(&self, query: &Query) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        let mut from: Option<Item> = None;
        if query.is_empty() {
            return Ok(rows);
        }
        loop {
            let missing = query.limit.map(|limit| limit - rows.len() as i32);
            let page: PageResponse<Stored<R>> = self.query_page(query, missing, from).await?;
            from = page.next();
            rows.extend(page.items.into_iter().map(|Stored(row)| row));
            let is_full = query.limit.is_some_and(|limit| rows.len() >= limit as usize);
            if is_full || from.is_none() {
                return Ok(rows);
            }
        }
    }

    /// Returns at most `rows` rows, and the sort key of the last row. The key is `None` if fewer than `rows` rows were
    /// found.
    pub async fn next_page<R: Row>(&self, query: Query, rows: usize) -> Result<(Vec<R>, Option<String>)> {
        let found: Vec<R> = self.query(&query.limit(rows)).await?;
        let last = found.last().map(|row| row.key().sk).filter(|_| found.len() == rows);
        Ok((found, last))
    }

    /// Scans one page of the whole table. Returns the rows that can be parsed as `R`, and the start of the next page.
    /// Only tools may use this function. Requests and workers must not scan.
    pub async fn scan<R: DeserializeOwned>(&self, from: Option<Next>) -> Result<(Vec<R>, Option<Next>)> {
        let scan = self.client.scan().table_name(self.name());
        let scan = scan.set_exclusive_start_key(from.map(|Next(item)| item)).return_consumed_capacity(Total);
        let response = Box::pin(scan.send()).await.map_err(call_error)?;
        let page: PageResponse<AnyRow> = answer::read(response.items.unwrap_or_default())?;
        page.consumed_capacity.iter().for_each(Consumed::count_read);
        // Skips rows of other types.
        let rows = page.items.iter().filter_map(|row| row.read().ok()).collect();
        Ok((rows, page.next().map(Next)))
    }

    async fn query_page<R: Row>(
        &self,
        query: &Query,
        limit: Option<i32>,
        from: Option<Item>,
    ) -> Result<PageResponse<Stored<R>>> {
        let (condition, values) = query.condition();
        let mut call = self.client.query().table_name(self.name());
        for (name, value) in values {
            call = call.expression_attribute_values(name, AttributeValue::S(value));
        }
        let call = call
            .expression_attribute_values(":pk", AttributeValue::S(query.pk.clone()))
            .key_condition_expression(condition)
            .set_index_name(query.index.map(|index| index.name().to_owned()))
            .scan_index_forward(!query.newest_first)
            .consistent_read(query.consistent)
            .set_limit(limit)
            .set_exclusive_start_key(from)
            .return_consumed_capacity(Total);
        let response = Box::pin(call.send()).await.map_err(call_error)?;
        let page: PageResponse<Stored<R>> = answer::read(response.items.unwrap_or_default())?;
        page.consumed_capacity.iter().for_each(Consumed::count_read);
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::highest_below;

    #[test]
    fn a_range_ends_directly_below_its_limit() {
        let high = highest_below("POST#01B".to_owned());
        assert!(
            ["POST#", "POST#00", "POST#01A", "POST#01AZ"].into_iter().all(|lower| lower <= high.as_str())
        );
        assert!(["POST#01B", "POST#01BA", "POST#1"].into_iter().all(|other| other > high.as_str()));
    }
}
