/* report/page_style.h - how a page looks: narrow and wide, by day and by night. */
#ifndef REPORT_PAGE_STYLE_H
#define REPORT_PAGE_STYLE_H

static const char page_style[] =
	":root{--ink:#1c1e21;--paper:#fff;--faint:#5c6370;--line:#d9dce1;--soft:#f4f5f7;"
	"--good:#116329;--good-soft:#e3f6e8;--bad:#a40e26;--bad-soft:#fdeaec;--place:#0b5394}"
	"@media(prefers-color-scheme:dark){:root{--ink:#e4e6ea;--paper:#16181c;--faint:#9aa2af;--line:#363a42;--soft:#1f2228;"
	"--good:#6fd08c;--good-soft:#12301d;--bad:#ff8f9c;--bad-soft:#3a171c;--place:#79b8ff}}"
	"*{box-sizing:border-box}"
	"body{margin:0 auto;max-width:62rem;padding:1rem;background:var(--paper);color:var(--ink);"
	"font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}"
	"h1{font:600 1.25rem/1.35 ui-monospace,monospace;margin:.5rem 0}"
	"h2{font-size:1.1rem;margin:2rem 0 .5rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}"
	"header p{margin:0}header strong{display:inline-block;padding:.1rem .6rem;border-radius:1rem;background:var(--soft)}"
	"header strong.g{background:var(--good-soft)}header strong.b{background:var(--bad-soft)}"
	"dl{display:grid;grid-template-columns:9rem 1fr;gap:.2rem 1rem;margin:.5rem 0}"
	"dt{color:var(--faint)}dd{margin:0;unicode-bidi:isolate}dd.s{font:600 .9rem/1.6 ui-monospace,monospace}"
	"ul{list-style:none;margin:.5rem 0;padding:0}"
	"li{display:grid;grid-template-columns:6.5rem 1fr;gap:0 1rem;padding:.2rem 0}li b{overflow-wrap:normal}"
	"code,pre{font:.9rem/1.45 ui-monospace,monospace}code,.f{unicode-bidi:isolate}"
	".g{color:var(--good)}.b{color:var(--bad)}.f{color:var(--faint)}.l{color:var(--place)}.s{font-weight:600}"
	"details{margin:.75rem 0;border:1px solid var(--line);border-radius:.4rem;overflow:hidden}"
	"summary{padding:.4rem .75rem;background:var(--soft);font:600 .9rem/1.45 ui-monospace,monospace;cursor:pointer}"
	"pre{margin:0;padding:.5rem 0;white-space:pre-wrap;tab-size:4}"
	"pre span{display:block;min-height:1.45em;padding:0 .75rem;unicode-bidi:plaintext;text-align:left}"
	"pre .g{background:var(--good-soft)}pre .b{background:var(--bad-soft)}"
	"meter{width:8rem;vertical-align:middle}"
	"footer{margin-top:3rem;color:var(--faint);font-size:.85rem}"
	"@media(max-width:36rem){body{padding:.75rem}dl{grid-template-columns:5.5rem 1fr;gap:.2rem .5rem}"
	"li{grid-template-columns:6.25rem 1fr;gap:0 .5rem}meter{width:6rem}"
	"pre span{padding:0 .5rem}}"
	"@media print{details{break-inside:avoid}}";

#endif
