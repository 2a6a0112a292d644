# tests/suite/streams.sh - standard streams and descriptors.
# every arm

bytes_pass_unchanged_in_both_directions() {
	head -c 3000000 /dev/urandom >"$WORK/bytes"
	"$PINFOLD" run -q --arm "$ARM" -- cat <"$WORK/bytes" >"$WORK/out"
	cmp "$WORK/bytes" "$WORK/out"
	cat "$WORK/bytes" | "$PINFOLD" run -q --arm "$ARM" -- sh -c 'cat >&2' 2>"$WORK/err" | cmp - /dev/null
	cmp "$WORK/bytes" "$WORK/err"
}

pinfold_itself_writes_nothing_to_standard_output() {
	run -- true
	status_is 0
	out_is ""
}

closed_streams_are_no_ones_files_inside() {
	keep_tree
	status=0
	"$PINFOLD" run -q --arm "$ARM" -- sh -c 'readlink /proc/self/fd/0; echo ran' 0<&- >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	status_is 0
	[[ $out == ran || $out == $'/dev/null\nran' ]]
	"$PINFOLD" run -q --arm "$ARM" -- sh -c 'echo ran >&2' 1>&- 2>"$WORK/err"
	equal "$(<"$WORK/err")" ran
	"$PINFOLD" run -q --arm "$ARM" -- sh -c 'echo ran' 2>&- >"$WORK/out"
	equal "$(<"$WORK/out")" ran
	"$PINFOLD" run -q --arm "$ARM" -- sh -c 'exit 6' 0<&- 1>&- 2>&- || status=$?
	status_is 6
	"$PINFOLD" run -q --arm "$ARM" -- no-such-program 0<&- 1>&- 2>&- || status=$?
	status_is 127
}

a_standard_stream_that_is_a_directory_leads_nowhere() {
	keeps writes || skip "this arm does not keep what a directory could reach"
	local stream
	for stream in 0 1 2; do
		status=0
		(eval "exec $stream<\"$WORK/home\""; exec "$PINFOLD" run -q --arm "$ARM" -- \
			sh -c "[ ! -d /proc/self/fd/$stream ] || { echo reached >/proc/self/fd/$stream/reached; exit 1; }") ||
			status=$?
		[[ $status == 0 || $status == 125 ]]
		[[ ! -e $WORK/home/reached ]]
	done
}

descriptors_of_the_caller_do_not_reach_the_command() {
	echo secret >"$WORK/secret"
	status=0
	"$PINFOLD" run -q --arm "$ARM" -- sh -c 'cat <&7' 7<"$WORK/secret" >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	never status_is 0
	out_lacks secret
	"$PINFOLD" run -q --arm "$ARM" -- sh -c 'ls /proc/self/fd | tr "\n" " "' 7<"$WORK/secret" 9<. 42<. >"$WORK/out"
	equal "$(<"$WORK/out")" "0 1 2 3 "
}

a_descriptor_is_handed_over_by_name() {
	echo message >"$WORK/message"
	"$PINFOLD" run -q --arm "$ARM" --keep-fds 7 -- sh -c 'cat <&7' 7<"$WORK/message" >"$WORK/out"
	equal "$(<"$WORK/out")" message
	run --keep-fds 8 -- echo ran
	status_is 125
	err_has 8
	out_is ""
}

standard_input_is_the_callers_choice() {
	echo line | "$PINFOLD" run -q --arm "$ARM" -- cat >"$WORK/out"
	equal "$(<"$WORK/out")" line
	quick 20 no_input
	equal "$(<"$WORK/out")" ""
}
no_input() {
	mkfifo "$WORK/held"
	timeout 20 "$PINFOLD" run -q --arm "$ARM" --stdin null -- cat <>"$WORK/held" >"$WORK/out"
}

a_reader_that_goes_away_ends_the_writer() {
	set +e
	quick 30 endless
	status_is 141
	set -e
}
endless() {
	"$PINFOLD" run -q --arm "$ARM" -- yes | head -n 1 >/dev/null
	status=${PIPESTATUS[0]}
}

a_full_device_is_the_commands_own_failure() {
	status=0
	"$PINFOLD" run -q --arm "$ARM" -- sh -c 'echo x' >/dev/full 2>"$WORK/err" || status=$?
	never status_is 0
	never status_is 125
}

the_status_descriptor_tells_start_and_end() {
	"$PINFOLD" run -q --arm "$ARM" --status-fd 7 -- sh -c 'exit 3' 7>"$WORK/status" || :
	cat "$WORK/status"
	equal "$(head -n 1 "$WORK/status" | grep -c started)" 1
	equal "$(tail -n 1 "$WORK/status" | grep -c '"exit_code":3')" 1
	"$PINFOLD" run -q --arm "$ARM" --status-fd 7 -- no-such-program 7>"$WORK/status" 2>/dev/null || :
	equal "$(grep -c E_NOT_FOUND "$WORK/status")" 1
}
