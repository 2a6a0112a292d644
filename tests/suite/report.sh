# tests/suite/report.sh - pinfold report: a run or a session for a person, as text and as a page for a browser.

page_is() { python3 "${BASH_SOURCE%/*}/page.py" "$@"; }

# A tree in which a command leaves names and contents that would like to be more than that.
hostile_run() {
	run -q --receipt "$WORK/receipt" "$@" -- sh -c '
		echo "two <script>alert(1)</script> &amp; \"" >>one
		printf "a\tb \033]0;title\007 \342\200\256 \377\n" >bytes
		: >"<img src=x onerror=alert(1)>"
		: >"$(printf "esc\033[31mred")"; : >"$(printf "line\nbreak")"; : >"$(printf "invalid\377")"; : >"$(printf "bidi\342\200\256txt.exe")"
		: >"quotes\"'\''&lt;"; mkdir .github; mkdir .github/workflows; echo x >.github/workflows/ci.yml
		exit 3'
	status_is 3
}

a_report_says_what_ran_what_was_held_and_what_was_changed() {
	hostile_run
	pf report --receipt "$WORK/receipt"
	status_is 0
	out_has 'exit status 3'
	out_has 'held     filesystem'
	out_has 'What was changed'
	out_has '+two <script>alert(1)</script> &amp; "'
	out_has 'esc\x1b[31mred'
	out_has 'risky: a workflow'
	out_has 'the command'
	! grep -q $'\033' "$WORK/out"
	pf report
	status_is 0
	out_has '+two '
	out_lacks 'exit status'
	pf report --json --receipt "$WORK/receipt"
	equal "$(json "$WORK/out" 'd["runs"][0]["exit_code"], d["changes"]["count"] > 5, d["changes"]["error"]')" '3 True None'
	pf report one
	out_has '+two '
	out_lacks 'workflows'
}

a_page_needs_nothing_runs_nothing_and_says_hostile_names_as_text() {
	hostile_run
	pf report --receipt "$WORK/receipt" --html "$WORK/page.html"
	status_is 0
	out_is ''
	page_is "$WORK/page.html" 'exit status 3' 'filesystem' '<img src=x onerror=alert(1)>' '+two <script>alert(1)</script> &amp; "' \
		'esc\x1b[31mred' 'line\nbreak' 'invalid\xff' 'bidi\xe2\x80\xaetxt.exe' "quotes\"'&lt;" $'a\tb' 'risky: a workflow'
	equal "$(stat -c %a "$WORK/page.html")" 600
}

a_page_of_a_session_has_all_its_runs() {
	run -q --session some --receipt "$WORK/first" -- sh -c 'echo first >first'
	run -q --session some --receipt "$WORK/second" -- sh -c 'echo second >second; kill -9 $$'
	run -q --session other --receipt "$WORK/third" -- true
	pf report --receipt "$WORK/first" --receipt "$WORK/second" --html "$WORK/page.html"
	status_is 0
	page_is "$WORK/page.html" '2 runs' 'ended by SIGKILL' 'exit status 0' '+first' '+second'
	pf report --session some --html "$WORK/page.html"
	status_is 0
	page_is "$WORK/page.html" 'session some' '2 changes' '+first' '+second'
	"$PINFOLD" discard --session some
	pf report --receipt "$WORK/first" --html "$WORK/page.html"
	status_is 0
	page_is "$WORK/page.html" 'Nothing is kept of it any more'
	pf report --session some
	refused E_SESSION
	run -q --receipt "$WORK/refused" -- no-such-program
	pf report --receipt "$WORK/refused" --html "$WORK/page.html"
	page_is "$WORK/page.html" 'refused: E_NOT_FOUND' 'no-such-program'
	run -q --where host --set placement.host=always --receipt "$WORK/host" -- true
	pf report --receipt "$WORK/host"
	out_has 'Nothing: the command ran on the host'
}

only_a_page_of_its_own_kind_is_replaced_and_never_by_half() {
	hostile_run
	local place
	echo precious >"$WORK/notes.html"
	ln -s notes.html "$WORK/link.html"
	mkfifo "$WORK/fifo.html"
	for place in "$WORK/notes.html" "$WORK/link.html" "$WORK/fifo.html" "$WORK"; do
		pf report --receipt "$WORK/receipt" --html "$place"
		refused E_USAGE
	done
	equal "$(<"$WORK/notes.html")" precious
	pf report --receipt "$WORK/receipt" --html "$WORK/none/page.html"
	status_is 125
	pf report --receipt "$WORK/receipt" --html "$WORK/notes.html" --force
	status_is 0
	page_is "$WORK/notes.html" 'exit status 3'
	cp "$WORK/notes.html" "$WORK/before.html"
	pf report --session none --html "$WORK/notes.html"
	refused E_SESSION
	cmp "$WORK/notes.html" "$WORK/before.html"
	pf report --html "$WORK/notes.html"
	status_is 0
	page_is "$WORK/notes.html" 'what the last run changed'
}

what_was_refused_is_told_with_what_would_lift_it() {
	run -q --denials --receipt "$WORK/receipt" -- sh -c 'cat "$HOME/.netrc"; exit 0'
	[[ $(json "$WORK/receipt" '"denials" in d') == True ]] || skip "nothing is told of refusals here"
	pf report --receipt "$WORK/receipt"
	out_has 'What it was refused'
	[[ $(json "$WORK/receipt" 'len(d["denials"])') == 0 ]] || out_has "$(json "$WORK/receipt" 'd["denials"][0]["target"]')"
	python3 - "$WORK" <<-'END'
	import json, sys; place = sys.argv[1]; d = json.load(open(place + "/receipt")); d["denials"] = [{"operation": "read", "target": "/a<b>", "count": 3, "why": "it is hidden", "lift": "set this"}]; d["denials_more"] = 4; d["denials_missing"] = "the rest"; json.dump(d, open(place + "/receipt", "w"))
	END
	pf report --receipt "$WORK/receipt" --html "$WORK/page.html"
	page_is "$WORK/page.html" read '/a<b>' 'it is hidden (3 times); set this' 'and 4 more attempts' 'the rest'
}

# Receipts come from elsewhere: every member with markup in it, of a wrong type, or not there.
a_forged_receipt_is_shown_and_never_believed() {
	hostile_run
	python3 "${BASH_SOURCE%/*}/forge_receipts.py" "$WORK"
	local receipt
	for receipt in "$WORK"/forged-*; do
		"$PINFOLD" report --receipt "$receipt" --html "$WORK/page.html" || { head -c 300 "$receipt"; return 1; }
		[[ $receipt != *[05] ]] || page_is "$WORK/page.html"
	done
	page_is "$WORK/page.html"
	for receipt in '' '[' '[]' '{}' '{"kind": "walk"}' '{"kind": "run"' "$(printf '[%.0s' {1..5000})"; do
		printf %s "$receipt" >"$WORK/forged"
		pf report --receipt "$WORK/forged"
		refused E_USAGE
	done
	for receipt in "$WORK" "$WORK/none" /dev/zero; do
		pf report --receipt "$receipt"
		status_is 125
	done
}

first_pixel() { python3 "${BASH_SOURCE%/*}/first_pixel.py" "$1"; }
a_browser_shows_the_page_by_day_and_by_night_and_runs_nothing_of_it() {
	local browser shown= at wide
	browser=$(command -v chromium) || skip "needs chromium"
	hostile_run
	"$PINFOLD" report --receipt "$WORK/receipt" --html "$WORK/page.html"
	look() {
		timeout 40 "$browser" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --virtual-time-budget=1000 \
			--user-data-dir="$WORK/browser" --window-size=500,900 "$@" "file://${shown:-$WORK/page.html}" 2>"$WORK/log"
	}
	look --screenshot="$WORK/day.png" --blink-settings=preferredColorScheme=1 || { tail -n 3 "$WORK/log"; skip "chromium does not start here"; }
	[[ -s $WORK/day.png ]] || skip "chromium makes no picture here: $(tail -n 1 "$WORK/log")"
	look --screenshot="$WORK/night.png" --blink-settings=preferredColorScheme=0
	equal "$(first_pixel "$WORK/day.png")" '255 255 255'
	equal "$(first_pixel "$WORK/night.png")" '22 24 28'
	look --dump-dom >"$WORK/dom"
	grep -q 'onerror=alert(1)&gt;' "$WORK/dom"
	! grep -qE '<(img|script|a|link|iframe)[ >]' "$WORK/dom"
	! grep -iE 'refused to apply|violates' "$WORK/log"
	# A window has 500 pixels at least, a frame as few as a phone: nothing but its own boxes needs to be moved sideways.
	cat >"$WORK/phone.html" <<-'END'
		<body><iframe id=f width=360 height=700 src=page.html></iframe><script>
		const lines = e => { const r = e.ownerDocument.createRange(); r.selectNodeContents(e); return r.getClientRects().length }
		f.onload = () => { const root = f.contentDocument.documentElement, marks = [...root.querySelectorAll("li b")]
			document.title = "at " + root.clientWidth + " wide " + root.scrollWidth + " tall " + root.scrollHeight +
				" marks " + marks.length + " parted " + marks.filter(e => lines(e) > 1).length }
		</script></body>
	END
	shown=$WORK/phone.html look --allow-file-access-from-files --dump-dom >"$WORK/dom"
	grep -oE '<title>at 3[0-9]+ wide [0-9]+ tall [0-9]{4,}' "$WORK/dom" >"$WORK/phone"
	read -r _ at _ wide _ <"$WORK/phone"
	((wide <= at))
	grep -qE 'marks [1-9][0-9]* parted 0<' "$WORK/dom"	# no word that says what became of something
	rm -rf "$WORK/browser"
}
