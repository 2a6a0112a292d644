# tests/suite/sessions.sh - commands whose changes add up, and what becomes of them.
# every arm

session() { run -q --session "$@"; }
scratch() { echo "$HOME/.cache/pinfold"; }

# Begins a command in a session that goes on until it is told; its process is $pid.
begin_in() {	# SESSION [COMMAND]
	: >"$WORK/begun_out"
	"$PINFOLD" run ${ARM:+--arm "$ARM"} -q --session "$1" -- sh -c "${2:-:}; echo up; exec sleep 60" >"$WORK/begun_out" 2>&1 &
	pid=$!
	at_end "kill -KILL $pid"
	eventually 10 grep -q up "$WORK/begun_out"
}
end_it() { kill -TERM "$pid"; wait "$pid" || :; }

commands_of_a_session_see_each_others_changes() {
	keep_tree
	session s -- sh -c 'echo more >>one; echo new >new; rm -r src; mkdir -p d/e; echo deep >d/e/f; chmod 0700 d'
	status_is 0
	session s -- sh -c 'cat one new d/e/f; ls -d src; stat -c %a d'
	out_is $'one\nmore\nnew\ndeep\n700'
	session s -- sh -c 'rm new; echo again >>one; cat one'
	out_is $'one\nmore\nagain'
	session s -- ls
	out_lacks new
	same_manifest
}

a_program_that_only_the_session_has_is_run_by_its_path() {
	session s -- sh -c 'printf "#!/bin/sh\necho built \$1\n" >built; chmod +x built; mkdir bin; cp built bin; cp one plain'
	session s -- ./built it
	status_is 0
	out_is 'built it'
	session s -- "$TREE/bin/built" so
	out_is 'built so'
	run -q -- ./built
	refused E_NOT_FOUND 127
	session other -- ./built
	refused E_NOT_FOUND 127
	err_lacks 'there outside'
	session s -- ./plain
	refused E_NOT_EXECUTABLE 126
	echo plain >script
	session s -- sh -c 'printf "#!/bin/sh\necho script\n" >script; chmod +x script'
	session s -- ./script
	out_is script
}

a_program_that_an_earlier_command_made_is_found_through_path() {
	mkdir tools "$WORK/outer"
	printf '#!/bin/sh\necho outside\n' | tee "$WORK/outer/both" >"$WORK/outer/gone"
	cp "$WORK/outer/gone" tools/removed
	chmod +x "$WORK/outer/both" "$WORK/outer/gone" tools/removed
	local views=("") view
	[[ $ARM != namespaces ]] || views=("--view copy" "--view overlay")
	for view in "${views[@]}"; do
		run -q $view --session p -- sh -c 'printf "#!/bin/sh\necho made\n" >tools/both; chmod +x tools/both
			cp -p tools/both tools/made; mkdir fresh; cp -p tools/both fresh/new; rm tools/removed; echo plain >tools/plain'
		status_is 0
		for name in both made new; do
			PATH=$TREE/fresh:tools:$WORK/outer:$PATH run -q --session p -- "$name"
			status_is 0
			out_is made
		done
		PATH=$TREE/tools:$WORK/outer:$PATH run -q --session p -- gone
		out_is outside
		for name in removed plain; do
			PATH=$TREE/tools:$PATH run -q --session p -- "$name"
			refused E_NOT_FOUND 127
		done
		PATH=$TREE/tools:$PATH run -q -- made
		refused E_NOT_FOUND 127
		pf discard --session p
	done
}

two_sessions_and_runs_without_one_do_not_meet() {
	keep_tree
	session a -- sh -c 'echo a >one'
	session b -- sh -c 'cat one; echo b >one'
	out_is one
	run -q -- cat one
	out_is one
	session a -- cat one
	out_is a
	session b -- cat one
	out_is b
}

what_the_tree_changes_is_seen_in_a_session() {
	session s -- sh -c 'echo mine >mine'
	echo two >one
	echo tree >added
	rm link
	session s -- sh -c 'cat one added mine; ls link'
	out_is $'two\ntree\nmine'
	keep_tree
}

the_second_command_waits_for_the_first() {
	begin_in s 'echo first >first'
	(sleep 1; kill -TERM "$pid") &
	quick 20 session s -- cat first
	status_is 0
	out_is first
	wait "$pid" || :
	begin_in s
	quick 20 session other -- true
	quick 20 run -q -- true
	end_it
}

the_time_limit_ends_the_waiting() {
	begin_in s
	quick 20 session s --timeout 300ms -- echo never
	refused E_TIMED_OUT 124
	end_it
	session s --timeout 5s -- echo then
	out_is then
}

