# tests/suite/serve.sh - many runs in one process, asked for in lines of JSON.

# Begins a server; what it says is read by `hear`.
serve() {
	mkfifo "$WORK/asked" "$WORK/answered"
	"$PINFOLD" serve "$@" <"$WORK/asked" >"$WORK/answered" 2>"$WORK/err" &
	server=$!
	exec {to}>"$WORK/asked" {from}<"$WORK/answered"
	at_end 'kill -9 $server 2>/dev/null'
}
ask() { printf '%s\n' "$1" >&"$to"; }
hang_up() { exec {to}>&-; }

# The next line that matches all the patterns; those before it are forgotten.
hear() {
	local pattern
	while IFS= read -r -t 30 line <&"$from"; do
		echo "  said: ${line:0:300}"
		for pattern; do [[ $line == *"$pattern"* ]] || continue 2; done
		return 0
	done
	echo "never heard: $*"
	return 1
}
server_ends() {	# STATUS
	status=0
	wait "$server" || status=$?
	status_is "$1"
}

a_run_is_told_when_it_starts_and_when_it_ends_with_what_it_wrote() {
	keep_tree
	serve
	ask '{"id": "a", "do": "run", "argv": ["sh", "-c", "cat one; echo x >two; echo e >&2; exit 3"]}'
	hear '"id":"a"' '"event":"started"' 'namespaces: it guarantees'
	hear '"id":"a"' '"event":"ended"' '"exit_code":3' '"stdout":"one\n"' '"stderr":"e\n"'
	hang_up
	server_ends 0
}

what_ended_a_run_and_what_it_was_refused_is_told_for_each() {
	serve
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "exec head -c 5000 /dev/zero >big"], "settings": ["limits.file-size=1000"]}'
	hear '"id":1' '"event":"ended"' '"limit":"file-size"'
	ask '{"id": 2, "do": "run", "argv": ["sh", "-c", "echo >~/made"], "settings": ["pinfold.denials=yes"], "receipt": true}'
	hear '"id":2' '"event":"ended"' '"denials":[{' '"lift":"set [filesystem] writable = '
	ask '{"id": 3, "do": "run", "argv": ["sh", "-c", "echo >~/made"], "receipt": true}'
	hear '"id":3' '"event":"ended"' '"receipt":'
	[[ $line != *'"denials"'* && $line != *'"limit"'* ]]
	hang_up
	server_ends 0
}

a_line_that_is_wrong_gets_an_error_and_the_next_one_works() {
	local i deep
	serve
	deep=$(printf '[%.0s' {1..5000})
	for i in nonsense '[]' '"x"' '{"id":1}' '{"id":1,"do":"rnu"}' '{"id":1.5,"do":"list"}' '{"id":null,"do":"list"}' \
		'{"id":1,"do":"run"}' '{"id":1,"do":"run","argv":[]}' '{"id":1,"do":"run","argv":["a",7]}' \
		'{"id":1,"do":"run","argv":["true"],"argv":["false"]}' '{"id":1,"do":"run","argv":["true"],"setings":[]}' \
		'{"id":1,"do":"run","argv":["true"],"capture":-1}' '{"id":1,"do":"run","argv":["true"],"timeout":1e99}' \
		'{"id":1,"do":"run","argv":["true"],"timeout":99999999999999999999999}' \
		'{"id":1,"do":"run","argv":["true"],"stdin":{"descriptor":0}}' \
		'{"id":1,"do":"run","argv":["true"],"descriptors":[63]}' '{"id":1,"do":"run","argv":["tr\u0000ue"]}' \
		'{"id":1,"do":"run","argv":["true"],"stdout":"inherit"}' '{"id":1,"do":"run","argv":["true"],"stdout":{}}' \
		'{"id":1,"do":"run","argv":["true"],"where":"there"}' '{"id":1,"do":"run","argv":["true"],"environment":{"A=B":"c"}}' \
		'{"id":1,"do":"signal","run":7,"signal":"TERM"}' '{"id":1,"do":"signal","run":7,"signal":"TREM"}' \
		'{"id":1,"do":"cancel","run":7}' '{"id":1,"do":"wait"}' "$deep" '{"id":1,"do":"list"' $'{"id":1,"do":"\xff"}'; do
		ask "$i"
		hear '"event":"refused"' '"code":"E_USAGE"'
	done
	printf '{"id":1,"do":"li\0st"}\n' >&"$to"
	hear '"event":"refused"' '"code":"E_USAGE"'
	{ head -c 3000000 /dev/zero | tr '\0' x; echo; } >&"$to"
	hear '"event":"refused"' 'longer than a mebibyte'
	ask ''
	ask '{"id": 2, "do": "run", "argv": ["no-such-program"]}'
	hear '"id":2' '"event":"refused"' '"code":"E_NOT_FOUND"'
	ask '{"id": 2, "do": "run", "argv": ["true"], "settings": ["netwrok.mode=none"]}'
	hear '"id":2' '"event":"refused"' '"code":"E_CONFIG"'
	ask '{"id": 3, "do": "run", "argv": ["true"]}'
	hear '"id":3' '"event":"ended"' '"exit_code":0'
	printf '{"id":4,"do":"li' >&"$to"
	hang_up
	hear '"event":"refused"' 'the input ended within it'
	server_ends 0
}

