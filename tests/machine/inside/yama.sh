# tests/machine/inside/yama.sh - a machine on which nobody may trace anything, nor take that back.
# boot sysctl.kernel.yama.ptrace_scope=3
# as root person

every_arm_works_where_nothing_may_be_traced() {
	equal "$(sysctl -n kernel.yama.ptrace_scope)" 3
	for ARM in namespaces namespaces/overlay landlock copytree; do
		keep_tree
		run -- sh -c 'echo two >one; cat one; sleep 300 & echo x >/etc/pinfold-made'
		out_is two
		same_manifest
		[[ $ARM == copytree ]] || { never status_is 0; [[ ! -e /etc/pinfold-made ]]; }
		rm -f /etc/pinfold-made 2>/dev/null || :
	done
}

what_was_refused_is_never_told_in_part_where_nothing_may_be_traced() {
	for ARM in namespaces landlock; do
		keep_tree
		run --denials -- sh -c 'echo ran; echo x >/etc/pinfold-made'
		refused E_SANDBOX_DENIED
		err_has kernel.yama.ptrace_scope
		same_manifest
	done
}