a_signal_ends_the_waiting() {
	local name
	begin_in s
	for name in INT TERM HUP; do
		env --default-signal "$PINFOLD" run ${ARM:+--arm "$ARM"} -q --session s -- echo never >"$WORK/waiting_out" 2>&1 &
		sleep 0.3
		kill -$name $!
		status=0
		wait $! || status=$?
		status_is $((128 + $(kill -l $name)))
		equal "$(cat "$WORK/waiting_out")" ""
	done
	end_it
}

at_a_terminal_it_is_said_that_another_command_is_waited_for() {
	begin_in s
	export ARM PINFOLD
	cat >"$WORK/program.py" <<END
import sys
sys.path.insert(0, "$here")
from terminal import *
t = Terminal()
t.line(RUN.replace("-q", "") + " --session s -- echo never")
t.expect("waiting: another command works in the session s")
t.send("\\x03")
t.expect("READY>", 5)
t.close()
END
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$WORK/program.py"
	end_it
}

a_session_outlives_a_killed_run() {
	local i
	session s -- sh -c 'echo before >before'
	for i in 1 2; do
		begin_in s "echo during >during$i"
		kill -KILL "$pid"
		wait "$pid" || :
		eventually 5 no_runs
		session s -- sh -c "cat before during$i; echo after >after"
		out_is $'before\nduring'
	done
	session s -- cat during1 during2 after
	out_is $'during\nduring\nafter'
}

a_receipt_names_the_session() {
	session s --receipt "$WORK/receipt" -- true
	equal "$(json "$WORK/receipt" 'd["session"]')" s
	run -q --receipt "$WORK/receipt" -- true
	equal "$(json "$WORK/receipt" 'd["session"]')" None
	pf explain ${ARM:+--arm "$ARM"} --session s --json -- true
	equal "$(json "$WORK/out" 'd["session"]')" s
}

names_of_sessions_are_plain() {
	local name
	keep_tree
	for name in "" . .. .x a/b ../x "a b" $'a\n' ü '~' '*' "$(printf 'n%.0s' {1..65})"; do
		pf run --session "$name" -- echo never
		refused E_USAGE
		pf diff --session "$name"
		refused E_USAGE
		pf discard --session "$name"
		refused E_USAGE
	done
	session "$(printf 'n%.0s' {1..64})" -- true
	status_is 0
}

what_cannot_be_in_a_session_is_refused() {
	pf run --session s --where host -- echo never
	refused E_USAGE
	pf run ${ARM:+--arm "$ARM"} --session s --view direct -- echo never
	refused E_SESSION
	pf sessions
	out_is "no sessions in this tree"
}

a_session_keeps_what_it_began_as() {
	session s -- sh -c 'echo mine >mine'
	[[ $ARM == namespaces ]] || skip "only the arm namespaces has two kinds"
	run -q --view overlay --session s -- echo never
	refused E_SESSION
	pf run -q --arm copytree --session s -- echo never
	refused E_SESSION
	err_has "s: it began as"
	run --view overlay,copy --session s -- cat mine
	out_is mine
	equal "$err" ""
	run -q --view overlay --session o -- sh -c 'echo other >other'
	status_is 0
	run -q --view copy,overlay --session o -- cat other
	out_is other
	pf sessions --json
	equal "$(json "$WORK/out" '{s["name"]: s["view"] for s in d["sessions"]}["o"]')" overlay
}

discarding_a_session_ends_it() {
	keep_tree
	session s -- sh -c 'echo x >one; mkdir -m 0 closed'
	pf discard --session s
	status_is 0
	pf sessions
	out_is "no sessions in this tree"
	pf discard --session s
	refused E_SESSION
	session s -- cat one
	out_is one
	equal "$(ls "$(scratch)/gone" 2>/dev/null)" ""
}

discarding_the_last_run_leaves_nothing_to_see() {
	keep_tree
	run -q -- sh -c 'echo x >one; rm -r src; mkdir d; ln -s / d/top'
	mkdir -p "$TREE/src"
	cd src
	pf discard
	status_is 0
	cd ..
	pf diff --summary
	out_is ""
}

single_paths_are_discarded() {
	keep_tree
	session s -- sh -c 'echo x >>one; rm -r src; mkdir -p d/e; echo f >d/e/f; echo g >d/g; rm link; echo file >link'
	pf discard --session s one d/e link
	status_is 0
	pf diff --session s --name-only
	out_is $'d\nd/g\nsrc\nsrc/say'
	session s -- sh -c 'cat one; ls -F'
	out_is $'one\nd/\nlink@\none'
	pf discard --session s src/say
	status_is 0
	session s -- sh -c 'src/say it'
	out_is it
	pf discard --session s .
	pf diff --session s --summary
	out_is ""
	run -q -- sh -c 'echo x >>one; echo y >y'
	pf discard one
	status_is 0
	pf diff --name-only
	out_is y
}