runs_go_side_by_side_and_one_of_them_is_cancelled() {
	serve
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "setsid sleep 60 & sleep 60"]}'
	hear '"id":1' started
	ask '{"id": 2, "do": "run", "argv": ["echo", "beside"]}'
	hear '"id":2' '"event":"ended"' beside
	ask '{"id": 2, "do": "list"}'
	hear '"event":"runs"' '"run":1,"state":"running"' '"members":['
	[[ $line =~ \"members\":\[[0-9]+,[0-9]+,[0-9]+\] ]]
	ask '{"id": 1, "do": "run", "argv": ["true"]}'
	hear '"id":1' '"event":"refused"'
	ask '{"id": 3, "do": "cancel", "run": 1}'
	hear '"id":3' '"event":"done"'
	hear '"id":1' '"event":"ended"' '"ending":"signalled"' '"cancelled":true'
	hang_up
	server_ends 0
}

with_one_job_runs_go_in_the_order_of_their_requests() {
	local i
	serve --jobs 1
	for i in {1..6}; do ask "{\"id\": $i, \"do\": \"run\", \"argv\": [\"sleep\", \"0.0$((7 - i))\"]}"; done
	ask '{"id": 7, "do": "cancel", "run": 6}'
	hear '"id":6' '"event":"refused"' cancelled
	for i in {1..5}; do
		hear '"event":"' "\"id\":$i" started
		hear '"event":"' "\"id\":$i" ended
	done
	hang_up
	server_ends 0
}

a_run_in_the_background_is_told_to_who_reaps_and_only_once() {
	serve --jobs 1
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "echo early; sleep 0.2; exit 4"], "background": true}'
	hear '"id":1' '"event":"handed"'
	hear '"id":1' '"event":"started"'
	ask '{"id": 2, "do": "run", "argv": ["true"]}'
	hear '"id":2' '"event":"ended"'
	ask '{"id": 3, "do": "wait", "run": 1}'
	hear '"id":3' '"event":"waited"' '"state":"ended"'
	ask '{"id": 4, "do": "reap"}'
	hear '"id":4' '"run":1' '"exit_code":4' '"stdout":"early\n"'
	ask '{"id": 5, "do": "reap"}'
	hear '"id":5' '"runs":[]'
	ask '{"id": 6, "do": "run", "argv": ["sleep", "60"], "window": 50}'
	hear '"id":6' started
	hear '"id":6' handed
	ask '{"id": 7, "do": "wait", "run": 6, "limit": 50}'
	hear '"id":7' '"state":"running"'
	hang_up
	server_ends 0
	nothing_runs
}

a_copy_that_a_run_in_the_background_holds_is_given_to_no_other() {
	local first
	serve
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "echo held >mine; sleep 60"], "background": true, "view": "copy"}'
	hear '"id":1' started
	ask '{"id": 2, "do": "run", "argv": ["sh", "-c", "test ! -e mine && echo own"], "view": "copy", "receipt": true}'
	hear '"id":2' '"event":"ended"' '"stdout":"own\n"'
	ask '{"id": 3, "do": "cancel", "run": 1}'
	ask '{"id": 4, "do": "wait", "run": 1}'
	hear '"id":4' waited
	ask '{"id": 5, "do": "run", "argv": ["sh", "-c", "test ! -e mine && echo clean"], "view": "copy"}'
	hear '"id":5' '"event":"ended"' '"stdout":"clean\n"'
	hang_up
	server_ends 0
}

