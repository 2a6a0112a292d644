# tests/suite/verbs.sh - placement, choosing an arm, and what the other verbs say.

the_host_is_closed_without_a_person_who_opens_it() {
	keep_tree
	run --where host -- echo ran
	refused E_PLACEMENT_DENIED
	run --where host --set placement.host=never -- echo ran
	refused E_PLACEMENT_DENIED
	run --where elsewhere -- echo ran
	status_is 125
	out_is ""
}

on_the_host_the_command_works_in_the_tree_itself() {
	run -q --where host --set placement.host=always -- sh -c 'echo x >made; exit 3'
	status_is 3
	equal "$(<made)" x
}

on_the_host_everything_still_ends_with_the_command() {
	quick 30 run -q --where host --set placement.host=always --timeout 1s -- sh -c 'setsid sleep 60 & sleep 60'
	status_is 124
	nothing_runs
}

an_arm_of_another_system_is_refused_and_can_be_explained() {
	keep_tree
	run --arm seatbelt -- echo ran
	refused E_SANDBOX_DENIED
	err_has macOS
	pf explain --arm seatbelt -- true
	status_is 0
	out_has 'would be refused here'
}

the_job_object_arm_is_refused_with_its_reason() {
	keep_tree
	run --arm jobobject -- echo ran
	refused E_SANDBOX_DENIED
	err_has jobobject
	pf probe
	out_has jobobject
}

an_arm_that_does_not_exist_is_refused() {
	run --arm no-such-arm -- echo ran
	status_is 125
	err_has no-such-arm
	out_is ""
}

a_promise_that_cannot_be_kept_is_refused_and_named() {
	keep_tree
	run --arm copytree --require network -- echo ran
	refused E_SANDBOX_DENIED
	err_has network
	run --require writes,no-such-axis -- echo ran
	status_is 125
	err_has no-such-axis
	out_is ""
}

a_weaker_arm_is_never_taken_silently() {
	run --set 'pinfold.arms=jobobject, copytree' -- echo ran
	status_is 0
	err_has jobobject
	run --set 'pinfold.arms=jobobject, copytree' --require writes -- echo ran
	refused E_SANDBOX_DENIED
}

without_user_namespaces_the_limit_is_named_and_nothing_is_weakened_in_silence() {
	unshare -Ur true 2>/dev/null || skip "user namespaces are closed here"
	keep_tree
	status=0
	unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && shift 0 && exec "$0" run --arm namespaces -- echo ran' \
		"$PINFOLD" >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	refused E_SANDBOX_DENIED
	err_has max_user_namespaces
	status=0
	unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" run --require writes -- echo ran' \
		"$PINFOLD" >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	[[ $status == 0 && $out == ran ]] || refused E_SANDBOX_DENIED
	unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" run -- echo ran' \
		"$PINFOLD" >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	err_has namespaces
}

bubblewrap_can_make_the_confinement() {
	command -v bwrap >/dev/null || skip "bubblewrap is not installed"
	keep_tree
	run -q --arm namespaces --set "arm:namespaces.wrapper=$(command -v bwrap)" -- sh -c 'echo x >new; cat one; exit 4'
	status_is 4
	out_is one
}

a_wrapper_that_is_relative_missing_or_someone_elses_is_refused() {
	keep_tree
	cp /bin/true "$WORK/loose"
	chmod 0777 "$WORK/loose"
	local wrapper
	for wrapper in bwrap ./bwrap "$WORK/none" "$WORK" "$WORK/loose" /etc/passwd; do
		run --arm namespaces --set "arm:namespaces.wrapper=$wrapper" -- echo ran
		status_is 125
		err_has "  try: "
		out_is ""
	done
}

a_wrapper_that_lies_or_fails_confines_nothing_and_runs_nothing() {
	local program
	for program in true false; do
		run --arm namespaces --set "arm:namespaces.wrapper=/bin/$program" -- echo ran
		status_is 125
		out_is ""
	done
}

