//! Writes one row, or several in a transaction.

use anyhow::anyhow;
use aws_sdk_dynamodb::{
    operation::{
        delete_item::DeleteItemError, put_item::PutItemError, transact_write_items::TransactWriteItemsError,
        update_item::UpdateItemError,
    },
    types::{
        ConditionCheck, Delete, Put, ReturnConsumedCapacity::Total, ReturnValue,
        ReturnValuesOnConditionCheckFailure as OnFailure, TransactWriteItem, Update,
    },
};
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_dynamo::from_item;
use ulid::Ulid;

use super::{
    Row, Table, Write,
    answer::{self, Consumed, Stored, UpdateResponse, count_writes},
    expression::Expression,
    retry::{call_error, transaction_error},
    row::Item,
    write::Kind,
};
use crate::{Error, Result, Time};

/// The outcome of a conditional write.
#[derive(Debug)]
pub enum Attempt<R> {
    /// The written or deleted row.
    Done(R),
    /// A condition did not hold. Contains the existing row, or `None` if there is none.
    Refused(Option<R>),
}

/// The written or deleted row, or the existing row if a condition did not hold.
type Outcome<R> = std::result::Result<Option<R>, Option<R>>;

/// Whether DynamoDB returns the row. Returning a written row takes longer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Returned,
    /// Only the existing row, if a condition does not hold.
    OnFailure,
    Omitted,
}

impl Rows {
    fn is_returned(self) -> bool {
        self == Self::Returned
    }

    fn on_failure(self) -> Option<OnFailure> {
        (self != Self::Omitted).then_some(OnFailure::AllOld)
    }
}

/// The attribute of a row that identifies its last marked write. See [`Write::marked`].
#[derive(Deserialize)]
struct Marked {
    mark: Option<String>,
}

/// Adds the conditions of a write to an SDK builder. This is a macro, because the builders share no trait.
macro_rules! under {
    ($expression:expr, $builder:expr) => {
        $builder
            .set_condition_expression($expression.condition())
            .set_expression_attribute_names($expression.names())
            .set_expression_attribute_values($expression.values())
    };
}

impl Table {
    /// Writes one row.
    ///
    /// # Errors
    /// Fails with the error set by [`Write::or`] if a condition does not hold. The default is [`Error::WriteConflict`].
    pub async fn write(&self, write: impl Into<Write>) -> Result<()> {
        let mut write = write.into();
        let refusal = write.take_refusal();
        self.try_write(write).await?.then_some(()).ok_or(refusal)
    }

    /// Writes one row if the conditions hold. Returns whether the row was written.
    pub async fn try_write(&self, write: impl Into<Write>) -> Result<bool> {
        let mut write = write.into();
        if !write.is_marked {
            return Ok(self.try_row::<IgnoredAny>(write, Rows::Omitted).await?.is_ok());
        }
        let mark = self.outbox_id().to_string();
        write.set_mark(&mark)?;
        // If the response to the first attempt was lost, the second attempt finds the mark of this write.
        let is_own = |row: Marked| row.mark == Some(mark);
        Ok(self.try_row(write, Rows::OnFailure).await?.map_or_else(|row| row.is_some_and(is_own), |_| true))
    }

    /// Writes one row if the conditions hold. Returns the written or deleted row. If a condition does not hold, returns
    /// the existing row.
    pub async fn attempt<R: Row>(&self, write: impl Into<Write>) -> Result<Attempt<R>> {
        match self.try_row(write.into(), Rows::Returned).await? {
            Ok(Some(row)) => Ok(Attempt::Done(row)),
            Ok(None) => Err(Error::internal(anyhow!("DynamoDB returned no row"))),
            Err(found) => Ok(Attempt::Refused(found)),
        }
    }

    async fn try_row<R: DeserializeOwned>(&self, mut write: Write, rows: Rows) -> Result<Outcome<R>> {
        write.seal(|| self.outbox_id())?;
        match &mut write.kind {
            Kind::Put(item) => {
                let item = std::mem::take(item);
                self.put_item(item, &write.expression, rows).await
            }
            Kind::Update => self.update_item(&write, rows).await,
            Kind::Delete => self.delete_item(&write, rows).await,
            Kind::Check => Err(Error::internal(anyhow!("a check needs a transaction"))),
        }
    }

    async fn put_item<R: DeserializeOwned>(
        &self,
        item: Item,
        expression: &Expression,
        rows: Rows,
    ) -> Result<Outcome<R>> {
        let written = rows.is_returned().then(|| item.clone());
        let put = self.client.put_item().table_name(self.name()).set_item(Some(item));
        let put = under!(expression, put)
            .set_return_values_on_condition_check_failure(rows.on_failure())
            .return_consumed_capacity(Total);
        match Box::pin(put.send()).await.map_err(|error| error.into_service_error()) {
            Ok(done) => {
                count_writes(&done.consumed_capacity);
                Ok(Ok(row(written)?))
            }
            Err(PutItemError::ConditionalCheckFailedException(failure)) => Ok(Err(row(failure.item)?)),
            Err(error) => Err(call_error(error)),
        }
    }