when_the_client_goes_everything_it_started_is_ended() {
	serve
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "setsid sleep 60 & trap : TERM HUP; sleep 60; sleep 60"]}'
	ask '{"id": 2, "do": "run", "argv": ["sleep", "60"], "background": true}'
	hear '"id":1' started
	quick 10 hang_up
	server_ends 0
	nothing_runs
}

when_nobody_reads_the_answers_everything_is_ended() {
	serve
	ask '{"id": 1, "do": "run", "argv": ["sleep", "60"]}'
	hear '"id":1' started
	exec {from}<&-
	server_ends 0
	nothing_runs
}

a_server_that_is_ended_by_a_signal_ends_everything_first() {
	serve
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "setsid sleep 60 & sleep 60"]}'
	hear '"id":1' started
	kill -TERM "$server"
	server_ends 143
	nothing_runs
}

a_server_that_is_killed_leaves_nothing_that_runs() {
	serve
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "setsid sleep 60 & sleep 60"]}'
	hear '"id":1' started
	kill -KILL "$server"
	server_ends 137
	eventually 5 nothing_runs
}

what_is_captured_has_a_bound_and_the_command_waits_for_no_reader() {
	serve
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "head -c 5000000 /dev/zero | tr \"\\0\" y"], "capture": 1000}'
	hear '"id":1' '"event":"ended"' '"stdout_dropped":4999000' yyyy
	ask '{"id": 2, "do": "run", "argv": ["printf", "a\\377\\000b"]}'
	hear '"id":2' '"event":"ended"' '"stdout":{"hex":"61ff0062"}'
	hang_up
	server_ends 0
}

a_reader_that_takes_its_time_gets_everything_and_holds_nobody_up() {
	local i
	serve --jobs 4 --drain
	for i in {1..12}; do
		ask "{\"id\": $i, \"do\": \"run\", \"argv\": [\"sh\", \"-c\", \"head -c 900000 /dev/zero | tr '\\\\0' z\"]}"
	done
	hang_up
	sleep 1
	cat <&"$from" >"$WORK/heard"
	server_ends 0
	equal "$(grep -c '"event":"ended".*"stdout":"z*","stdout_dropped":0' "$WORK/heard")" 12
	(($(tr -dc z <"$WORK/heard" | wc -c) >= 12 * 900000))
}

each_run_has_settings_an_environment_and_a_time_limit_of_its_own() {
	serve --set environment.set=BASE=1
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "echo $BASE $MINE"], "settings": ["environment.set=MINE=2"]}'
	hear '"id":1' '"event":"ended"' '"stdout":"1 2\n"'
	ask '{"id": 2, "do": "run", "argv": ["sh", "-c", "echo $BASE $MINE $GIVEN $HOME"], "environment": {"GIVEN": "3", "PATH": "/usr/bin:/bin"}}'
	hear '"id":2' '"event":"ended"' '"stdout":"1 3\n"'
	ask '{"id": 3, "do": "run", "argv": ["sleep", "60"], "timeout": 100}'
	hear '"id":3' '"event":"ended"' '"ending":"timed_out"' '"exit_code":124'
	ask '{"id": 4, "do": "run", "argv": ["sh", "-c", "trap \"echo got; exit 5\" USR1; touch ready; while :; do sleep 0.01; done"]}'
	hear '"id":4' started
	eventually 20 compgen -G "$HOME/.cache/pinfold/t/*/*/tree/ready" >"$WORK/ready"
	ask '{"id": 5, "do": "signal", "run": 4, "signal": "USR1"}'
	hear '"id":4' '"event":"ended"' '"exit_code":5' 'got'
	ask '{"id": 6, "do": "run", "argv": ["sh", "-c", "(: </dev/tty) 2>/dev/null && echo terminal || echo none"]}'
	hear '"id":6' '"event":"ended"' '"stdout":"none\n"'
	hang_up
	server_ends 0
}

