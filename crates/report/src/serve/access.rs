//! Who may ask a server of this machine: those who know its address.

use super::http::refuse;
use evouct_base::seed::secret;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{HeaderValue, LOCATION};
use hyper::{Response, StatusCode};
use std::io;
use std::net::SocketAddr;

/// The address of a server, and what a request must know of it.
///
/// The first part of each path is a secret, so that every request of a page has it without further ado, and another
/// user of the machine has not.
pub struct Access {
    address: SocketAddr,
    /// The hash of the secret, because hashes are compared in constant time; none where anyone may ask.
    secret: Option<blake3::Hash>,
    url: String,
}

/// Why a request has no answer of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied<'a> {
    /// It may ask for nothing, for this reason.
    Forbidden(&'static str),
    /// It asks for the address without its last slash, from which a page would find none of its files.
    NoSlash(&'a str),
}

impl Denied<'_> {
    /// The response to such a request.
    pub fn response(self) -> Response<Full<Bytes>> {
        let path = match self {
            Denied::Forbidden(why) => return refuse(StatusCode::FORBIDDEN, why),
            Denied::NoSlash(path) => path,
        };
        let mut response = refuse(StatusCode::PERMANENT_REDIRECT, "the address ends with a slash");
        if let Ok(place) = HeaderValue::from_str(&format!("{path}/")) {
            response.headers_mut().insert(LOCATION, place);
        }
        response
    }
}

impl Access {
    /// A server that listens at this address. Anyone who can reach an open one may ask it.
    ///
    /// # Errors
    /// If the system has no secret to give.
    pub fn new(address: SocketAddr, is_open: bool) -> io::Result<Access> {
        if is_open {
            return Ok(Access::open(address));
        }
        let secret = secret()?;
        let url = format!("http://{address}/{secret}/");
        Ok(Access { address, secret: Some(blake3::hash(secret.as_bytes())), url })
    }

    /// A server without a secret.
    pub(super) fn open(address: SocketAddr) -> Access {
        Access { address, secret: None, url: format!("http://{address}/") }
    }

    /// The address for a browser.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What a request asks for: the path without the secret.
    ///
    /// # Errors
    /// Why the request has no answer.
    pub fn name<'a>(&self, host: Option<&str>, path: &'a str) -> Result<&'a str, Denied<'a>> {
        if !self.is_called(host) {
            return Err(Denied::Forbidden("the Host header does not name this server"));
        }
        let whole = path.strip_prefix('/').unwrap_or(path);
        let Some(expected) = self.secret else { return Ok(whole) };
        let secret = whole.split('/').next().unwrap_or_default();
        if blake3::hash(secret.as_bytes()) != expected {
            return Err(Denied::Forbidden("open the whole address that evouct has printed: it has a secret"));
        }
        whole[secret.len()..].strip_prefix('/').ok_or(Denied::NoSlash(path))
    }

    /// Whether the Host header names this server: the loopback, at any port, which may be the other end of a tunnel.
    /// This refuses DNS rebinding: another site's name that resolves to the loopback.
    fn is_called(&self, host: Option<&str>) -> bool {
        let ip = self.address.ip();
        if !ip.is_loopback() {
            return true;
        }
        let Some(host) = host else { return false };
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port),
            _ => (host, "0"),
        };
        let is_loopback =
            name.eq_ignore_ascii_case("localhost") || ["127.0.0.1", "[::1]"].contains(&name) || name == ip.to_string();
        is_loopback && port.parse::<u16>().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loopback_is_called_by_its_names_at_any_port() {
        let access = Access::open("127.0.0.2:8017".parse().unwrap());
        let called = |host| access.is_called(Some(host));
        for host in
            ["localhost", "localhost:9000", "LOCALHOST:1", "127.0.0.1:8017", "127.0.0.2:80", "[::1]", "[::1]:65535"]
        {
            assert!(called(host), "{host}");
        }
        for host in [
            "",
            ":80",
            "evil.example",
            "evil.example:8017",
            "localhost.evil.example:80",
            "localhost:",
            "localhost:x",
            "localhost:65536",
            "127.0.0.1:80:80",
            "127.0.0.3",
            "::1",
            "[::1]:",
            "[::1",
            "localhost@evil.example",
        ] {
            assert!(!called(host), "{host}");
        }
        assert!(!access.is_called(None));
    }

    #[test]
    fn paths_begin_with_the_secret() {
        let access = Access::new("127.0.0.1:80".parse().unwrap(), false).unwrap();
        let secret = access.url().trim_end_matches('/').rsplit('/').next().unwrap().to_owned();
        let name = |path: &str| access.name(Some("localhost"), path).map(str::to_owned).ok();
        assert_eq!(secret.len(), 32);
        assert_eq!(name(&format!("/{secret}/figures/a.svg")).as_deref(), Some("figures/a.svg"));
        assert_eq!(name(&format!("/{secret}/")).as_deref(), Some(""));
        for path in ["/", "/report.html", "//", &format!("/{}/", &secret[1..]), &format!("/{secret}0/")] {
            assert_eq!(name(path), None, "{path}");
        }
        assert_eq!(Access::open("127.0.0.1:80".parse().unwrap()).name(Some("localhost"), "/state").unwrap(), "state");
    }
}