probing_answers_every_axis_and_exits_by_what_is_required() {
	pf probe --json
	status_is 0
	local axis
	for axis in filesystem writes secrets network sockets processes process_tree user resources terminal kernel; do
		out_has "\"$axis\""
	done
	json "$WORK/out" 'len(d)'
	pf probe --require filesystem
	status_is 0
	pf probe --json --require resources,kernel,terminal
	equal "$status" "$(json "$WORK/out" '0 if any(a["available"] and all(a["promises"][x]["kept"] for x in ("resources", "kernel", "terminal")) for a in d["arms"]) else 1')"
	pf probe --require no-such-axis
	never status_is 0
}

a_person_sees_the_promises_in_a_table_and_what_to_do_about_each_refusal() {
	local refused
	pf probe --set 'pinfold.arms=jobobject, copytree'
	status_is 0
	grep -qxE 'promise +(namespaces +)?copytree *.*' <<<"$out"
	grep -qxE 'filesystem +.*kept \*.*' <<<"$out"
	out_has 'A run takes copytree.'
	out_has '  filesystem    kept, but an absolute path'
	refused=$("$PINFOLD" probe --json --set 'pinfold.arms=jobobject, copytree' | grep -c '"missing"') || :
	equal "$(grep -c '^    do: ' <<<"$out")" "$refused"
	((refused > 0))
	pf probe --set pinfold.arms=jobobject
	out_has 'No preferred arm can be had'
}

# on_terminal VARIABLE=VALUE… VERB…: what a terminal gets
on_terminal() { script -qec "env -u NO_COLOR TERM=xterm $1 '$PINFOLD' $2" /dev/null </dev/null; }
colours_are_for_terminals_that_have_them_and_for_people_who_want_them() {
	local verb escape=$'\033'
	for verb in probe plugins config 'help run' explain\ true report; do
		"$PINFOLD" run -q -- true
		[[ $(on_terminal "" "$verb") == *"$escape"* ]] || { echo "no colours: $verb"; return 1; }
		[[ $(on_terminal "NO_COLOR=" "$verb") == *"$escape"* ]]
		[[ $(on_terminal "NO_COLOR=1" "$verb") != *"$escape"* ]] || { echo "colours: $verb"; return 1; }
		[[ $(on_terminal "TERM=dumb" "$verb") != *"$escape"* ]]
		[[ $("$PINFOLD" $verb) != *"$escape"* ]]
	done
}

the_effective_configuration_names_file_and_line() {
	printf '[network]\nmode = loopback\n' >"$WORK/own.conf"
	pf config --config "$WORK/own.conf"
	status_is 0
	out_has "$WORK/own.conf:2"
	pf config --json --config "$WORK/own.conf"
	json "$WORK/out" 'len(d)'
	out_has "$WORK/own.conf"
}

plugins_are_listed_with_versions() {
	pf plugins
	status_is 0
	out_has namespaces
	out_has copytree
	out_has jobobject
	pf plugins --json
	json "$WORK/out" 'len(d)'
}

explaining_does_nothing() {
	keep_tree
	pf explain -- sh -c "touch '$WORK/ran'"
	status_is 0
	out_has namespaces
	pf explain --json -- true
	json "$WORK/out" 'len(d)'
	[[ ! -e $WORK/ran ]]
}

every_verb_has_help_and_a_typing_error_is_refused() {
	local verb
	for verb in run probe explain config plugins; do
		pf "$verb" --help
		status_is 0
		out_has "--json"
		pf "$verb" --no-such-option
		status_is 125
		err_has no-such-option
	done
	pf rnu
	status_is 125
	err_has run
	pf --help
	status_is 0
	pf --version
	status_is 0
}