    async fn update_item<R: DeserializeOwned>(&self, write: &Write, rows: Rows) -> Result<Outcome<R>> {
        let update = self.client.update_item().table_name(self.name()).set_key(Some((&write.key).into()));
        let update = under!(write.expression, update)
            .set_update_expression(write.expression.update())
            .set_return_values(rows.is_returned().then_some(ReturnValue::AllNew))
            .set_return_values_on_condition_check_failure(rows.on_failure())
            .return_consumed_capacity(Total);
        match Box::pin(update.send()).await.map_err(|error| error.into_service_error()) {
            Ok(done) => {
                let done: UpdateResponse<R> = answer::read(done.attributes)?;
                done.consumed_capacity.iter().for_each(Consumed::count_write);
                Ok(Ok(done.attributes.map(|Stored(row)| row)))
            }
            Err(UpdateItemError::ConditionalCheckFailedException(failure)) => Ok(Err(row(failure.item)?)),
            Err(error) => Err(call_error(error)),
        }
    }

    async fn delete_item<R: DeserializeOwned>(&self, write: &Write, rows: Rows) -> Result<Outcome<R>> {
        let delete = self.client.delete_item().table_name(self.name()).set_key(Some((&write.key).into()));
        let delete = under!(write.expression, delete)
            .set_return_values(rows.is_returned().then_some(ReturnValue::AllOld))
            .set_return_values_on_condition_check_failure(rows.on_failure())
            .return_consumed_capacity(Total);
        match Box::pin(delete.send()).await.map_err(|error| error.into_service_error()) {
            Ok(done) => {
                count_writes(&done.consumed_capacity);
                Ok(Ok(row(done.attributes)?))
            }
            Err(DeleteItemError::ConditionalCheckFailedException(failure)) => Ok(Err(row(failure.item)?)),
            Err(error) => Err(call_error(error)),
        }
    }

    /// Writes all rows or none, as [`Table::transact`] does. A single row is written without a transaction, at half the
    /// cost.
    pub async fn write_all(&self, mut writes: Vec<Write>) -> Result<()> {
        if writes.len() > 1 {
            return self.transact(writes).await;
        }
        match writes.pop() {
            Some(write) => self.write(write).await,
            None => Ok(()),
        }
    }

    /// Commits up to 100 writes in one transaction.
    ///
    /// # Errors
    /// Fails with the error of the first write whose condition does not hold, as [`Table::write`] does.
    pub async fn transact(&self, writes: Vec<Write>) -> Result<()> {
        self.try_transact(writes).await?.map_or(Ok(()), Err)
    }

    /// Commits the writes as [`Table::transact`] does. Returns `None`, or the error of the first write whose condition
    /// does not hold.
    pub async fn try_transact(&self, mut writes: Vec<Write>) -> Result<Option<Error>> {
        writes.iter_mut().try_for_each(|write| write.seal(|| self.outbox_id()))?;
        let steps = writes.iter().map(|write| self.step(write)).collect::<Result<Vec<_>>>()?;
        // The SDK adds a token, so retrying a committed transaction succeeds and writes nothing.
        let transact = self.client.transact_write_items().set_transact_items(Some(steps));
        let outcome = Box::pin(transact.return_consumed_capacity(Total).send()).await;
        match outcome.map_err(|error| error.into_service_error()) {
            Ok(done) => {
                count_writes(done.consumed_capacity());
                Ok(None)
            }
            Err(error) => match refused_step(&error) {
                Some(step) => Ok(writes.get_mut(step).map(Write::take_refusal)),
                None => Err(transaction_error(error)),
            },
        }
    }

    fn outbox_id(&self) -> Ulid {
        self.ids.next(Time::from((self.clock)()))
    }

    fn step(&self, write: &Write) -> Result<TransactWriteItem> {
        let (expression, key) = (&write.expression, Some(Item::from(&write.key)));
        let step = TransactWriteItem::builder();
        let step = match &write.kind {
            Kind::Put(item) => {
                let put = Put::builder().table_name(self.name()).set_item(Some(item.clone()));
                step.put(under!(expression, put).build().map_err(Error::internal)?)
            }
            Kind::Update => {
                let update = Update::builder().table_name(self.name()).set_key(key);
                let update = update.set_update_expression(expression.update());
                step.update(under!(expression, update).build().map_err(Error::internal)?)
            }
            Kind::Delete => {
                let delete = Delete::builder().table_name(self.name()).set_key(key);
                step.delete(under!(expression, delete).build().map_err(Error::internal)?)
            }
            Kind::Check => {
                let check = ConditionCheck::builder().table_name(self.name()).set_key(key);
                step.condition_check(under!(expression, check).build().map_err(Error::internal)?)
            }
        };
        Ok(step.build())
    }
}

fn row<R: DeserializeOwned>(item: Option<Item>) -> Result<Option<R>> {
    item.map(from_item).transpose().map_err(Error::internal)
}

/// Returns the index of the first step whose condition did not hold, or `None`.
fn refused_step(error: &TransactWriteItemsError) -> Option<usize> {
    let TransactWriteItemsError::TransactionCanceledException(canceled) = error else { return None };
    let mut reasons = canceled.cancellation_reasons().iter();
    reasons.position(|reason| reason.code() == Some("ConditionalCheckFailed"))
}
