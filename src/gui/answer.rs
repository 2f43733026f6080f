//! From a request to its response.
//!
//! Everything stands below a path that only those know who were told the address. A change must be a POST of JSON from
//! the page of this server: another site can make neither, and does not know the path.

use super::events::Events;
use super::inner::Refused;
use super::page;
use super::request::Change;
use super::state;
use super::table::Table;
use crate::panic::catch;
use crate::serve::access::{Access, Denied};
use crate::serve::http::{refuse, with_type};
use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::body::{Body, Bytes};
use hyper::header::{ALLOW, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderValue, ORIGIN, REFERRER_POLICY};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The longest body of a request, in bytes.
const BODY: usize = 64 << 10;
/// Time limit for the body of a request.
const BODY_TIME: Duration = Duration::from_secs(5);

/// The body of an answer: whole, or a stream of events.
pub(super) type Answer = Response<Either<Full<Bytes>, Events>>;

/// What a request is answered from.
pub(super) struct Server {
    pub table: Arc<Table>,
    pub access: Access,
}

/// The response to a request.
pub(super) async fn answer<B>(request: Request<B>, server: &Server) -> Answer
where
    B: Body + Send,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut answer = match route(request, server).await {
        Ok(answer) => answer,
        Err(refusal) => refusal.map(Either::Left),
    };
    let headers = answer.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(page::POLICY));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    answer
}

type Refusal = Response<Full<Bytes>>;

async fn route<B>(request: Request<B>, server: &Server) -> Result<Answer, Refusal>
where
    B: Body + Send,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let header = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let forbidden = |why: &str| refuse(StatusCode::FORBIDDEN, why);
    let host = header(HOST);
    let name = server.access.name(host, request.uri().path()).map_err(Denied::response)?;
    let is_own_origin = |origin: &str| host.is_some_and(|host| origin.strip_prefix("http://") == Some(host));
    let origin = request.headers().get(ORIGIN);
    if origin.is_some() && !header(ORIGIN).is_some_and(is_own_origin) {
        return Err(forbidden("the Origin header does not name this server"));
    }
    if name == "act" {
        if *request.method() != Method::POST {
            return Err(with_allowed("POST"));
        }
        if origin.is_none() {
            return Err(forbidden("the Origin header is missing"));
        }
        if header(CONTENT_TYPE) != Some("application/json") {
            return Err(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected application/json"));
        }
        let body = tokio::time::timeout(BODY_TIME, Limited::new(request.into_body(), BODY).collect()).await;
        let body = body.map_err(|_| refuse(StatusCode::REQUEST_TIMEOUT, "the body did not come"))?;
        let body = body.map_err(|_| refuse(StatusCode::PAYLOAD_TOO_LARGE, "the body is too long, or broke off"))?;
        return Ok(act(&body.to_bytes(), server).await.map(Either::Left));
    }
    if *request.method() != Method::GET {
        return Err(with_allowed("GET"));
    }
    if !request.body().is_end_stream() {
        return Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, "expected a request without a body"));
    }
    let table = &server.table;
    let whole = |media_type, body: Bytes| with_type(StatusCode::OK, media_type, body).map(Either::Left);
    match name {
        "" => Ok(whole("text/html; charset=utf-8", page::page().into())),
        "gui.css" => Ok(whole("text/css; charset=utf-8", Bytes::from_static(page::STYLE.as_bytes()))),
        "state" => Ok(json_answer(StatusCode::OK, &state::state(&table.look())).map(Either::Left)),
        "choices" => Ok(json_answer(StatusCode::OK, &state::choices(table)).map(Either::Left)),
        "definitions" => {
            let rules = table.look().game.setup.rules.clone();
            let drawn = rules.domain().definitions(rules.options().values()).unwrap_or_default();
            Ok(whole("image/svg+xml", drawn.into()))
        }
        "games" => {
            let table = Arc::clone(table);
            let listed = tokio::task::spawn_blocking(move || catch(|| table.archive.list())).await;
            let answer = match listed.map_err(|error| error.to_string()).flatten() {
                Ok(games) => json_answer(StatusCode::OK, &games),
                Err(problem) => failed(&problem),
            };
            Ok(answer.map(Either::Left))
        }
        "events" => {
            let too_many = || refuse(StatusCode::SERVICE_UNAVAILABLE, "too many windows are open");
            let events = Events::open(table).ok_or_else(too_many)?;
            let head = with_type(StatusCode::OK, "text/event-stream", Bytes::new());
            Ok(head.map(|_| Either::Right(events)))
        }
        name => match page::SCRIPTS.iter().find(|(script, _)| *script == name) {
            Some((_, text)) => Ok(whole("text/javascript; charset=utf-8", Bytes::from_static(text.as_bytes()))),
            None => Err(refuse(StatusCode::NOT_FOUND, "there is nothing here")),
        },
    }
}

/// Makes a change; the answer has the state after it, or as it is if the request was made from an earlier one.
async fn act(body: &[u8], server: &Server) -> Refusal {
    let wrong = |problem: &str| json_answer(StatusCode::BAD_REQUEST, &json!({ "error": problem }));
    let change: Change = match serde_json::from_slice(body) {
        Ok(change) => change,
        Err(error) => return wrong(&format!("this is no request of the page: {error}")),
    };
    let table = Arc::clone(&server.table);
    let done = tokio::task::spawn_blocking(move || {
        catch(|| match table.change(change) {
            Ok(()) => json_answer(StatusCode::OK, &state::state(&table.look())),
            Err(Refused::Stale) => {
                let problem = "the game has changed since, perhaps in another window";
                json_answer(StatusCode::CONFLICT, &json!({ "error": problem, "state": state::state(&table.look()) }))
            }
            Err(Refused::Wrong(problem)) => wrong(&problem),
        })
    });
    done.await.map_err(|error| error.to_string()).flatten().unwrap_or_else(|problem| failed(&problem))
}

/// The answer where evouct itself is at fault.
fn failed(problem: &str) -> Refusal {
    json_answer(StatusCode::INTERNAL_SERVER_ERROR, &json!({ "error": problem }))
}

fn with_allowed(method: &'static str) -> Refusal {
    let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, &format!("expected {method}"));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(method));
    response
}

fn json_answer(status: StatusCode, value: &Value) -> Refusal {
    with_type(status, "application/json", value.to_string().into())
}