a_receipt_is_written_where_a_file_without_a_name_can_be_given_none() {
	command -v strace >/dev/null || skip "no strace"
	not_sanitized "tracing"
	echo old >"$WORK/receipt"
	strace -o "$WORK/trace" -e trace=linkat -e inject=linkat:error=ENOENT "$PINFOLD" run -q --receipt "$WORK/receipt" -- true
	grep -q INJECTED "$WORK/trace" || skip "this file system has no files without a name"
	json "$WORK/receipt" 'd["ending"]'
	equal "$(stat -c %a "$WORK/receipt"; find "$WORK" -maxdepth 1 -name '.pinfold*')" 600
}

a_receipt_says_what_was_done() {
	mkfifo pipe
	run -q --receipt "$WORK/receipt" -- sh -c 'exit 7'
	status_is 7
	local word
	equal "$(json "$WORK/receipt" 'd["ending"]["kind"], d["ending"]["code"], d["view"]["work"]["skipped_names"], d["process"]["survivors"]')" "ended 7 ['pipe'] 0"
	json "$WORK/receipt" '[d["arm"]["statement"], d["arm"]["promises"]["writes"]["kept"], d["environment"]["dropped"], d["durations_us"]["setup"], d["view"]["work"]["walked"], d["view"]["work"]["created"]]'
	run -q --receipt "$WORK/none/receipt" -- echo ran
	status_is 125
	out_is ""
	"$PINFOLD" run -q --receipt fd:7 -- true 7>"$WORK/receipt2"
	json "$WORK/receipt2" 'len(d)'
}

# names FILE: of the events, in their order.
names() { sed -n 's/.*"event": "\([a-z]*\)".*/\1/p' "$1" | tr '\n' ' '; }
a_run_tells_what_happens_as_it_happens() {
	local once='chosen view application application application started ended settled '
	run -q --events "$WORK/events" -- sh -c "until grep -q '\"started\"' '$WORK/events'; do sleep 0.02; done; cat '$WORK/events'; exit 7"
	status_is 7
	equal "$(names "$WORK/events")" "$once"
	equal "$(names "$WORK/out")" "${once%% ended*} "
	run -q --events "$WORK/events" -- true
	equal "$(names "$WORK/events")" "${once}chosen view started ended settled "
	tail -n 1 "$WORK/events" >"$WORK/last"
	json "$WORK/last" 'd["durations_us"]["total"], d["view"]["kept"], d["run"], d["at_us"]'
	equal "$(stat -c %a "$WORK/events")" 600
	equal "$(sed 's/.*"run": "\([^"]*\)".*/\1/' "$WORK/events" | sort -u | wc -l)" 2
}

events_of_a_command_that_never_ran_end_with_the_refusal() {
	run -q --events "$WORK/events" -- no-such-program
	status_is 127
	equal "$(names "$WORK/events")" 'chosen refused '
	tail -n 1 "$WORK/events" >"$WORK/last"
	equal "$(json "$WORK/last" 'd["error"]["code"], d["exit_code"]')" 'E_NOT_FOUND 127'
	run -q --events "$WORK/more" --where nowhere -- true
	equal "$(names "$WORK/more")" 'refused '
}

events_go_to_plain_files_and_descriptors_and_a_reader_that_left_ends_no_run() {
	"$PINFOLD" run -q --events fd:7 -- true 7>"$WORK/events"
	equal "$(names "$WORK/events")" 'chosen view started ended settled '
	mkfifo "$WORK/fifo"
	ln -s events "$WORK/link"
	local place
	for place in "$WORK/fifo" "$WORK/link" "$WORK" "$WORK/none/events" /dev/null fd:99; do
		run -q --events "$place" -- echo ran
		refused E_USAGE
	done
	mkdir "$WORK/log"
	# A child that is begun late inherits what was done about the broken pipe.
	local more
	for more in "--keep-fds 8" "--arm copytree" "-q"; do
		rm -f "$WORK/log/trap"
		{ run -q $more --set "filesystem.writable=$WORK/log" --events fd:7 -- \
			sh -c "trap 'echo x >$WORK/log/trap' PIPE; kill -PIPE \$\$; exit 5"; } 7> >(exit 0) 8</dev/null
		status_is 5
		[[ -s $WORK/log/trap ]]
	done
}
