# tests/suite/nesting.sh - pinfold where it is confined already: it works, or says why it does not.

# Is what is installed in sight of a command?
seen_inside() {
	"$PINFOLD" run -q -- test -x "$PINFOLD" >/dev/null 2>&1 ||
		skip "pinfold is installed where a command does not see it: $PINFOLD"
}

# In a user namespace that has one user alone everybody else's files are nobody's, and so are root's.
# within COMMAND…: in a run, with a home in the tree's copy.
within() {
	pf run -q --set arm:namespaces.nested=yes --set "environment.set=HOME=$TREE/home" -- \
		sh -c 'mkdir home && "$@"; echo "inner ended $?"; ls' sh "$@"
	status_is 0
}

inside_itself_it_confines_again_where_that_is_allowed() {
	seen_inside
	((EUID != 0)) || skip "a root's command has a read-only /proc, and so can make no sandbox: needs another user"
	keep_tree
	within "$PINFOLD" run -q --arm namespaces -- sh -c 'cat one && echo inner >made && ! touch /usr/x 2>/dev/null'
	out_has one
	out_has "inner ended 0"
	out_lacks made
}

inside_itself_a_roots_command_makes_no_sandbox_and_the_arm_says_so() {
	as_root_only
	seen_inside
	pf probe --set arm:namespaces.nested=yes
	out_has "its /proc is read-only"
	within "$PINFOLD" run --arm namespaces -- echo ran
	out_lacks ran$'\n'
	out_has "inner ended 125"
	err_has namespaces
	run -q --set arm:namespaces.nested=yes -- unshare --user --map-root-user echo made
	[[ $status != 0 ]]
	out_is ""
	run -q --set arm:namespaces.nested=yes -- sh -c 'echo 1 >/proc/sys/kernel/sysrq'
	[[ $status != 0 ]]
}

inside_itself_it_says_why_it_cannot_confine_and_the_command_never_runs() {
	seen_inside
	keep_tree
	pf run -q --set "environment.set=HOME=$TREE/home" -- sh -c 'mkdir home
		"$0" run --arm namespaces -- echo ran' "$PINFOLD"
	refused E_SANDBOX_DENIED
	err_has namespaces
}

inside_itself_a_weaker_arm_is_taken_by_default_and_said() {
	seen_inside
	pf run -q --set "environment.set=HOME=$TREE/home" -- sh -c 'mkdir home
		"$0" run -- sh -c "echo x >made && echo ran"; ls' "$PINFOLD"
	status_is 0
	out_has ran
	out_lacks made
	err_has "namespaces is not available"
	err_lacks seatbelt
}

inside_bubblewrap_it_confines_again() {
	type -P bwrap >/dev/null || skip "needs bubblewrap"
	keep_tree
	status=0
	bwrap --ro-bind / / --bind "$WORK" "$WORK" --proc /proc --dev /dev --unshare-user --unshare-pid --unshare-net -- \
		"$PINFOLD" run -q -- sh -c 'cat one && echo x >made && ! touch /usr/x 2>/dev/null && ! kill -0 1 2>/dev/null || echo $$' \
		>"$WORK/out" 2>"$WORK/err" || status=$?
	show
	status_is 0
	out_has one
	[[ ! -e made ]]
}

as_in_docker() { /usr/bin/python3 "$here/as_in_docker.py" "$@"; }

where_a_filter_refuses_namespaces_the_arm_is_refused_with_the_reason() {
	[[ $(uname -m) == x86_64 ]] || skip "the filter of this test is for x86_64"
	keep_tree
	status=0
	as_in_docker "$PINFOLD" run --arm namespaces -- echo ran >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	refused E_SANDBOX_DENIED
	err_has namespaces
	status=0
	as_in_docker "$PINFOLD" run --set 'pinfold.arms=namespaces, copytree' --require network -- echo ran >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	refused E_SANDBOX_DENIED
}

where_a_filter_refuses_namespaces_a_weaker_arm_is_taken_by_default_and_said() {
	[[ $(uname -m) == x86_64 ]] || skip "the filter of this test is for x86_64"
	keep_tree
	status=0
	as_in_docker "$PINFOLD" run -- sh -c 'echo x >made && echo ran' >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	status_is 0
	out_has ran
	err_has "namespaces is not available"
	err_lacks seatbelt
}

where_no_user_namespace_is_left_the_arm_is_refused_with_the_reason() {
	unshare --user --map-root-user true 2>/dev/null || skip "needs user namespaces"
	keep_tree
	status=0
	unshare --user --map-root-user sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' sh \
		"$PINFOLD" run --arm namespaces -- echo ran >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	refused E_SANDBOX_DENIED
	err_has "max_user_namespaces"
}

in_a_namespace_that_does_not_know_root_its_installation_is_believed() {
	unshare --user --map-root-user true 2>/dev/null || skip "needs user namespaces"
	local map
	keep_tree
	for map in --map-current-user --map-root-user; do
		status=0
		unshare --user "$map" "$PINFOLD" run -q -- sh -c 'echo x >made && cat one' >"$WORK/out" 2>"$WORK/err" || status=$?
		show
		status_is 0
		out_has one
		[[ ! -e made ]]
	done
}