single_paths_are_discarded_where_nothing_may_be_written() {
	session s -- sh -c 'mkdir -p u/v src/n; echo 1 >u/v/1; echo 2 >src/n/2; echo 3 >new; rm src/say
		chmod 0 u/v u src/n src; chmod 0555 .'
	status_is 0
	pf discard --session s u src/say src/n/2
	status_is 0
	pf diff --session s --summary
	out_is $'M  ./  (mode 0755 to 0555)\nA  new\nM  src/  (mode 0755 to 0000)\nA  src/n/'
	pf discard --session s .
	status_is 0
	pf diff --session s --summary
	out_is ""
	session s -- src/say it
	out_is it
}

# What a command that is not confined did to the place of its session.
damages=(
	'rm -f ../lock; ln -s /etc/passwd ../lock' 'rm -f ../lock; mkdir -p ../lock/d' 'rm -f ../lock; mkfifo ../lock'
	'chmod 0 ../lock' 'chmod 0 ..' 'cd ../..; mv =s was; ln -s "$HOME/precious" =s'
	'cd ../..; mv =s was; echo file >=s' 'mv ../tree ../was; ln -s "$HOME/precious" ../tree'
)
a_damaged_session_can_be_discarded_and_begun_again() {
	! keeps writes || skip "the command cannot reach its session's place"
	mkdir "$HOME/precious"
	echo p >"$HOME/precious/p"
	local damage
	for damage in "${damages[@]}"; do
		echo "$damage"
		session s -- sh -c "echo x >x; $damage"
		pf diff --session s
		pf discard --session s
		[[ $status == 0 || $err == *"cannot find the session"* ]]
		pf sessions
		out_lacks damaged
		session s -- ls
		status_is 0
		out_lacks x
		pf discard --session s
		status_is 0
		equal "$(ls "$HOME/precious")" p
	done
}

nothing_is_discarded_while_a_command_works_in_it() {
	begin_in s
	pf discard --session s
	refused E_BUSY
	err_has "process $pid"
	err_has "works in it"
	err_lacks "temporarily"
	pf diff --session s
	refused E_BUSY
	err_has "process $pid"
	pf sessions --json
	equal "$(json "$WORK/out" 'd["sessions"][0]["busy"], d["sessions"][0]["changes"]')" "True None"
	end_it
}

sessions_are_listed() {
	mkdir -p "$WORK/other"
	session one -- sh -c 'echo x >x'
	session two -- true
	(cd "$WORK/other" && session far -- sh -c 'mkdir d; echo y >d/y') >/dev/null
	pf sessions
	out_has one
	out_has two
	out_lacks far
	out_has "1 in other trees (--all)"
	pf sessions --all --json
	equal "$(json "$WORK/out" '[(s["name"], s["changes"]) for s in d["sessions"]]')" "[('far', 2), ('one', 1), ('two', 0)]"
	equal "$(json "$WORK/out" '{s["view"] for s in d["sessions"]}')" "{'copy'}"
	pf sessions -C src
	out_has one
	rm -r "$WORK/other"
	pf sessions --all
	out_has "its tree is gone"
}

what_is_kept_too_long_is_collected() {
	keep_tree
	run -q -- true
	session s -- sh -c 'echo x >x'
	session same -- true
	find "$(scratch)/t" -maxdepth 3 -name lock -exec touch -d '40 days ago' {} +
	pf gc --dry-run
	out_has "would remove"
	pf gc --json
	equal "$(json "$WORK/out" '[(i["what"], i["removed"]) for i in d["items"]], d["kept"], d["remains"]')" "[('copy', True)] 2 []"
	pf gc --set session.keep-count=1
	out_has "session same"
	pf gc --set session.keep-bytes=1
	out_is "freed 0 bytes; 1 kept"
	pf gc --set session.keep-bytes=1 --unapplied
	out_has "session s"
	equal "$(find "$(scratch)/t" "$(scratch)/gone" -mindepth 1 2>/dev/null)" ""
}

copies_of_trees_that_are_gone_are_collected() {
	mkdir "$WORK/other"
	(cd "$WORK/other" && run -q -- true && session s -- sh -c 'echo x >x') >/dev/null
	rm -r "$WORK/other"
	pf gc
	out_has "its tree is gone"
	out_has "1 kept"
	pf gc --unapplied
	out_has "session s"
}
