# tests/machine/inside/kernels.sh - kernels that lack what others have: what probing says is what a run does.
# kernel old new
# as root person

available() { "$PINFOLD" probe --json >"$WORK/probe" && json "$WORK/probe" '" ".join(a["name"] for a in d["arms"] if a["available"])'; }

# ARM [OPTION…]: on a copy, applied, with nothing of the caller's descriptors.
does_the_plain_job() {
	local arm=$1
	shift
	echo one >one
	exec 9<one
	pf run -q --arm "$arm" "$@" -- sh -c 'echo two >one; cat one; test ! -e /proc/self/fd/9'
	exec 9<&-
	status_is 0
	out_is two
	equal "$(cat one)" one
	pf apply
	status_is 0
	equal "$(cat one)" two
}

every_arm_that_is_available_works_and_every_other_is_refused_with_its_reason() {
	local arm arms
	arms=$(available)
	echo "on $(uname -r): $arms"
	case $KERNEL in
	old) equal "$arms" copytree ;;
	new) equal "$arms" "namespaces landlock copytree" ;;
	esac
	for arm in $arms; do does_the_plain_job "$arm"; done
	for arm in namespaces landlock; do
		[[ " $arms " != *" $arm "* ]] || continue
		pf run --arm "$arm" -- echo ran
		refused E_SANDBOX_DENIED
		err_has "Linux 5.1"
	done
	pf run -- cat one
	status_is 0
	[[ " $arms " == *" namespaces "* ]] || err_has "namespaces is not available"
}

the_arm_namespaces_works_through_bubblewrap_on_a_kernel_that_has_no_mounts_by_descriptor() {
	does_the_plain_job namespaces --set arm:namespaces.wrapper=/usr/bin/bwrap
}

an_overlay_is_laid_or_refused_with_the_reason() {
	run --arm namespaces --view overlay -- sh -c 'echo two >one; cat one'
	if [[ $KERNEL == new ]]; then
		status_is 0
		out_is two
	else
		refused E_SANDBOX_DENIED
		pf probe
		[[ $(tr -s ' \n' ' ' <<<"$out") == *"view overlay: refused missing: an overlay in a user namespace: this kernel lets nobody lay one"*"Linux 5.11"* ]]
	fi
}

what_the_suite_says_of_the_arm_that_is_chosen_there_holds() {
	if [[ $KERNEL == old ]]; then suite_passes "exec streams" .; else suite_passes landlock .; fi
}
