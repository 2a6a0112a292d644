# tests/suite/starting.sh - what cannot be started is refused clearly, and what can be started is.
# every arm

a_missing_program_is_127() {
	keep_tree
	local name
	for name in no-such-program ./no-such-program /no/such/program src/no-such '' "$(printf 'a\nb')"; do
		run -- "$name"
		refused E_NOT_FOUND 127
	done
}

a_program_that_cannot_be_executed_is_126() {
	keep_tree
	local name
	for name in ./one ./src /etc/passwd ./one/x; do
		run -- "$name"
		[[ $name == ./one/x && $status == 127 ]] || refused E_NOT_EXECUTABLE 126
	done
}

a_missing_interpreter_is_told_with_the_script() {
	printf '#!/no/such/interpreter\n' >src/lost
	chmod 0755 src/lost
	keep_tree
	run -- ./src/lost
	[[ $status == 126 || $status == 127 ]]
	err_has "src/lost"
}

a_program_in_a_place_that_the_command_has_for_itself_is_told_as_such() {
	local place
	place=$(mktemp -d /tmp/pinfold-suite-XXXXXX)
	cp /bin/true "$place/there"
	run -q -- ls "$place/there"
	local seen=$status
	run -- "$place/there"
	rm -rf -- "$place"
	if [[ $seen == 0 ]]; then
		[[ $ARM != namespaces ]]
		status_is 0
	else
		refused E_NOT_FOUND 127
		err_has "it is there outside"
	fi
}

