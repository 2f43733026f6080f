//! From a request to its response.

use super::access::Access;
use super::http::{refuse, with_type};
use super::served::Served;
use http_body_util::Full;
use hyper::body::{Body, Bytes};
use hyper::header::{ALLOW, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderValue, REFERRER_POLICY};
use hyper::{Method, Request, Response, StatusCode};

/// Files load and run nothing. The page has a stricter policy of its own, which allows its scripts.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE_POLICY: &str = "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The response to a request.
pub(super) fn answer<B: Body>(request: &Request<B>, access: &Access, served: &Served) -> Response<Full<Bytes>> {
    let mut answer = route(request, access, served);
    let is_page = answer.headers().get(CONTENT_TYPE).is_some_and(|media_type| *media_type == HTML);
    let policy = if is_page { PAGE_POLICY } else { POLICY };
    let headers = answer.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    answer
}

fn route<B: Body>(request: &Request<B>, access: &Access, served: &Served) -> Response<Full<Bytes>> {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let name = match access.name(host, request.uri().path()) {
        Ok(name) => name,
        Err(denied) => return denied.response(),
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, "expected GET or HEAD: the report is read-only");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    if !request.body().is_end_stream() {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "expected a request without a body");
    }
    let name = if name.is_empty() { "report.html" } else { name };
    let Some((name, document)) = served.document(name, request.uri().query()) else {
        return refuse(StatusCode::NOT_FOUND, "no such file in the report");
    };
    let body = if request.method() == Method::HEAD { Bytes::new() } else { document };
    with_type(StatusCode::OK, media_type(&name), body)
}

/// The media type of the page.
const HTML: &str = "text/html; charset=utf-8";

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => HTML,
        Some("svg") => "image/svg+xml",
        Some("csv") => "text/csv; charset=utf-8",
        Some("json" | "state") => "application/json",
        _ => "text/plain; charset=utf-8",
    }
}
