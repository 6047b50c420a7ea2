//! The scopes that application tokens need for operations.
//!
//! An operation declares its scope beside its route: `security(("bearer" = []), ("token" = ["write:posts"]))`. A
//! token without the scope is refused. If the operation needs no sign-in, the token is ignored instead. An operation
//! without a declared scope accepts no application tokens.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use axum::http::{Method, request::Parts};
use domain::accounts::{scopes::Scope, sessions::Session};
use platform::Error as Failed;
use utoipa::openapi::OpenApi;

use super::route::matched_operation;
use crate::{Result, openapi};

const NO_SCOPE: Failed = Failed::Forbidden(Cow::Borrowed("application tokens cannot use this operation"));

/// The scopes of a function's operations, by method and by path without the prefix.
#[derive(Clone)]
pub(super) struct TokenScopes(Arc<HashMap<(Method, String), Scope>>);

impl TokenScopes {
    /// Reads the declared scopes.
    pub(super) fn of(api: &OpenApi) -> Self {
        let operations = openapi::operations(api);
        let scopes = operations.filter_map(|(method, path, operation)| {
            Some(((method, path.to_owned()), Scope::named(&openapi::token_scope(operation)?)?))
        });
        Self(Arc::new(scopes.collect()))
    }

    fn at(&self, parts: &Parts) -> Option<Scope> {
        self.0.get(&matched_operation(&parts.method, &parts.extensions)).copied()
    }
}

/// Checks that an application token has the scope of the requested operation. A user's own session always passes.
///
/// # Errors
/// Fails with [`Failed::Forbidden`] if the token lacks the scope. The error names the scope.
pub(crate) fn check_scope(parts: &Parts, session: &Session) -> Result<()> {
    let Some(application) = &session.application else { return Ok(()) };
    let scope = parts.extensions.get::<TokenScopes>().and_then(|scopes| scopes.at(parts));
    let scope = scope.ok_or(NO_SCOPE)?;
    if application.scopes.contains(&scope) {
        return Ok(());
    }
    let refusal = format!("this application token lacks the scope {}", scope.name());
    Err(Failed::Forbidden(refusal.into()).into())
}
