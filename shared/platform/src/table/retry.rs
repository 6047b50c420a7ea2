//! Makes the SDK retry write conflicts, and maps the errors of failed calls.

use aws_sdk_dynamodb::{
    config::retry::{ClassifyRetry, RetryAction},
    error::ProvideErrorMetadata,
    operation::{
        delete_item::DeleteItemError, put_item::PutItemError, transact_write_items::TransactWriteItemsError,
        update_item::UpdateItemError,
    },
};
use aws_smithy_runtime_api::client::interceptors::context::{Error as OperationError, InterceptorContext};

use crate::Error;

const CONFLICT: &str = "TransactionConflictException";
/// Error codes of calls that conflicted with another writer, or exceeded a limit of the table or the account.
const THROTTLED: [&str; 5] = [
    CONFLICT,
    "TransactionInProgressException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
];
/// Codes of transaction steps that conflicted or exceeded a limit.
const THROTTLED_STEPS: [&str; 3] =
    ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];
/// The reason that DynamoDB gives for a step of a canceled transaction if the step was not at fault.
const NOT_AT_FAULT: &str = "None";

/// Makes the SDK retry write conflicts. By default, the SDK retries only throttled calls, server errors and network
/// errors.
#[derive(Debug)]
pub(crate) struct Conflicts;

impl ClassifyRetry for Conflicts {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let failure = context.output_or_error().and_then(Result::err);
        match failure.and_then(|failure| failure.as_operation_error()).is_some_and(is_conflict) {
            // Not `transient_error`, for which the SDK would also close the connection.
            true => RetryAction::throttling_error(),
            false => RetryAction::NoActionIndicated,
        }
    }

    fn name(&self) -> &'static str {
        "conflicts of DynamoDB"
    }
}

/// Maps the error of a call that failed after all retries.
pub(super) fn call_error<E: ProvideErrorMetadata + Into<anyhow::Error>>(error: E) -> Error {
    match error.code().is_some_and(|code| THROTTLED.contains(&code)) {
        true => Error::Throttled(error.into()),
        false => Error::internal(error),
    }
}

/// Maps the error of a transaction that failed after all retries.
pub(super) fn transaction_error(error: TransactWriteItemsError) -> Error {
    match is_canceled_by_others(&error) {
        true => Error::Throttled(error.into()),
        false => call_error(error),
    }
}

fn is_conflict(error: &OperationError) -> bool {
    code::<PutItemError>(error)
        .or_else(|| code::<UpdateItemError>(error))
        .or_else(|| code::<DeleteItemError>(error))
        .map_or_else(|| error.downcast_ref().is_some_and(is_canceled_by_others), |code| code == CONFLICT)
}

fn code<E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static>(
    error: &OperationError,
) -> Option<&str> {
    error.downcast_ref::<E>()?.code()
}

/// Returns whether only conflicts and limits canceled the transaction. If a condition failed, the transaction must not
/// be retried.
fn is_canceled_by_others(error: &TransactWriteItemsError) -> bool {
    let TransactWriteItemsError::TransactionCanceledException(canceled) = error else { return false };
    let codes = canceled.cancellation_reasons().iter().filter_map(|reason| reason.code());
    let mut causes = codes.filter(|code| *code != NOT_AT_FAULT).peekable();
    causes.peek().is_some() && causes.all(|code| THROTTLED_STEPS.contains(&code))
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::types::{CancellationReason, error::TransactionCanceledException};

    use super::{TransactWriteItemsError, is_canceled_by_others};

    fn canceled(codes: &[&str]) -> TransactWriteItemsError {
        let reasons = codes.iter().map(|code| CancellationReason::builder().code(*code).build()).collect();
        let exception = TransactionCanceledException::builder().set_cancellation_reasons(Some(reasons));
        TransactWriteItemsError::TransactionCanceledException(exception.build())
    }

    #[test]
    fn only_conflicts_and_throttled_calls_are_retried() {
        assert!(is_canceled_by_others(&canceled(&["None", "TransactionConflict", "ThrottlingError"])));
        assert!(!is_canceled_by_others(&canceled(&["TransactionConflict", "ConditionalCheckFailed"])));
        assert!(!is_canceled_by_others(&canceled(&["TransactionConflict", "ValidationError"])));
        assert!(!is_canceled_by_others(&canceled(&["None"])));
    }
}