arguments_arrive_byte_for_byte() {
	local arguments=('' ' ' -- -q --timeout "it's" '"' '\' '$HOME' '*' $'a\nb' $'\xff\xfe' 'ü')
	run -q -- sh -c 'printf "<%s>" "$@"' -- "${arguments[@]}"
	status_is 0
	equal "$out" "$(printf '<%s>' "${arguments[@]}")"
}

a_program_of_the_tree_is_found_by_its_path_and_others_by_PATH() {
	run -q -- src/say a b
	out_is "a b"
	run -q -- ./link c
	out_is c
	PATH=$TREE/src:$PATH run -q -- say d
	out_is d
}

no_command_is_a_question_of_usage() {
	run
	refused E_USAGE
	run --
	refused E_USAGE
}

an_unknown_option_is_refused_with_the_nearest() {
	keep_tree
	run --tiemout 3 -- echo ran
	refused E_USAGE
	err_has --timeout
	run --disalbe-net -- echo ran
	refused E_USAGE
	run -x -- echo ran
	refused E_USAGE
	run --timeout
	refused E_USAGE
	run --timeout soon -- echo ran
	status_is 125
	out_is ""
}

an_unknown_key_is_refused_with_the_nearest() {
	run --set network.mod=none -- echo ran
	refused E_CONFIG
	err_has mode
	run --set netwrok.mode=none -- echo ran
	refused E_CONFIG
	err_has network
	run --set network.mode=nothing -- echo ran
	refused E_CONFIG
	run --set network.mode -- echo ran
	refused E_CONFIG
}

a_bad_configuration_file_is_refused_by_file_and_line() {
	local text
	for text in '[network]\nmod = none' '[netwrok]\nmode = none' '[network]\nmode = some' '[network\nmode = none' \
		"[network]\n# $(printf 'x%.0s' {1..300})\nmode = none" '[network]\nmode = none\nmode = host'; do
		printf "$text\n" >"$WORK/bad.conf"
		run --config "$WORK/bad.conf" -- echo ran
		refused E_CONFIG
		err_has "$WORK/bad.conf:"
	done
	run --config "$WORK/none.conf" -- echo ran
	refused E_CONFIG
	run --config "$WORK" -- echo ran
	refused E_CONFIG
}

nothing_is_read_from_the_working_tree() {
	local name
	for name in pinfold.conf .pinfold.conf .config/pinfold/pinfold.conf etc/pinfold/pinfold.conf; do
		mkdir -p "$(dirname "$name")"
		echo 'this is no configuration' >"$name"
	done
	run -q -- echo ran
	status_is 0
	out_is ran
}

a_directory_that_is_not_there_is_refused() {
	local name
	for name in "$WORK/none" one "$WORK/none/deeper" ''; do
		run -C "$name" -- echo ran
		refused_somehow
	done
}
refused_somehow() {
	status_is 125
	err_has "pinfold: E_"
	err_has ": cannot "
	err_has "  subject: "
	err_has "  try: "
	out_is ""
}

a_deleted_working_directory_is_refused() {
	mkdir "$WORK/gone"
	cd "$WORK/gone"
	rmdir "$WORK/gone"
	run -- echo ran
	refused_somehow
}

the_root_and_the_kernels_directories_are_refused_as_trees() {
	local place
	for place in / /proc /proc/self /dev /dev/shm /sys; do
		cd "$place" 2>/dev/null || continue
		quick 10 run -- echo ran
		refused_somehow
	done
}

a_tree_of_someone_else_is_copied_or_refused_clearly() {
	((EUID != 0)) || skip "needs an unprivileged user"
	cd /usr/share/keyrings 2>/dev/null || cd /etc/apt
	quick 10 run -q -- sh -c 'echo ran; ls'
	[[ $status == 125 ]] || { status_is 0; out_has ran; return; }
	refused_somehow
}

a_tree_that_cannot_be_read_is_not_copied_and_another_view_is_named() {
	((EUID != 0)) || skip "needs an unprivileged user"
	mkdir -m 0311 "$WORK/closed"
	cd "$WORK/closed"
	run --view copy -- echo ran
	refused_somehow
	run -- echo ran
	[[ $status == 0 ]] && err_has "the view copy is passed over: cannot copy the working tree" || refused_somehow
	chmod 0700 "$WORK/closed"
}

a_home_that_is_unset_missing_or_read_only_is_lived_with() {
	keep_tree
	export XDG_CACHE_HOME=$WORK/cache XDG_STATE_HOME=$WORK/state
	HOME=$WORK/none answered
	HOME= answered
	HOME=relative answered
	mkdir -m 0555 "$WORK/fixed"
	HOME=$WORK/fixed answered
	HOME=/dev/null answered
	(unset HOME; answered)
}
# It ran, or said clearly why not.
answered() {
	quick 10 run -q "$@" -- echo ran
	[[ $status == 0 && $out == ran ]] || refused_somehow
}

a_cache_directory_that_cannot_be_is_refused_at_once() {
	keep_tree
	XDG_CACHE_HOME=/proc/nope/c answered
	XDG_CACHE_HOME=/dev/null answered
	XDG_CACHE_HOME=relative answered
	mkdir -m 0555 "$WORK/fixed"
	HOME=$WORK/fixed answered
}

a_temporary_directory_that_is_unset_missing_or_read_only_is_replaced() {
	keep_tree
	mkdir -m 0555 "$WORK/fixed"
	local place
	for place in unset "$WORK/none" "$WORK/fixed" /dev/null relative ''; do
		if [[ $place == unset ]]; then unset TMPDIR; else export TMPDIR=$place; fi
		run -q -- sh -c 'f=$(mktemp) && echo x >"$f" && cat "$f" && case $TMPDIR in /*) ;; *) exit 1 ;; esac'
		status_is 0
		out_is x
	done
}

what_is_made_in_TMPDIR_is_gone_afterwards() {
	run -q -- sh -c 'echo secret-of-the-run >"$TMPDIR/kept"; mkdir -p "$TMPDIR/d/e"; chmod 0 "$TMPDIR/d"; echo "$TMPDIR"'
	status_is 0
	never grep -rqs secret-of-the-run "$WORK/home" "$WORK/tmp"
	run -q -- sh -c 'ls -A "$TMPDIR"'
	out_is ""
}

an_empty_PATH_finds_nothing_and_a_path_still_works() {
	with_path /empty id
	refused E_NOT_FOUND 127
	with_path /empty /bin/echo ran
	out_is ran
	with_path '' /bin/echo ran
	out_is ran
	status=0
	env -u PATH "$PINFOLD" run -q --arm "$ARM" -- /bin/echo ran >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	out_is ran
}
with_path() {
	local path=$1
	shift
	status=0
	env "PATH=$path" "$PINFOLD" run -q --arm "$ARM" -- "$@" >"$WORK/out" 2>"$WORK/err" || status=$?
	show
}

few_descriptors_are_enough_or_it_is_said() {
	keep_tree
	local most
	for most in 8 10 12 14 16 20 24 32 48; do
		status=0
		(ulimit -n "$most" && exec "$PINFOLD" run -q --arm "$ARM" -- echo ran) >"$WORK/out" 2>"$WORK/err" || status=$?
		show
		[[ $status == 127 && $err == *"shared librar"* ]] && continue
		[[ $status == 0 && $out == ran ]] || refused_somehow
	done
	equal "$out" ran
}

few_processes_are_enough_or_it_is_said() {
	not_sanitized "a process of its own"
	((EUID != 0)) || skip "needs an unprivileged user: root has no such limit"
	keep_tree
	local most
	for most in 0 1 2 4; do
		status=0
		(ulimit -u "$most" && exec "$PINFOLD" run -q --arm "$ARM" -- echo ran) >"$WORK/out" 2>"$WORK/err" || status=$?
		show
		[[ $status == 0 && $out == ran ]] || refused_somehow
	done
}

a_machine_without_proc_is_lived_with_or_it_is_said() {
	not_sanitized /proc
	as_root_only
	keep_tree
	status=0
	unshare --mount --propagation private sh -c 'mount -t tmpfs none /proc && exec "$0" run -q --arm "$1" -- echo ran' \
		"$PINFOLD" "$ARM" >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	[[ $status == 0 && $out == ran ]] || refused_somehow
}

a_run_within_a_run_is_answered() {
	visible_inside
	run -q -- "$PINFOLD" run -- echo ran
	[[ $status == 0 && $out == ran ]] || refused_somehow
}
visible_inside() {
	"$PINFOLD" run -q --arm "$ARM" -- test -x "$PINFOLD" || skip "the installed command cannot be seen inside: $PINFOLD"
}

limits_and_the_file_mode_mask_are_the_callers() {
	(umask 027; run -q -- sh -c 'umask; : >made; stat -c %a made'; equal "$out" $'0027\n640')
	(ulimit -n 200; run -q -- sh -c 'ulimit -n'; out_is 200)
	run -q --set limits.open-files=99 -- sh -c 'ulimit -n'
	out_is 99
}

the_directory_is_the_one_that_PWD_says() {
	run -q -- sh -c '[ "$PWD" = "$(env pwd -P)" ] && cat one'
	status_is 0
	out_is one
	run -q -C src -- sh -c '[ "$PWD" = "$(env pwd -P)" ] && ls'
	status_is 0
	out_is say
}

no_module_is_opened_that_the_run_has_no_use_for() {
	command -v strace >/dev/null || skip "strace is missing"
	not_sanitized "being traced"
	run -q -- true
	strace -o "$WORK/trace" -e trace=openat "$PINFOLD" run --arm "$ARM" -q -- true
	grep -q '/copytree\.so"' "$WORK/trace"
	sed -n 's|.*/\([a-z]*\)\.so", .*|\1|p' "$WORK/trace" | sort -u >"$WORK/opened"
	never grep -vxE "copytree|$ARM" "$WORK/opened"
}
