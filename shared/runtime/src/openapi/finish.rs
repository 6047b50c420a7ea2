//! Completes the OpenAPI document with the parts that all operations share.

use axum::http::Method;
use utoipa::openapi::{
    ContactBuilder, InfoBuilder, LicenseBuilder, ObjectBuilder, OpenApi, PathItem, Ref, RefOr, Schema,
    ServerBuilder, Type,
    extensions::ExtensionsBuilder,
    path::{Operation, Parameter, ParameterIn},
    schema::SchemaType,
};

use super::{
    bodies, common, deprecation, errors, nullable,
    payloads::{self, Schemas},
    unions,
};

/// Path prefixes of operations that ignore the idempotency key. `description.md` lists them too.
const UNKEYED: [&str; 9] = [
    "/admin/login",
    "/auth/login",
    "/auth/logout",
    "/auth/passkeys/login",
    "/auth/refresh-token",
    "/auth/validate/",
    "/internal/",
    "/pusher/",
    "/webhooks/",
];

const ROWS: &str = "Number of rows to return (default 20, maximum 100).";
const POSITION: &str = "Cursor in the response with the previous page. Omit it for the first page.";
const GENERATED: &str = "Generated from the code by `make openapi`.";

/// Returns the complete document: the operations of all functions, and their shared parts.
pub fn finish(mut api: OpenApi) -> OpenApi {
    api.info = InfoBuilder::new()
        .title("Social network")
        .version(super::version())
        .description(Some(include_str!("description.md")))
        .extensions(Some(ExtensionsBuilder::new().add("x-generated", GENERATED).build()))
        .contact(Some(ContactBuilder::new().name(Some("Operator of this network")).build()))
        .license(Some(LicenseBuilder::new().name("MIT").identifier(Some("MIT")).build()))
        .build();
    api.servers = Some(["/", "/api/v1"].map(|url| ServerBuilder::new().url(url).build()).into());
    api.tags = Some(common::tags());
    let mut components = common::add_to(api.components.take().unwrap_or_default());
    payloads::share(&mut components.schemas);
    unions::tag(&mut components.schemas);
    bodies::close(&api.paths, &mut components.schemas);
    nullable::require(&api.paths, &mut components.schemas);
    api.paths.paths.iter_mut().for_each(|(path, item)| describe(path, item, &components.schemas));
    payloads::rename(&mut components.schemas);
    api.components = Some(components);
    api
}

fn describe(path: &str, item: &mut PathItem, schemas: &Schemas) {
    let by_method = [
        (Method::GET, &mut item.get),
        (Method::POST, &mut item.post),
        (Method::PUT, &mut item.put),
        (Method::PATCH, &mut item.patch),
        (Method::DELETE, &mut item.delete),
    ];
    for (method, operation) in by_method {
        if let Some(operation) = operation {
            name(operation);
            payloads::describe(operation, schemas);
            payloads::rename_in(operation);
            describe_paging(operation);
            remove_number_formats(operation);
            add_headers(&method, operation);
            add_idempotency(&method, path, operation);
            deprecation::mark(operation);
            errors::describe(&method, operation);
            operation.security.get_or_insert_default();
        }
    }
}

/// Names an operation after its handler: `create_post` becomes `createPost`.
fn name(operation: &mut Operation) {
    operation.operation_id = operation.operation_id.take().map(|handler| camel_case(&handler));
}

/// Joins words that `-`, `:` or `_` separates: `friend-request:new` becomes `friendRequestNew`.
pub fn camel_case(words: &str) -> String {
    let mut words = words.split(['-', ':', '_']);
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at_checked(1).unwrap_or_default();
        name + &initial.to_ascii_uppercase() + rest
    })
}

/// Describes the number of rows and the cursor of a list, with the same words in every operation.
fn describe_paging(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else { continue };
        match parameter.name.as_str() {
            _ if parameter.parameter_in != ParameterIn::Query => {}
            "take" | "limit" => parameter.description = Some(ROWS.to_owned()),
            "after" | "cursor" => {
                parameter.description = Some(POSITION.to_owned());
                parameter.schema = Some(ObjectBuilder::new().schema_type(Type::String).into());
            }
            _ => {}
        }
    }
}

/// Removes the format of integer query parameters, because values above the maximum are capped instead of rejected.
fn remove_number_formats(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(Parameter { parameter_in: ParameterIn::Query, schema: Some(schema), .. }) = parameter
            && let RefOr::T(Schema::Object(number)) = schema
            && number.schema_type == SchemaType::Type(Type::Integer)
        {
            number.format = None;
        }
    }
}

/// Adds `x-request-id` to each response. If the operation is a write of a signed-in user, also adds the rate limit
/// headers.
fn add_headers(method: &Method, operation: &mut Operation) {
    let limited = *method != Method::GET && operation.security.is_some();
    let rate_limit = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];
    let names = ["x-request-id"].into_iter().chain(rate_limit.into_iter().filter(|_| limited));
    for name in names {
        for response in operation.responses.responses.values_mut() {
            if let RefOr::T(response) = response {
                response.headers.entry(name.to_owned()).or_insert(RefOr::Ref(errors::header(name)));
            }
        }
    }
}

/// Adds the idempotency key to POST and DELETE operations, unless they ignore it.
fn add_idempotency(method: &Method, path: &str, operation: &mut Operation) {
    let is_keyed = matches!(*method, Method::POST | Method::DELETE);
    if is_keyed && !UNKEYED.iter().any(|prefix| path.starts_with(prefix)) {
        let key = Ref::new(format!("#/components/parameters/{}", common::IDEMPOTENCY_KEY));
        operation.parameters.get_or_insert_default().push(RefOr::Ref(key));
    }
}
