//! The template's routes. The most specific match wins.

use std::{cmp::Reverse, time::Duration};

use lambda_http::http::Method;

use crate::{functions::Function, recorder::Watch, template};

pub(crate) struct Target {
    pub(crate) method: Option<String>,
    pub(crate) path: String,
    pub(crate) function: Function,
    pub(crate) timeout: Duration,
    pub(crate) watch: Watch,
}

/// The routes, most specific first.
#[derive(Default)]
pub(crate) struct Routes(Vec<Target>);

impl Routes {
    pub(crate) fn add(
        &mut self,
        route: &template::Route,
        function: Function,
        timeout: Duration,
        watch: Watch,
    ) {
        let method = Some(route.method.to_uppercase()).filter(|method| method != "ANY" && method != "*");
        self.0.push(Target { method, path: route.path.clone(), function, timeout, watch });
        self.0.sort_by_cached_key(|target| Reverse(target.specificity()));
    }

    pub(crate) fn find(&self, method: &Method, path: &str) -> Option<&Target> {
        self.0.iter().find(|target| {
            target.method.as_ref().is_none_or(|wanted| wanted == method.as_str()) && target.matches(path)
        })
    }
}

impl Target {
    /// Returns the route key, for example `GET /posts`.
    pub(crate) fn key(&self) -> String {
        match (&self.method, self.path.as_str()) {
            (_, "$default") => "$default".to_owned(),
            (method, path) => format!("{} {path}", method.as_deref().unwrap_or("ANY")),
        }
    }

    pub(crate) fn parameters(&self, path: &str) -> Vec<(String, String)> {
        let mut parts = path.trim_start_matches('/').splitn(self.segments().count(), '/');
        let parameter = |segment: &str, part: &str| {
            let name = segment.strip_prefix('{')?.strip_suffix('}')?.trim_end_matches('+');
            Some((name.to_owned(), part.to_owned()))
        };
        self.segments().filter_map(|segment| parameter(segment, parts.next()?)).collect()
    }

    fn matches(&self, path: &str) -> bool {
        if self.path == "$default" {
            return true;
        }
        let mut parts = path.trim_start_matches('/').split('/');
        for segment in self.segments() {
            match parts.next() {
                Some(part) if segment.ends_with("+}") => return !part.is_empty() || parts.next().is_some(),
                Some(part) if segment == part => {}
                Some(part) if segment.starts_with('{') && !part.is_empty() => {}
                _ => return false,
            }
        }
        parts.next().is_none()
    }

    /// Returns the rank of the route. Literal segments rank before variable, greedy and `$default` segments. If all
    /// segments rank the same, a method ranks before `ANY`.
    fn specificity(&self) -> (Vec<u8>, bool) {
        let rank = |segment: &str| match segment {
            "$default" => 0,
            greedy if greedy.ends_with("+}") => 1,
            variable if variable.starts_with('{') => 2,
            _ => 3,
        };
        (self.segments().map(rank).collect(), self.method.is_some())
    }

    fn segments(&self) -> impl Iterator<Item = &str> {
        self.path.trim_start_matches('/').split('/')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::Recorder;

    #[test]
    fn the_most_specific_route_wins() {
        let mut routes = Routes::default();
        let mut add = |path: &str, method: &str| {
            let route = template::Route { path: path.to_owned(), method: method.to_owned() };
            let watch = Recorder::default().watch("posts");
            routes.add(&route, Function::Http(axum::Router::new()), Duration::ZERO, watch);
        };
        for path in [
            "$default",
            "/posts/{proxy+}",
            "/posts",
            "/posts/{id}",
            "/posts/me",
            "/",
            "/api/v1/posts/{proxy+}",
        ] {
            add(path, "ANY");
        }
        add("/posts/{id}", "DELETE");
        let found = |method: Method, path| routes.find(&method, path).map(Target::key).unwrap_or_default();
        assert_eq!(found(Method::GET, "/posts"), "ANY /posts");
        assert_eq!(found(Method::GET, "/posts/me"), "ANY /posts/me");
        assert_eq!(found(Method::GET, "/posts/1"), "ANY /posts/{id}");
        assert_eq!(found(Method::DELETE, "/posts/1"), "DELETE /posts/{id}");
        assert_eq!(found(Method::GET, "/posts/1/like"), "ANY /posts/{proxy+}");
        assert_eq!(found(Method::GET, "/api/v1/posts/1/like"), "ANY /api/v1/posts/{proxy+}");
        assert_eq!(found(Method::GET, "/"), "ANY /");
        assert_eq!(found(Method::GET, "/postsx"), "$default");
        assert_eq!(found(Method::GET, "/posts/"), "$default");
        let target =
            routes.find(&Method::GET, "/posts/1/like").map(|target| target.parameters("/posts/1/like"));
        assert_eq!(target, Some(vec![("proxy".to_owned(), "1/like".to_owned())]));
    }
}