streams_are_files_and_descriptors_that_the_server_was_handed() {
	printf 'through seven\n' >"$WORK/tmp/seven"
	exec 7<"$WORK/tmp/seven"
	serve
	ask "{\"id\": 1, \"do\": \"run\", \"argv\": [\"cat\"], \"stdin\": {\"text\": \"text\"}, \"stdout\": {\"file\": \"$WORK/tmp/out\"}}"
	hear '"id":1' '"event":"ended"' '"exit_code":0'
	ask "{\"id\": 2, \"do\": \"run\", \"argv\": [\"cat\"], \"stdin\": {\"descriptor\": 7}, \"stdout\": {\"file\": \"$WORK/tmp/out\", \"append\": true}}"
	hear '"id":2' '"event":"ended"' '"exit_code":0'
	equal "$(<"$WORK/tmp/out")" "textthrough seven"
	ask "{\"id\": 3, \"do\": \"run\", \"argv\": [\"sh\", \"-c\", \"test -e /proc/self/fd/7 && ! test -e /proc/self/fd/8 && echo seven\"], \"descriptors\": [7]}"
	hear '"id":3' '"event":"ended"' '"stdout":"seven\n"'
	ask "{\"id\": 4, \"do\": \"run\", \"argv\": [\"cat\"], \"stdin\": {\"file\": \"$WORK/tmp/none\"}}"
	hear '"id":4' '"event":"refused"' '"code":"E_SYSTEM"'
	exec 7<&-
	hang_up
	server_ends 0
}

changes_of_a_session_are_shown_applied_and_discarded() {
	serve
	ask '{"id": 1, "do": "run", "argv": ["sh", "-c", "echo two >two"], "session": "s"}'
	hear '"id":1' '"event":"ended"' '"exit_code":0'
	ask '{"id": 2, "do": "diff", "session": "s"}'
	hear '"id":2' '"event":"done"' '"two"'
	ask '{"id": 3, "do": "apply", "session": "s"}'
	hear '"id":3' '"event":"done"'
	equal "$(<two)" two
	ask '{"id": 4, "do": "run", "argv": ["rm", "two"], "session": "s"}'
	hear '"id":4' '"event":"ended"'
	ask '{"id": 5, "do": "discard", "session": "s"}'
	hear '"id":5' '"event":"done"'
	ask '{"id": 6, "do": "diff", "session": "s"}'
	hear '"id":6' '"event":"refused"' E_SESSION
	ask '{"id": 7, "do": "probe", "require": "network"}'
	hear '"id":7' '"event":"done"' '"held":true'
	ask '{"id": 8, "do": "explain", "argv": ["true"]}'
	hear '"id":8' '"event":"done"' '"document":{'
	hang_up
	server_ends 0
}

many_runs_leave_memory_and_descriptors_of_the_server_where_they_were() {
	local i before after
	not_sanitized "its own memory"
	serve --jobs 1
	few() {
		for ((i = $1; i < $2; i++)); do
			ask "{\"id\": $i, \"do\": \"run\", \"argv\": [\"true\"], \"settings\": [\"environment.set=CAGE=$((i % 4))\"]}"
			hear '"event":"ended"' '"exit_code":0' >>"$WORK/heard"
		done
	}
	used() {
		ls "/proc/$server/fd" | wc -l
		awk '/^VmRSS/ {print $2}' "/proc/$server/status"
	}
	few 0 20
	before=($(used))
	few 20 "${SERVE_RUNS:-1000}"
	# A supervisor that is being torn down has a descriptor until a later run looks: on a busy machine more of them.
	local next=${SERVE_RUNS:-1000}
	is_where_it_was() {
		few $next $((next += 2))
		after=($(used))
		echo "descriptors and kilobytes: ${before[*]}, then ${after[*]}"
		((after[0] <= before[0] && after[1] <= before[1] + 512))
	}
	eventually 10 is_where_it_was
	hang_up
	server_ends 0
}

what_was_asked_for_is_finished_first_where_that_is_wanted() {
	printf '%s\n' '{"id": 1, "do": "run", "argv": ["sh", "-c", "sleep 0.2; echo late"]}' |
		"$PINFOLD" serve --drain >"$WORK/out" 2>"$WORK/err"
	status=0
	show
	out_has '"stdout":"late\n"'
	printf '%s\n' '{"id": 1, "do": "run", "argv": ["sh", "-c", "sleep 60; echo late"]}' |
		quick 20 "$PINFOLD" serve >"$WORK/out" 2>"$WORK/err"
	show
	out_lacks late\\n
	nothing_runs
}
