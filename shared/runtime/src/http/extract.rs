//! Extractors for handlers. Each extractor refuses invalid input before the handler runs.

use std::{
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

use axum::{
    extract::{FromRequest, FromRequestParts, Request},
    http::{Extensions, HeaderMap, header::CONTENT_TYPE, request::Parts},
};
use domain::{
    UserId,
    people::{UserRef, unique},
};
use http_body_util::{BodyExt, Limited};
use lambda_http::request::RequestContext;
use platform::decode::{decode, decode_all, parse_json};
use platform::{App, Cursor, Error as Failed, Once};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{front::ViewerAddress, route::PREFIX, service::BODY_MAX_BYTES};
use crate::{Error, Result};

/// The JSON body and the idempotency key of a request. Refuses unknown fields. A missing body counts as `{}`.
///
/// `T` is [`Empty`] for an operation without a body, and an [`Option`] if the body is optional.
pub struct Input<T> {
    /// The JSON body.
    pub body: T,
    /// Executes the request at most once per `Idempotency-Key`.
    pub once: Once,
}

/// The body of an operation without a body: nothing or `{}`.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an empty object")]
pub struct Empty {}

/// The body, which is form data or JSON. The content type does not matter.
pub struct FormOrJson<T>(pub T);

/// The headers and unparsed body of a request, for handlers that verify the request's signature.
pub struct Raw {
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

/// The query string.
pub struct Query<T>(pub T);

/// The filters in the query string of an administrators' list. Refuses unknown parameters, because a misspelled filter
/// would return all rows.
pub struct Filters<T>(pub T);

/// The type for a list that has no filters.
#[derive(Deserialize)]
pub struct NoFilters {}

/// Paging parameters, which [`Query`] reads. They do not count as unknown filters.
const LIST_PARAMETERS: [&str; 4] = ["take", "after", "page", "limit"];

/// The query string of a list of users. Its cursor is a listed user: a username, a public ID or an internal ID.
pub struct UserCursor(pub Cursor<UserId>);

/// One or two path parameters. An invalid parameter usually results in 404.
pub struct Path<T>(pub T);

/// A type that can be parsed from a path parameter.
pub trait PathParam: FromStr + Send {
    /// Noun for the 404 error, such as `post` in "no such post".
    const NOUN: &'static str;

    /// Returns the error for an invalid parameter.
    fn refusal() -> Failed {
        Failed::NotFound(Self::NOUN)
    }

    /// Returns the value of a parameter.
    ///
    /// # Errors
    /// Fails with [`PathParam::refusal`] if the parameter is invalid.
    fn find(_: &App, text: &str) -> impl Future<Output = platform::Result<Self>> + Send {
        std::future::ready(parse_param(text))
    }
}

/// Parses a path parameter.
///
/// # Errors
/// Fails with [`PathParam::refusal`] if the parameter is invalid.
pub(super) fn parse_param<T: PathParam>(text: &str) -> platform::Result<T> {
    text.parse().map_err(|_| T::refusal())
}

/// The client's IP address, as seen by the CDN, or by the gateway if there is no CDN.
///
/// For IPv6, this is the client's `/64` network, because a client can use any address in its network.
pub struct Address(pub String);

impl<T: DeserializeOwned> FromRequest<App> for Input<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &App) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let bytes = read(body).await?;
        let once = once(&parts, &bytes)?;
        let body = match decode_all(Value::Object(Map::new())) {
            Ok(body) if bytes.is_empty() => body,
            _ => decode_all(json(&parts, &bytes)?)?,
        };
        Ok(Self { body, once })
    }
}

impl<T: DeserializeOwned> FromRequest<App> for FormOrJson<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &App) -> Result<Self> {
        let bytes = read(request.into_body()).await?;
        let is_json = bytes.trim_ascii_start().starts_with(b"{");
        let value = if is_json { parse_json(&bytes)? } else { Value::Object(form(&bytes)) };
        Ok(Self(decode(value)?))
    }
}

impl FromRequest<App> for Raw {
    type Rejection = Error;

    async fn from_request(request: Request, _: &App) -> Result<Self> {
        let (parts, body) = request.into_parts();
        Ok(Self { headers: parts.headers, body: read(body).await? })
    }
}

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        Ok(Self(decode(Value::Object(parameters(parts)))?))
    }
}

impl<T: DeserializeOwned> FromRequestParts<App> for Filters<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut parameters = parameters(parts);
        parameters.retain(|name, _| !LIST_PARAMETERS.contains(&name.as_str()));
        Ok(Self(decode_all(Value::Object(parameters))?))
    }
}

impl FromRequestParts<App> for UserCursor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let Query(Cursor { take, after }) = Query::<Cursor<UserRef>>::from_request_parts(parts, app).await?;
        let after = match after {
            Some(user) => Some(unique::user_id(app, &user).await.map_err(|error| match error {
                Failed::NotFound(_) => Failed::invalid("after", "must be a user in this list"),
                error => error,
            })?),
            None => None,
        };
        Ok(Self(Cursor { take, after }))
    }
}

impl<T: PathParam> FromRequestParts<App> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let text = axum::extract::Path::<String>::from_request_parts(parts, app).await;
        let text = text.map_err(|_| T::refusal())?.0;
        Ok(Self(T::find(app, &text).await?))
    }
}

impl<T: PathParam, U: PathParam> FromRequestParts<App> for Path<(T, U)> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let texts = axum::extract::Path::<(String, String)>::from_request_parts(parts, app).await;
        let (first, second) = texts.map_err(|_| T::refusal())?.0;
        Ok(Self((T::find(app, &first).await?, U::find(app, &second).await?)))
    }
}

impl FromRequestParts<App> for Address {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        Ok(Self(address(&parts.extensions).unwrap_or_else(|| "unknown".to_owned())))
    }
}

fn address(extensions: &Extensions) -> Option<String> {
    if let Some(ViewerAddress(ip)) = extensions.get() {
        return Some(network(*ip));
    }
    let Some(RequestContext::ApiGatewayV2(context)) = extensions.get() else { return None };
    Some(network(context.http.source_ip.as_ref()?.parse().ok()?))
}

/// Formats an IPv4 address, or the `/64` network of an IPv6 address.
fn network(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => {
            let [a, b, c, d, ..] = ip.segments();
            format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

async fn read(body: axum::body::Body) -> Result<Vec<u8>> {
    let body = Limited::new(body, BODY_MAX_BYTES).collect().await;
    Ok(body.map_err(|_| Error::PayloadTooLarge)?.to_bytes().into())
}

fn json(parts: &Parts, bytes: &[u8]) -> Result<Value> {
    let kind = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(Failed::invalid("content-type", "must be application/json").into());
    }
    Ok(parse_json(bytes)?)
}

fn parameters(parts: &Parts) -> Map<String, Value> {
    form(parts.uri.query().unwrap_or_default().as_bytes())
}

/// Parses form data into an object of strings.
fn form(bytes: &[u8]) -> Map<String, Value> {
    let pairs = form_urlencoded::parse(bytes);
    pairs.map(|(name, value)| (name.into(), Value::String(value.into()))).collect()
}

/// Reads the request's idempotency key. Paths with and without [`PREFIX`] count as the same path.
fn once(parts: &Parts, body: &[u8]) -> Result<Once> {
    let Some(key) = parts.headers.get("idempotency-key") else { return Ok(Once::unkeyed()) };
    let path = parts.uri.path();
    let path = path.strip_prefix(PREFIX).unwrap_or(path);
    Ok(Once::keyed(key.as_bytes(), &format!("{} {path}", parts.method), body)?)
}
