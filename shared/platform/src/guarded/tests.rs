//! Tests for forbidden URLs, redirects, and responses that are too long or too late.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;
use crate::settings::Settings;

const LIMITS: Limits = Limits { wait: Duration::from_secs(2), body_max_bytes: 10, is_enough: None };

fn guarded(inner: &'static str) -> Guarded {
    let settings = Settings::read(|name| (name == "INNER_ADDRESSES").then(|| inner.to_owned())).unwrap();
    Guarded::new(settings.inner_addresses)
}

#[test]
fn only_public_https_urls_are_allowed() {
    let guarded = guarded("refused");
    for allowed in [
        "https://example.com/a?b=c",
        "https://example.com:443",
        "https://1.1.1.1/",
        "https://[2606:4700::1]/",
    ] {
        assert!(guarded.parse("url", allowed).is_ok(), "{allowed}");
    }
    let forbidden = "http://example.com ftp://example.com file:///etc/passwd javascript:alert(1) data:text/html,x example.com \
        https:// https://ann@example.com https://ann:secret@example.com https://:secret@example.com \
        https://example.com:8443 https://example.com:80 https://example.com:22 \
        https://127.0.0.1 https://127.1 https://2130706433 https://0x7f000001 https://017700000001 https://0177.0.0.1 \
        https://0 https://10.0.0.1 https://192.168.0.1 https://169.254.169.254/latest/meta-data https://100.64.0.1 \
        https://%31%32%37.0.0.1 https://１２７.0.0.1 https://[::1] https://[::] https://[::ffff:127.0.0.1] \
        https://[::ffff:a9fe:a9fe] https://[64:ff9b::7f00:1] https://[2002:7f00:1::] https://[fd00:ec2::254] \
        https://[fe80::1] https://[ff02::1] https://255.255.255.255 https://224.0.0.1";
    for url in forbidden.split_whitespace() {
        let refused = guarded.parse("url", url).unwrap_err();
        assert!(refused.is_permanent() && refused.to_string().starts_with("url: must"), "{url}: {refused}");
    }
    let long = format!("https://example.com/{}", "x".repeat(2029));
    assert!(guarded.parse("url", &long).is_err() && guarded.parse("url", &long[..2048]).is_ok());
}

#[tokio::test]
async fn a_host_name_with_a_private_address_is_refused() {
    let url = Url::parse("https://localhost/").unwrap();
    let refused = guarded("refused").get(url.clone(), HeaderMap::new(), LIMITS).await.unwrap_err();
    assert!(matches!(refused, Failure::Refused("has no public address")), "{refused:?}");
    let sent = guarded("refused").post(url, HeaderMap::new(), Vec::new(), LIMITS).await.unwrap_err();
    assert!(matches!(sent, Failure::Refused(_)), "{sent:?}");
}

#[tokio::test]
async fn at_most_three_redirects_are_followed_and_all_are_checked() {
    for (redirects, succeeds) in [(3, true), (4, false)] {
        let url = server(move |path| match path.trim_start_matches('/').len() {
            length if length < redirects => format!("302 Found\r\nlocation: {path}x"),
            _ => "200 OK".to_owned(),
        });
        let answer = guarded("allowed").get(url.await, HeaderMap::new(), LIMITS).await;
        assert_eq!(answer.is_ok(), succeeds, "{answer:?}");
    }
    for target in ["ftp://example.com/", "http://ann:secret@example.com/", "//", "file:///etc/passwd"] {
        let url = server(move |_| format!("301 Moved\r\nlocation: {target}")).await;
        let refused = guarded("allowed").get(url, HeaderMap::new(), LIMITS).await.unwrap_err();
        assert!(matches!(refused, Failure::Refused(_)), "{target}: {refused:?}");
    }
    let url = server(|_| "307 Temporary\r\nlocation: /there".to_owned()).await;
    let answer = guarded("allowed").post(url, HeaderMap::new(), b"x".to_vec(), LIMITS).await.unwrap();
    assert_eq!(answer.status, 307, "a POST must not follow redirects");
}

#[tokio::test]
async fn a_response_is_limited_in_size_and_time() {
    let url = server(|_| "200 OK".to_owned()).await;
    let answer = guarded("allowed").get(url.clone(), HeaderMap::new(), LIMITS).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.as_slice()), (200, b"a body of ".as_slice()));
    let limits = Limits { wait: Duration::ZERO, ..LIMITS };
    let late = guarded("allowed").get(url, HeaderMap::new(), limits).await.unwrap_err();
    assert!(matches!(late, Failure::Unanswered(_)), "{late:?}");
}

/// Starts a server and returns its URL. `head` returns the status line and headers for a path.
async fn server(head: impl Fn(&str) -> String + Send + 'static) -> Url {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4096];
            let read = stream.read(&mut request).await.unwrap();
            let request = String::from_utf8_lossy(&request[..read]).into_owned();
            let head = head(request.split(' ').nth(1).unwrap_or_default());
            let body = "a body of many more bytes";
            let answer = format!(
                "HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    url.parse().unwrap()
}
