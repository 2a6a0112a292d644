# tests/machine/inside/yama.sh - a machine on which nobody may trace anything, nor take that back.
# boot sysctl.kernel.yama.ptrace_scope=3
# as root person

every_arm_works_and_tells_what_it_refused_where_nothing_may_be_traced() {
	equal "$(sysctl -n kernel.yama.ptrace_scope)" 3
	for ARM in namespaces namespaces/overlay landlock copytree; do
		keep_tree
		run --denials -- sh -c 'echo two >one; cat one; sleep 300 & echo x >/etc/pinfold-made'
		out_is two
		same_manifest
		[[ $ARM == copytree ]] || { never status_is 0; [[ ! -e /etc/pinfold-made ]]; err_has /etc/pinfold-made; }
		rm -f /etc/pinfold-made 2>/dev/null || :
	done
}

what_the_suite_says_of_telling_refusals_holds_where_nothing_may_be_traced() {
	suite_passes denials .
}
