# tests/suite/endings.sh - exit statuses, signals, time limits, and the end of all that was started.
# every arm

every_exit_status_is_the_commands_own() {
	keep_tree
	local code
	for code in 0 1 2 3 7 42 63 64 77 99 100 111 122 123 124 125 126 127 128 129 130 137 143 192 254 255; do
		run -q -- sh -c "exit $code" >/dev/null
		status_is "$code"
		equal "$out$err" ""
	done
}

a_signal_that_ends_the_command_is_128_and_its_number() {
	keep_tree
	local name
	for name in HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM XCPU SYS; do
		run -q -- sh -c "kill -$name \$\$; sleep 5"
		status_is $((128 + $(kill -l "$name")))
	done
	run -q --receipt "$WORK/receipt" -- sh -c 'kill -ABRT $$'
	status_is 134
	equal "$(json "$WORK/receipt" 'd["ending"]["kind"], d["ending"]["signal"], d["exit_code"]')" "signalled 6 134"
}

a_time_limit_ends_everything_and_exits_124() {
	keep_tree
	quick 20 run --timeout 1s -- sh -c 'trap "" TERM INT HUP; sleep 60 & setsid sleep 60 & sleep 60'
	status_is 124
	nothing_runs
}

a_time_limit_does_not_wait_for_a_grandchild_that_holds_the_pipe() {
	quick 20 through_a_pipe --timeout 1s -- sh -c '(sleep 60 &); sleep 60'
	status_is 124
	quick 20 through_a_pipe --timeout=1s -- sh -c '(setsid sleep 60 &); sleep 60'
	status_is 124
}

a_command_that_ends_in_time_is_not_touched_by_the_limit() {
	quick 20 run --timeout 30s -- sh -c 'exit 5'
	status_is 5
}

the_pipe_closes_when_the_command_ends_whatever_it_left() {
	keep_tree
	quick 20 through_a_pipe -- sh -c 'sleep 60 & setsid sleep 60 & (setsid sh -c "sleep 60 & sleep 60" &) ; echo done; exit 3'
	status_is 3
	out_is "done"
	nothing_runs
}
through_a_pipe() {
	set +e
	"$PINFOLD" run -q ${ARM:+--arm "$ARM"} "$@" 2>"$WORK/err" | cat >"$WORK/out"
	status=${PIPESTATUS[0]}
	set -e
	show
}

survivors_are_ended_and_counted() {
	run -q --receipt "$WORK/receipt" -- sh -c 'sleep 60 & setsid sleep 60 & exit 0'
	status_is 0
	nothing_runs
	equal "$(json "$WORK/receipt" 'd["process"]["survivors"]')" 2
}

signals_to_pinfold_reach_the_command() {
	keep_tree
	local name
	for name in TERM HUP INT USR1 USR2; do
		start_slow "trap 'echo $name; exit 9' $name; echo up; while :; do sleep 0.05; done"
		kill -"$name" "$pid"
		ended_with 9
		out_has "$name"
	done
}
start_slow() {
	: >"$WORK/out"
	# What a shell starts in the background ignores SIGINT.
	env --default-signal "$PINFOLD" run -q ${ARM:+--arm "$ARM"} -- sh -c "$1" >"$WORK/out" 2>"$WORK/err" &
	pid=$!
	eventually 10 grep -q up "$WORK/out"
}
ended_with() {
	status=0
	wait "$pid" || status=$?
	show
	status_is "$1"
}

a_signal_that_the_command_does_not_handle_ends_it() {
	start_slow 'echo up; exec sleep 60'
	kill -TERM "$pid"
	ended_with 143
}

a_stopped_command_is_continued_with_pinfold() {
	start_slow 'echo up; exec sleep 0.5'
	kill -STOP "$pid"
	kill -CONT "$pid"
	ended_with 0
}

nothing_runs_on_when_pinfold_is_killed() {
	keep_tree
	start_slow 'sleep 60 & setsid sleep 60 & echo up; sleep 60'
	kill -KILL "$pid"
	wait "$pid" || :
	nothing_runs
	run -- cat one
	status_is 0
	out_is one
}

a_fork_bomb_of_sleepers_ends_with_the_command() {
	quick 20 run -q -- sh -c 'i=0; while [ $i -lt 100 ]; do setsid sleep 60 & i=$((i + 1)); done; exit 4'
	status_is 4
	nothing_runs
}

what_still_runs_is_listed_until_it_has_ended() {
	local script=": mark-$RANDOM-$$; setsid sleep 61 & sleep 62"	# others run this at the same time
	pf jobs
	out_lacks "$script"
	"$PINFOLD" run -q ${ARM:+--arm "${ARM%/*}"} -- sh -c "$script" &
	at_end "kill $! 2>/dev/null"
	listed() { pf jobs --json; [[ $out == *"\"command\": \"sh -c $script\""* ]] && grep -B2 -A3 '"processes": 3' <<<"$out" >/dev/null; }
	eventually 10 listed
	json "$WORK/out" '[j["directory"] for j in d["jobs"] if "'"$script"'" in (j["command"] or "")]' | grep -q tree
	pf jobs
	out_has "$script"
	kill -TERM $!
	wait $! || :
	pf jobs
	out_lacks "$script"
}

the_limit_that_ended_the_command_is_in_the_receipt() {
	run -q --receipt "$WORK/receipt" --timeout 300ms -- sleep 60
	equal "$(json "$WORK/receipt" 'd["ending"].get("limit")')" timeout
	run -q --receipt "$WORK/receipt" --set limits.file-size=1000 -- sh -c 'exec head -c 5000 /dev/zero >big'
	equal "$(json "$WORK/receipt" 'd["ending"].get("limit")')" file-size
	run -q --receipt "$WORK/receipt" --set limits.cpu-time=50s -- sh -c 'kill -KILL $$'
	equal "$(json "$WORK/receipt" 'd["ending"].get("limit")')" None
	run --receipt "$WORK/receipt" --set limits.cpu-time=1s -- sh -c 'while :; do :; done'
	status_is $((128 + $(kill -l XCPU)))
	equal "$(json "$WORK/receipt" 'd["ending"].get("limit")')" cpu-time
	err_has "limits] cpu-time"
	run --set limits.file-size=1000 -- sh -c 'exec head -c 5000 /dev/zero >big'
	err_has "limits] file-size"
	run -q --receipt "$WORK/receipt" --set limits.cpu-time=1s -- sh -c 'trap "" XCPU; while :; do :; done'
	status_is $((128 + $(kill -l KILL)))
	run -q --receipt "$WORK/receipt" --set limits.cpu-time=50s -- sh -c 'kill -XCPU $$'
	equal "$(json "$WORK/receipt" 'd["ending"].get("limit")')" None
	run -q --receipt "$WORK/receipt" --set limits.cpu-time=50s -- true
	equal "$(json "$WORK/receipt" 'd["ending"].get("limit")')" None
}
