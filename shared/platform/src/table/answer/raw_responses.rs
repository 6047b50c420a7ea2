//! Makes the SDK return unparsed responses.

use aws_sdk_dynamodb::{
    operation::{
        batch_get_item::BatchGetItemOutput, get_item::GetItemOutput, query::QueryOutput, scan::ScanOutput,
        update_item::UpdateItemOutput,
    },
    primitives::Blob,
    types::AttributeValue,
};
use aws_smithy_runtime_api::{
    box_error::BoxError,
    client::{
        interceptors::{
            Intercept, OverriddenHooks,
            context::{BeforeDeserializationInterceptorContextMut, Error, Output},
        },
        orchestrator::{HttpResponse, Metadata, OrchestratorError},
        runtime_components::RuntimeComponents,
        ser_de::{DeserializeResponse, SharedResponseDeserializer},
    },
};
use aws_smithy_types::config_bag::ConfigBag;

use crate::table::row::Item;

/// Name of the attribute that contains the unparsed response. The SDK returns one item with only this attribute.
const RESPONSE: &str = "";

/// Makes the SDK return the unparsed responses of operations that return rows.
#[derive(Debug)]
pub(in crate::table) struct RawResponses;

impl Intercept for RawResponses {
    fn name(&self) -> &'static str {
        "raw responses"
    }

    fn modify_before_deserialization(
        &self,
        context: &mut BeforeDeserializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        bag: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let wrap = bag.load::<Metadata>().and_then(|operation| wrapping(operation.name()));
        if let Some(wrap) = wrap.filter(|_| context.response().status().is_success()) {
            bag.interceptor_state().store_put(SharedResponseDeserializer::new(Reader(wrap)));
        }
        Ok(())
    }

    fn overridden_hooks(&self) -> OverriddenHooks {
        OverriddenHooks::MODIFY_BEFORE_DESERIALIZATION
    }
}

type Wrap = fn(Item) -> Output;

/// Returns the function that wraps an item in the operation's output. Returns `None` if the SDK parses the operation's
/// responses.
fn wrapping(operation: &str) -> Option<Wrap> {
    Some(match operation {
        "BatchGetItem" => {
            |item| Output::erase(BatchGetItemOutput::builder().responses(RESPONSE, vec![item]).build())
        }
        "GetItem" => |item| Output::erase(GetItemOutput::builder().set_item(Some(item)).build()),
        "Query" => |item| Output::erase(QueryOutput::builder().items(item).build()),
        "Scan" => |item| Output::erase(ScanOutput::builder().items(item).build()),
        "UpdateItem" => |item| Output::erase(UpdateItemOutput::builder().set_attributes(Some(item)).build()),
        _ => return None,
    })
}

#[derive(Debug)]
struct Reader(Wrap);

impl DeserializeResponse for Reader {
    fn deserialize_nonstreaming_with_config(
        &self,
        response: &HttpResponse,
        _: &ConfigBag,
    ) -> Result<Output, OrchestratorError<Error>> {
        // This response can be an error: an earlier attempt set this reader, but its successful response was lost.
        if !response.status().is_success() {
            return Err(OrchestratorError::response(response.status().to_string().into()));
        }
        let body = AttributeValue::B(Blob::new(response.body().bytes().unwrap_or_default()));
        Ok((self.0)(Item::from([(RESPONSE.to_owned(), body)])))
    }
}

/// Returns the unparsed response from the items that the SDK returned.
pub(super) fn unwrap_response(items: impl IntoIterator<Item = Item>) -> Option<Blob> {
    match items.into_iter().next()?.remove(RESPONSE)? {
        AttributeValue::B(response) => Some(response),
        _ => None,
    }
}
