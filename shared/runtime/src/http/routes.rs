//! The routes of a function.
//!
//! Schemas are built only for the API reference, because building them would take most of a function's start time.

use axum::{
    Router,
    handler::Handler,
    routing::{MethodFilter, on},
};
use platform::App;
// Hidden API of utoipa's macros. If a release of utoipa changes this API, this module no longer compiles.
use utoipa::__dev::{SchemaReferences, Tags};
use utoipa::{
    Path,
    openapi::{OpenApi, RefOr, Schema, path::HttpMethod},
};

type Schemas = Vec<(String, RefOr<Schema>)>;

/// Returns the routes of handlers. Use it as `routes![module::handler, …]`, or as `routes![handler, …]` for handlers in
/// the current module.
///
/// Each handler must have an attribute `utoipa::path` with a method and a path.
#[macro_export]
macro_rules! routes {
    ($($handler:ident),+ $(,)?) => {
        $crate::paste! { $crate::http::Routes::default()$(.with([<__path_ $handler>], $handler))+ }
    };
    ($($module:ident::$handler:ident),+ $(,)?) => {
        $crate::paste! { $crate::http::Routes::default()$(.with($module::[<__path_ $handler>], $module::$handler))+ }
    };
}

/// Handlers, with their routes and OpenAPI operations.
#[derive(Default)]
pub struct Routes {
    router: Router<App>,
    /// The operations, without their schemas.
    api: OpenApi,
    schemas: Vec<fn(&mut Schemas)>,
}

impl Routes {
    /// Adds a handler at the method and path in its `utoipa::path` attribute.
    pub fn with<D, H, T>(mut self, _: D, handler: H) -> Self
    where
        D: Path + SchemaReferences + for<'t> Tags<'t>,
        H: Handler<T, App>,
        T: 'static,
    {
        let (path, methods, mut operation) = (D::path(), D::methods(), D::operation());
        operation.tags.get_or_insert_default().extend(D::tags().into_iter().map(str::to_owned));
        let filters = methods.iter().map(filter);
        self.router =
            filters.fold(self.router, |router, filter| router.route(&path, on(filter, handler.clone())));
        self.api.paths.add_path_operation(path, methods, operation);
        self.schemas.push(<D as SchemaReferences>::schemas);
        self
    }

    /// Adds all routes of `other`.
    pub fn merge(mut self, other: Self) -> Self {
        self.router = self.router.merge(other.router);
        self.api.merge(other.api);
        self.schemas.extend(other.schemas);
        self
    }

    /// Returns the OpenAPI document with all operations and schemas.
    pub fn describe(self) -> OpenApi {
        let mut schemas = Schemas::new();
        self.schemas.iter().for_each(|add| add(&mut schemas));
        let mut api = self.api;
        api.components.get_or_insert_default().schemas.extend(schemas);
        api
    }

    /// Returns the handlers' router, and the operations without their schemas.
    pub(super) fn into_parts(self) -> (Router<App>, OpenApi) {
        (self.router, self.api)
    }
}

/// Creates routes that the API reference omits.
impl From<Router<App>> for Routes {
    fn from(router: Router<App>) -> Self {
        Self { router, ..Self::default() }
    }
}

fn filter(method: &HttpMethod) -> MethodFilter {
    match method {
        HttpMethod::Get => MethodFilter::GET,
        HttpMethod::Put => MethodFilter::PUT,
        HttpMethod::Post => MethodFilter::POST,
        HttpMethod::Delete => MethodFilter::DELETE,
        HttpMethod::Options => MethodFilter::OPTIONS,
        HttpMethod::Head => MethodFilter::HEAD,
        HttpMethod::Patch => MethodFilter::PATCH,
        HttpMethod::Trace => MethodFilter::TRACE,
    }
}
