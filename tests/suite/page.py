"""tests/suite/page.py PAGE [TEXT …] - is the page whole, harmless, and does it say the texts? In its words, and nothing in its markup."""
import base64, hashlib, sys
from html.parser import HTMLParser

VOID = {"meta"}
KNOWN = {"html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "p", "strong", "main", "dl", "dt", "dd", "ul", "li", "b",
         "code", "span", "details", "summary", "pre", "meter", "footer"}
ATTRIBUTES = {"class", "lang", "charset", "http-equiv", "content", "name", "open", "min", "max", "value"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.words, self.style, self.policy = [], [], "", []

    def handle_starttag(self, tag, attrs):
        assert tag in KNOWN, f"an element that no report has: {tag}"
        for name, value in attrs:
            assert name in ATTRIBUTES, f"an attribute that no report has: {tag} {name}"
            assert name != "class" or value in set("psgbfl"), f"class {value}"
        attrs = dict(attrs)
        if attrs.get("http-equiv"):
            assert attrs["http-equiv"] == "Content-Security-Policy"
            self.policy.append(attrs["content"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.words.append(data)


data = open(sys.argv[1], "rb").read()
assert data.startswith(b"<!DOCTYPE html>\n<!-- pinfold report 1 -->\n")
text = data.decode("utf-8")
assert "/*" not in text
for char in text:
    point = ord(char)
    assert point >= 32 or char in "\n\t", f"control {point:x}"
    assert not (0x7F <= point <= 0x9F or 0x200B <= point <= 0x200F or 0x2028 <= point <= 0x202E or 0x2060 <= point <= 0x206F or point == 0xFEFF), \
        f"{point:x} is shown as it is"
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
assert page.policy == [f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"], page.policy
assert "url(" not in page.style and "@import" not in page.style
assert "viewport" in text and "prefers-color-scheme" in page.style
said = "".join(page.words)
for wanted in sys.argv[2:]:
    assert wanted in said, f"it does not say: {wanted!r}"
