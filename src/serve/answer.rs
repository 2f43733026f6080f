//! From a request to its response.

use super::http::{is_ours, refuse, with_type};
use super::store::Store;
use http_body_util::Full;
use hyper::body::{Body, Bytes};
use hyper::header::{ALLOW, HOST, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use std::net::SocketAddr;

/// The response to a request; `address` is where the server listens.
pub(super) fn answer<B: Body>(request: &Request<B>, address: SocketAddr, store: &Store) -> Response<Full<Bytes>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, "expected GET or HEAD: the report is read-only");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    if !request.body().is_end_stream() {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "expected a request without a body");
    }
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    if !is_ours(host, address) {
        return refuse(StatusCode::FORBIDDEN, "the Host header does not name this server");
    }
    let name = match request.uri().path() {
        "/" => "report.html",
        path => path.strip_prefix('/').unwrap_or(path),
    };
    let Some(document) = store.made().document(name) else {
        return refuse(StatusCode::NOT_FOUND, "no such file in the report");
    };
    let body = if request.method() == Method::HEAD { Bytes::new() } else { document };
    with_type(StatusCode::OK, media_type(name), body)
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("csv") => "text/csv; charset=utf-8",
        Some("json" | "state") => "application/json",
        _ => "text/plain; charset=utf-8",
    }
}
