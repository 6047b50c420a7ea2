//! Serves the table over HTTP. The journal records the writes that the store implements. Other operations, such as
//! PartiQL writes, go to the engine's own server and create no stream records.

use std::sync::Arc;

use anyhow::Result;
use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use lambda_http::http::{HeaderMap, Method, StatusCode, header::HOST, request::Parts, uri::PathAndQuery};
use tokio::{net::TcpListener, task::JoinSet};

use crate::{listen, signed::header, store::Store};

/// DynamoDB's limit on the size of a request body.
const BODY_MAX_BYTES: usize = 16 * 1024 * 1024;
const TARGET: &str = "DynamoDB_20120810.";
const CONTENT_TYPE: &str = "application/x-amz-json-1.0";

#[derive(Clone)]
struct Address {
    store: Store,
    http: reqwest::Client,
    engine: Arc<str>,
}

/// Serves the table, and the table's engine on a separate port.
pub(crate) async fn serve(tasks: &mut JoinSet<()>, listener: TcpListener, store: Store) -> Result<()> {
    let engine = TcpListener::bind(("127.0.0.1", 0)).await?;
    let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build()?;
    let address = Address { http, engine: format!("http://{}", engine.local_addr()?).into(), store };
    let database = address.store.database.clone();
    tasks.spawn(async move {
        let _ = dynoxide::server::serve_with_shutdown(engine, database, std::future::pending()).await;
    });
    listen::serve(tasks, listener, Router::new().fallback(answer).with_state(address));
    Ok(())
}

async fn answer(State(address): State<Address>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY_MAX_BYTES).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    if let Some(operation) = operation(&parts)
        && let Some((status, answer)) = address.store.answer(operation, &body).await
    {
        return (status, [("content-type", CONTENT_TYPE)], answer).into_response();
    }
    address.forward(parts, body).await.unwrap_or_else(|error| {
        tracing::error!(%error, "failed to reach the table's engine");
        StatusCode::BAD_GATEWAY.into_response()
    })
}

/// Returns the operation of a signed DynamoDB request, or `None`.
fn operation(parts: &Parts) -> Option<&str> {
    let is_signed = parts.method == Method::POST && header(&parts.headers, "authorization").is_some();
    header(&parts.headers, "x-amz-target").filter(|_| is_signed)?.strip_prefix(TARGET)
}

impl Address {
    async fn forward(&self, parts: Parts, body: Bytes) -> reqwest::Result<Response> {
        let path = parts.uri.path_and_query().map_or("/", PathAndQuery::as_str);
        let mut headers: HeaderMap = parts.headers;
        headers.remove(HOST);
        let request = self.http.request(parts.method, format!("{}{path}", self.engine));
        let answer = request.headers(headers).body(body).send().await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let mut response = Response::new(Body::from(answer.bytes().await?));
        (*response.status_mut(), *response.headers_mut()) = (status, headers);
        Ok(response)
    }
}
