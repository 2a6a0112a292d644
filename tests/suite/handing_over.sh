# tests/suite/handing_over.sh - the command that people start is linked whole, and hands over to one that can load
# modules where a run needs that: once, before anything is told, and with all that it was given.

# How often each program of ours was executed, after a run. Each process has a file: in a common one another's call may
# part the line of an execve in two.
executed() { cat -- "$WORK/calls"/* | grep -c "execve(\"[^\"]*/$1\".* = 0\$" || :; }
traced() {
	rm -rf -- "$WORK/calls"
	mkdir -- "$WORK/calls"
	strace -ff -qq -e trace=execve -o "$WORK/calls/of" "$PINFOLD" "$@" >"$WORK/out" 2>"$WORK/err"
}

the_first_run_of_a_user_hands_over_and_the_next_does_not() {
	whole_program
	traced run -q -- echo once
	equal "$(cat "$WORK/out")" once
	equal "$(executed pinfold-whole)" 1
	traced run -q -- echo twice
	equal "$(cat "$WORK/out")" twice
	equal "$(executed pinfold-whole)" 0
}

a_run_that_hands_over_in_the_middle_leaves_no_child_and_no_file() {
	whole_program
	mkdir "$WORK/receipts"
	traced run -q --receipt "$WORK/receipts/one" -- sh -c 'ls -A /proc | grep -c "^[0-9]"; cat /proc/self/status' &
	wait $!
	equal "$(executed pinfold-whole)" 1
	equal "$(ls -A "$WORK/receipts")" one
	head -n 1 "$WORK/out" | grep -qx '[345]'
}

a_wrapper_that_was_decided_about_is_prepared_for_without_handing_over() {
	whole_program
	command -v ccache cc >/dev/null || skip "needs ccache and cc"
	export CC='ccache cc'
	run -q -- sh -c 'echo "$CC"'
	out_is 'ccache cc'
	traced run -q -- sh -c 'echo "$CC"'
	equal "$(cat "$WORK/out")" 'ccache cc'
	equal "$(executed pinfold-whole)" 0
}

# Who has no name of his own has one, with this test's home, in a mount namespace of the command.
with_a_home_by_name() {
	local home
	home=$(getent passwd "$UID" | cut -d : -f 6) || :
	if [[ $home && -O $home ]]; then
		"$@"
		return
	fi
	unshare --user true 2>/dev/null || skip "this user has no home by name, and cannot be given one without user namespaces"
	{ echo "somebody:x:$UID:$(id -g)::$WORK/home:/bin/sh"; cat /etc/passwd; } >"$WORK/passwd"
	export WORK
	export -f "$1"
	unshare --user --map-current-user --keep-caps --mount bash -ec 'mount --bind "$WORK/passwd" /etc/passwd
		exec setpriv --inh-caps=-all --ambient-caps=-all bash -c "\"\$@\"" bash "$@"' bash "$@"
}

what_a_user_without_a_home_needs_is_handed_over_too() {
	whole_program
	run -q -- true
	unset HOME
	with_a_home_by_name traced run -q -- echo there
	equal "$(cat "$WORK/out")" there
	equal "$(executed pinfold-whole)" 1
}

what_is_told_on_the_way_is_told_once() {
	whole_program
	traced run -q --events "$WORK/events" -- true
	equal "$(grep -c '"event": *"started"' "$WORK/events")" 1
	equal "$(grep -c '"event": *"chosen"' "$WORK/events")" 1
}

signals_that_are_held_back_or_ignored_are_so_in_both() {
	whole_program
	local program='
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
signal.signal(signal.SIGUSR2, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])'
	local i
	for i in 1 2; do
		python3 -c "$program" "$PINFOLD" run -q -- grep -E '^Sig(Blk|Ign)' /proc/self/status >"$WORK/signals-$i"
	done
	[[ -s $WORK/signals-1 ]]
	diff "$WORK/signals-1" "$WORK/signals-2"
}

children_of_whoever_started_it_are_neither_waited_for_nor_ended() {
	whole_program
	local begun=$SECONDS
	local starter='sleep 20 & echo $! >"$1"; exec "$2" run -q -- echo there'
	sh -c "$starter" sh "$WORK/pid" "$PINFOLD" >"$WORK/out" </dev/null
	equal "$(cat "$WORK/out")" there
	((SECONDS - begun < 15))
	kill "$(cat "$WORK/pid")"	# it lives
}

without_the_other_program_the_run_is_refused_with_its_name() {
	whole_program
	unshare -rm true 2>/dev/null || skip "needs a user namespace to take the program away"
	pf_status=0
	unshare -rm sh -c 'mount --bind /dev/null "$1" && exec "$2" plugins' sh "$whole" "$PINFOLD" \
		>"$WORK/out" 2>"$WORK/err" || pf_status=$?
	status=$pf_status
	show
	err_has "pinfold: E_SYSTEM: cannot start the program that loads modules"
	err_has "$whole"
	err_has "install pinfold completely"
}
