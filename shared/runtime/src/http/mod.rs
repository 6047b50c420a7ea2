//! The HTTP service of a function: routes, extractors, the response envelope and middleware.

mod deprecations;
mod extract;
mod front;
mod path_params;
mod raw_path;
mod reply;
mod route;
mod routes;
mod service;
mod site;
mod token_scopes;

pub use extract::{
    Address, Empty, Filters, FormOrJson, Input, NoFilters, Path, PathParam, Query, Raw, UserCursor,
};
pub use raw_path::with_encoded_path;
pub use reply::{Envelope, List, ListEnvelope, Reply, Respond, RespondList};
pub use routes::Routes;
pub use service::{BODY_MAX_BYTES, serve, service};
pub use site::Site;

pub(crate) use token_scopes::check_scope;
