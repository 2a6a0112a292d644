# tests/machine/inside/policy.sh - machines that take namespaces, tracing or a look at others away from people: what is
# left is taken, and what is missing is said with its reason and what would lift it.

# The person has no namespaces now: REASON and REMEDY are told, by probing and by a run, and Landlock is taken.
landlock_is_taken() {	# REASON REMEDY
	pf_of_person probe
	status_is 0
	[[ $(tr -s ' \n' ' ' <<<"$out") == *"$1"*"do: $2"* ]] || { echo "probing does not say $1"; return 1; }
	keep_tree
	pf_of_person run --receipt "$WORK/receipt" -- sh -c 'echo two >one; cat one; echo x >/var/tmp/pinfold-outside'
	never status_is 0
	out_is two
	[[ ! -e /var/tmp/pinfold-outside ]]
	err_has "namespaces is not available: user namespaces: $1"
	err_has "$2"
	grep -q "landlock: it guarantees .*; it does not guarantee: separation from other processes" "$WORK/receipt"
	same_manifest
	lose_tree
	pf_of_person run --arm namespaces -- echo ran
	refused E_SANDBOX_DENIED
	err_has "$1"
	err_has "$2"
	pf_of_person run --require processes -- echo ran
	refused E_SANDBOX_DENIED
	err_has "landlock does not keep processes"
	pf_of_person run -q --require writes,secrets,network,sockets -- echo ran
	status_is 0
	out_is ran
	pf_of_person probe --require processes
	never status_is 0
}

where_debians_sysctl_refuses_people_user_namespaces_landlock_is_taken_and_told() {
	sysctl_is kernel.unprivileged_userns_clone 0
	landlock_is_taken 'this kernel is set to refuse them to ordinary users' 'sysctl -w kernel.unprivileged_userns_clone=1'
}

where_the_limit_of_user_namespaces_is_none_landlock_is_taken_and_told() {
	sysctl_is user.max_user_namespaces 0
	landlock_is_taken 'the limit of this machine or of an enclosing container is reached' 'raise the limit: sysctl -w user.max_user_namespaces='
}

root_is_not_held_by_debians_sysctl_and_is_by_the_limit() {
	sysctl_is kernel.unprivileged_userns_clone 0
	pf run -q --arm namespaces -- cat one
	status_is 0
	out_is one
	sysctl_is user.max_user_namespaces 0
	pf run -q --arm namespaces -- cat one
	[[ $status == 0 && $out == one ]] || refused E_SANDBOX_DENIED
}

# ARM: the plain job, with what it leaves behind ended.
does_the_plain_job() {
	echo one >one
	pf_of_person run -q --arm "${1%/*}" ${1:+--view "$([[ $1 == */* ]] && echo "${1#*/}" || echo copy)"} -- \
		sh -c 'sleep 300 & setsid sleep 301 & echo two >one; cat one'
	status_is 0
	out_is two
	equal "$(cat one)" one
	eventually 10 never pgrep -x sleep
}

where_proc_shows_people_their_own_processes_alone_every_arm_works_and_ends_what_it_started() {
	local arm
	mount -o remount,hidepid=2 /proc
	at_end "mount -o remount,hidepid=0 /proc"
	! in_session_of_person test -e /proc/1/comm
	for arm in namespaces namespaces/overlay landlock copytree; do does_the_plain_job "$arm"; done
	pf_of_person jobs
	status_is 0
}

# As where it gives them a user namespace without any power in it: here it is asked to for pinfold alone.
where_apparmor_takes_the_power_over_namespaces_from_pinfold_the_arm_is_refused_and_the_next_is_taken() {
	command -v apparmor_parser >/dev/null || skip "there is no apparmor_parser"
	printf '%s\n' 'profile tried /opt/pinfold/bin/pinfold flags=(attach_disconnected) {' 'file,' 'network,' 'unix,' 'capability,' \
		'signal,' 'ptrace,' 'mount,' 'umount,' 'pivot_root,' 'deny capability sys_admin,' '/** ix,' '}' >"$WORK/profile"
	apparmor_parser -K -r "$WORK/profile"
	at_end "apparmor_parser -K -R '$WORK/profile'"
	pf_of_person run --receipt "$WORK/receipt" -- sh -c 'echo two >one; cat one'
	status_is 0
	out_is two
	err_has "namespaces is not available"
	grep -q "landlock: it guarantees" "$WORK/receipt"
	equal "$(cat one)" one
	pf_of_person run --arm namespaces -- echo ran
	refused E_SANDBOX_DENIED
	pf_of_person probe
	status_is 0
}
