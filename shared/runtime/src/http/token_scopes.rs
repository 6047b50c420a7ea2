//! Which scope of an application token opens each operation.
//!
//! An operation says it beside its route: `security(("bearer" = []), ("token" = ["write:posts"]))`. One that says
//! nothing is closed to application tokens.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use axum::http::{Method, request::Parts};
use domain::accounts::{scopes::Scope, sessions::Session};
use platform::Error as Failed;
use utoipa::openapi::OpenApi;

use super::route::matched_route;
use crate::{
    error::{Error, Result},
    openapi,
};

const CLOSED: Failed = Failed::Forbidden(Cow::Borrowed("this is not for application tokens"));

/// The scopes that open the operations of a function, by method and path without a prefix.
#[derive(Clone)]
pub(super) struct TokenScopes(Arc<HashMap<(Method, String), Scope>>);

impl TokenScopes {
    /// Reads what the operations say.
    pub(super) fn of(api: &OpenApi) -> Self {
        let opened = openapi::operations(api);
        let opened = opened.filter_map(|(method, path, it)| {
            Some(((method, path.to_owned()), Scope::named(&openapi::token_scope(it)?)?))
        });
        Self(Arc::new(opened.collect()))
    }

    fn at(&self, parts: &Parts) -> Option<Scope> {
        // The handler of GET answers HEAD too.
        let method = if parts.method == Method::HEAD { Method::GET } else { parts.method.clone() };
        self.0.get(&(method, matched_route(&parts.extensions))).copied()
    }
}

/// Checks that a session may do what its request asks for: a sign-in may, an application token within its scopes.
///
/// # Errors
/// [`Failed::Forbidden`], which names the scope that an application token lacks.
pub(crate) fn check_scope(parts: &Parts, session: &Session) -> Result<()> {
    let Some(application) = &session.application else { return Ok(()) };
    let scope = parts.extensions.get::<TokenScopes>().and_then(|it| it.at(parts));
    let scope = scope.ok_or(CLOSED)?;
    match application.scopes.contains(&scope) {
        true => Ok(()),
        false => Err(lacks(scope)),
    }
}

fn lacks(scope: Scope) -> Error {
    Failed::Forbidden(format!("this application token lacks the scope {}", scope.name()).into()).into()
}
