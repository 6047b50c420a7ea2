//! Tests of the extraction of metadata from pages.

use super::*;

fn read(html: &str) -> Option<PageSummary> {
    summary(html, Markup::Html, &"https://example.com/a/b".parse().unwrap())
}

#[test]
fn metadata_is_chosen_by_preference() {
    let plain =
        "<title>\n Plain &amp; <b>simple</b> </title><META NAME=Description CONTENT='about &lt;it&gt;'>";
    let found = read(plain).unwrap();
    assert_eq!(found.title, "Plain & <b>simple</b>");
    assert_eq!(found.description.as_deref(), Some("about <it>"));
    assert_eq!(found.image, None);
    let tweet = "<meta name=twitter:title content=T><meta name=twitter:image content=/t.png>";
    let found = read(&format!("<head>{plain}{tweet}</head>")).unwrap();
    assert_eq!((found.title.as_str(), found.image.as_deref()), ("T", Some("https://example.com/t.png")));
    let graph = "<meta property=og:title content=G><meta property=og:title content=second>";
    assert_eq!(read(&format!("{plain}{tweet}{graph}")).unwrap().title, "G");
    let empty = "<meta property=og:title content=' '>";
    assert_eq!(read(&format!("{empty}{tweet}")).unwrap().title, "T");
}

#[test]
fn only_the_head_of_a_page_is_read() {
    assert_eq!(read("<p>hello"), None);
    assert_eq!(read("<body><title>of a stranger</title>"), None);
    assert_eq!(read("<script>'<title>x</title>'</script>"), None);
    assert_eq!(read("<!-- <title>x</title> -->"), None);
    assert_eq!(read("<title>x</title><svg><desc>y</desc>").unwrap().title, "x");
}

#[test]
fn the_best_image_of_a_page_is_chosen() {
    let og = |content: &str| format!("<meta property=og:image content='{content}'>");
    let twitter = "<meta name=twitter:image content=/t.png>";
    let small = "<meta property=og:image:width content=64>";
    for (head, image) in [
        (og("c.png"), Some("https://example.com/a/c.png")),
        (og("//cdn.example.com/c.png?a=1&amp;b=2"), Some("https://cdn.example.com/c.png?a=1&b=2")),
        (twitter.to_owned() + &og("/c.png"), Some("https://example.com/c.png")),
        (og("data:image/png;base64,AAAA") + twitter, Some("https://example.com/t.png")),
        (og("/tiny.png") + small + &og("/c.png"), Some("https://example.com/c.png")),
        (og("/tiny.png") + small, None),
        (og("/tiny.png") + "<meta property=og:image:url content=/tiny.png>" + small, None),
        (
            og("/c.png") + twitter + "<meta property=og:image:width content=900>",
            Some("https://example.com/c.png"),
        ),
        (og("/tiny.png") + twitter + small, Some("https://example.com/t.png")),
        (
            og("http://example.com/c") + "<meta property=og:image:secure_url content=https://example.com/s>",
            Some("https://example.com/s"),
        ),
        (
            "<base href='https://cdn.example.com/x/'>".to_owned() + &og("c.png"),
            Some("https://cdn.example.com/x/c.png"),
        ),
        ("<base href='/b/'><base href='/c/'>".to_owned() + &og("c.png"), Some("https://example.com/b/c.png")),
        ("<base href='data:text/html,x'>".to_owned() + &og("c.png"), Some("https://example.com/a/c.png")),
        ("<base href='javascript:0'>".to_owned() + &og("c.png"), Some("https://example.com/a/c.png")),
    ] {
        assert_eq!(read(&format!("<title>x</title>{head}")).unwrap().image.as_deref(), image, "{head}");
    }
}

#[test]
fn the_title_of_the_document_is_used() {
    for (html, title) in [
        ("<svg><title>icon</title></svg><title>page</title>", "page"),
        ("<template><title>later</title></template><title>page</title>", "page"),
        ("<title>page</title><title>second</title>", "page"),
        ("<TITLE>page</TITLE>", "page"),
        ("<meta content='T' name='twitter:title'><title>page</title>", "T"),
        (
            "<html xmlns='http://www.w3.org/1999/xhtml'><head><meta property='og:title' content='G'/></head>",
            "G",
        ),
        ("<title>&#128512; &eacute; &amp;lt;</title>", "😀 é &lt;"),
        ("<svg><title/></svg><title>page</title>", "page"),
        ("<svg><style><title>icon</title></style></svg><title>page</title>", "page"),
        (
            "<template><script>'</template>'</script><title>later</title></template><title>page</title>",
            "page",
        ),
        ("<script>'</head>'</script><title>page</title>", "page"),
    ] {
        assert_eq!(read(html).unwrap().title, title, "{html}");
    }
    assert_eq!(read("<title>\u{200b}\u{2800}</title>"), None);
    let blank =
        "<meta property=og:title content='\u{200b}'><meta property=og:title content=G><title>x</title>";
    assert_eq!(read(blank).unwrap().title, "G");
    assert_eq!(read("<title>a\u{200b}b \u{feff} c</title>").unwrap().title, "ab c");
}

#[test]
fn xhtml_self_closing_elements_and_cdata_are_parsed() {
    for (head, title) in [
        ("<script src='/a.js'/><title>page</title>", "page"),
        ("<title/><meta property='og:title' content='G'/>", "G"),
        ("<title><![CDATA[a < b &amp; c]]></title>", "a < b &amp; c"),
        ("<script><![CDATA[ '<title>x</title>' ]]></script><title>page</title>", "page"),
        ("<style/><svg:svg/><title>a &lt; b</title>", "a < b"),
    ] {
        let found = summary(head, Markup::Xhtml, &"https://example.com/".parse().unwrap());
        assert_eq!(found.unwrap().title, title, "{head}");
    }
}

#[test]
fn metadata_is_bounded_and_safe_to_display() {
    let long = "ä".repeat(9_000);
    let meta = format!("<meta name=description content={long}><meta property=og:image content=/{long}>");
    let found = read(&format!("<title>{long}</title>{meta}")).unwrap();
    let chars = |text: &str| text.chars().count();
    assert_eq!((chars(&found.title), found.description.as_deref().map(chars)), (300, Some(500)));
    assert_eq!(found.image, None);
    assert_eq!(read("<title>a\u{202e}b\u{7}&#x1b;\u{2066} \t\n c</title>").unwrap().title, "ab c");
    for evil in ["javascript:alert(1)", "data:image/png,x", "file:///etc/passwd", "https://"] {
        let html = format!("<title>x</title><meta property=og:image content='{evil}'>");
        assert_eq!(read(&html).unwrap().image, None, "{evil}");
    }
}
