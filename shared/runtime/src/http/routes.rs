//! The routes of a function. They describe what they take and answer only when somebody asks: it would be most of what a
//! function does at its start, and a function needs none of it.

use axum::{
    Router,
    handler::Handler,
    routing::{MethodFilter, on},
};
use platform::App;
// Hidden there, because it is for the macros of its own family: a release that changes it does not compile here.
use utoipa::__dev::{SchemaReferences, Tags};
use utoipa::{
    Path,
    openapi::{OpenApi, RefOr, Schema, path::HttpMethod},
};

type Schemas = Vec<(String, RefOr<Schema>)>;

/// The routes of these handlers: `routes![module::handler, …]`, or `routes![handler, …]` where they lie beside it.
///
/// Each has an attribute `utoipa::path`, which names its method and its path.
#[macro_export]
macro_rules! routes {
    ($($handler:ident),+ $(,)?) => {
        $crate::paste! { $crate::http::Routes::default()$(.with([<__path_ $handler>], $handler))+ }
    };
    ($($module:ident::$handler:ident),+ $(,)?) => {
        $crate::paste! { $crate::http::Routes::default()$(.with($module::[<__path_ $handler>], $module::$handler))+ }
    };
}

/// Handlers at their methods and paths, and what they say of themselves.
#[derive(Default)]
pub struct Routes {
    router: Router<App>,
    /// The operations, without the schemas that they name.
    api: OpenApi,
    schemas: Vec<fn(&mut Schemas)>,
}

impl Routes {
    /// Adds a handler at the method and path that its attribute names.
    pub fn with<D, H, T>(mut self, _: D, handler: H) -> Self
    where
        D: Path + SchemaReferences + for<'t> Tags<'t>,
        H: Handler<T, App>,
        T: 'static,
    {
        let (path, methods, mut operation) = (D::path(), D::methods(), D::operation());
        operation.tags.get_or_insert_default().extend(D::tags().into_iter().map(str::to_owned));
        let filters = methods.iter().map(filter);
        self.router = filters.fold(self.router, |all, it| all.route(&path, on(it, handler.clone())));
        self.api.paths.add_path_operation(path, methods, operation);
        self.schemas.push(<D as SchemaReferences>::schemas);
        self
    }

    /// Adds the routes of another function.
    pub fn merge(mut self, other: Self) -> Self {
        self.router = self.router.merge(other.router);
        self.api.merge(other.api);
        self.schemas.extend(other.schemas);
        self
    }

    /// Describes all operations and what they take and answer.
    pub fn describe(self) -> OpenApi {
        let mut schemas = Schemas::new();
        self.schemas.iter().for_each(|add| add(&mut schemas));
        let mut api = self.api;
        api.components.get_or_insert_default().schemas.extend(schemas);
        api
    }

    /// Returns the handlers, and the operations without the schemas that they name.
    pub(super) fn into_parts(self) -> (Router<App>, OpenApi) {
        (self.router, self.api)
    }
}

/// Routes that are in no reference.
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
