//! What has the SDK hand over answers that have rows as they came.

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

/// The answer, as the one attribute of the one item that the SDK returns.
const ANSWER: &str = "";

/// Has the SDK hand over answers that have rows as they came.
#[derive(Debug)]
pub(in crate::table) struct AsItCame;

impl Intercept for AsItCame {
    fn name(&self) -> &'static str {
        "answers as they came"
    }

    fn modify_before_deserialization(
        &self,
        answer: &mut BeforeDeserializationInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        bag: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let wrap = bag.load::<Metadata>().and_then(|operation| wrapping(operation.name()));
        if let Some(wrap) = wrap.filter(|_| answer.response().status().is_success()) {
            bag.interceptor_state().store_put(SharedResponseDeserializer::new(Reader(wrap)));
        }
        Ok(())
    }

    fn overridden_hooks(&self) -> OverriddenHooks {
        OverriddenHooks::MODIFY_BEFORE_DESERIALIZATION
    }
}

type Wrap = fn(Item) -> Output;

/// How the SDK wants what it returns for an operation; none for one whose answers it reads itself.
fn wrapping(operation: &str) -> Option<Wrap> {
    Some(match operation {
        "BatchGetItem" => {
            |it| Output::erase(BatchGetItemOutput::builder().responses(ANSWER, vec![it]).build())
        }
        "GetItem" => |it| Output::erase(GetItemOutput::builder().set_item(Some(it)).build()),
        "Query" => |it| Output::erase(QueryOutput::builder().items(it).build()),
        "Scan" => |it| Output::erase(ScanOutput::builder().items(it).build()),
        "UpdateItem" => |it| Output::erase(UpdateItemOutput::builder().set_attributes(Some(it)).build()),
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
        // An earlier attempt may have been answered well, and its answer lost.
        if !response.status().is_success() {
            return Err(OrchestratorError::response(response.status().to_string().into()));
        }
        let answer = AttributeValue::B(Blob::new(response.body().bytes().unwrap_or_default()));
        Ok((self.0)(Item::from([(ANSWER.to_owned(), answer)])))
    }
}

/// Takes the answer out of what the SDK returned.
pub(super) fn taken_out(items: impl IntoIterator<Item = Item>) -> Option<Blob> {
    match items.into_iter().next()?.remove(ANSWER)? {
        AttributeValue::B(answer) => Some(answer),
        _ => None,
    }
}
