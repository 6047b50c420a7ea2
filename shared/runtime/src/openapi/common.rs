//! The parts that all operations share: headers, security schemes, and the error body.

use domain::accounts::scopes::Scope;
use platform::idempotency::KEY_MAX_BYTES;
use utoipa::{
    ToSchema,
    openapi::{
        Components, ComponentsBuilder, Header, HeaderBuilder, ObjectBuilder, Ref, Type,
        path::{Parameter, ParameterBuilder, ParameterIn},
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
        tag::{Tag, TagBuilder},
    },
};

use super::{TOKEN_SCHEME, errors::shared_errors};
use crate::error::{ErrorCode, X_ERROR_CODE};

/// Name of the header with the idempotency key, and of its OpenAPI component.
pub(super) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

const TAGS: [(&str, &str); 14] = [
    ("auth", "Registration, sign-in, sessions and emailed tokens"),
    ("posts", "Posts, replies, reposts, quotes, likes and feeds"),
    ("users", "Profiles, follows, friends, blocks, mutes, devices and preferences"),
    ("message-group", "Messages between two users or in a crowd"),
    ("chat", "Message groups as conversations, with the status of each message"),
    ("notification", "The caller's notifications, grouped by target"),
    ("quests", "Daily quests, karma and badges"),
    ("circles", "Groups that gain energy from good posts, and die without good posts"),
    ("museum", "Stones of dead circles"),
    ("search", "Search for users, posts and hashtags"),
    (
        "admin",
        "Operations for administrators: accounts, reports, cases, appeals, quests, statistics and webhooks",
    ),
    ("realtime", "Subscriptions to realtime events"),
    ("uploads", "Uploaded images and videos"),
    ("health", "Whether the service runs, and in which version"),
];

const HEADERS: [(&str, Type, &str); 5] = [
    ("x-request-id", Type::String, "ID of the request, which all its log lines contain"),
    ("retry-after", Type::Integer, "Seconds until the client can retry"),
    ("ratelimit-limit", Type::Integer, "Requests allowed in the current window"),
    ("ratelimit-remaining", Type::Integer, "Requests left in the current window"),
    ("ratelimit-reset", Type::Integer, "Seconds until the current window ends"),
];

/// Body of an error: `{success: false, message}`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "schema only: `Error` writes the body")]
struct Failure {
    /// Always false.
    #[schema(example = false)]
    success: bool,
    /// Explanation of the error. For invalid input, it names the field.
    #[schema(example = "content: must have 1 to 5000 characters")]
    message: String,
}

/// Adds the components that all operations share.
pub(super) fn add_to(components: Components) -> Components {
    let mut builder = ComponentsBuilder::from(components)
        .schema_from::<Failure>()
        .schema_from::<ErrorCode>()
        .parameter(IDEMPOTENCY_KEY, idempotency_key())
        .security_scheme("bearer", bearer())
        .security_scheme(TOKEN_SCHEME, application_token());
    for (name, kind, meaning) in HEADERS {
        builder = builder.header(name, header(kind, meaning));
    }
    builder = builder.header(X_ERROR_CODE, error_code());
    for shared in shared_errors() {
        let (name, response) = shared.component();
        builder = builder.response(name, response);
    }
    builder.build()
}

/// Returns the tags that group operations.
pub(super) fn tags() -> Vec<Tag> {
    let tag = |(name, text): (&str, &str)| TagBuilder::new().name(name).description(Some(text)).build();
    TAGS.map(tag).into()
}

/// Returns a response header of type `kind`.
pub(super) fn header(kind: Type, meaning: &str) -> Header {
    let schema = ObjectBuilder::new().schema_type(kind).build();
    HeaderBuilder::new().schema(Some(schema)).description(Some(meaning)).build()
}

fn error_code() -> Header {
    let schema = Ref::from_schema_name(ErrorCode::name());
    HeaderBuilder::new().schema(Some(schema)).description(Some("The code of the error")).build()
}

fn idempotency_key() -> Parameter {
    let text =
        ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(KEY_MAX_BYTES));
    ParameterBuilder::new()
        .name(IDEMPOTENCY_KEY)
        .parameter_in(ParameterIn::Header)
        .description(Some(
            "Unique key that the client chooses. Within 24 hours, a request with the same key and body is executed only once, \
             and each repetition gets the first answer. This also holds if the requests arrive together. A request that \
             failed stores no answer. The same key with a different body returns 400. Operations without this parameter \
             ignore the header.",
        ))
        .schema(Some(text.build()))
        .build()
}

fn bearer() -> SecurityScheme {
    let http = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT");
    SecurityScheme::Http(http.description(Some("Access token of a session")).build())
}

fn application_token() -> SecurityScheme {
    let scopes = Scope::ALL.map(|scope| format!("`{}`", scope.name())).join(", ");
    let text = format!(
        "Application token from `POST /auth/tokens`. It must have the scope in the operation's `x-scopes`. An operation that \
         needs no sign-in accepts every application token, and treats one without the scope like no token. Other \
         operations without a scope do not accept application tokens. Scopes: {scopes}"
    );
    SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(text)).build())
}
