# tests/machine/inside/stock.sh - the plain job on a Debian as it is installed, by root and by a person.
# as root person

# Which arms the kernel gives, as probing says.
arms_of() {	# True|False
	"$PINFOLD" probe --json >"$WORK/probe"
	json "$WORK/probe" '" ".join(a["name"] for a in d["arms"] if a["available"] is '"$1"')'
}

the_machine_is_a_debian_with_landlock_apparmor_yama_and_unified_cgroups() {
	local name
	uname -r
	for name in landlock apparmor yama; do [[ ,$(</sys/kernel/security/lsm), == *,$name,* ]]; done
	[[ -e /sys/fs/cgroup/cgroup.controllers && $(uname -r) == *-cloud-amd64 ]]
}

a_command_works_on_a_copy_and_its_changes_are_told_and_applied_in_every_arm() {
	local ARM
	for ARM in "" namespaces namespaces/overlay landlock copytree; do
		keep_tree
		run --session "s${ARM//\//}" -- sh -c 'echo two >>one; echo new >new; rm link; cat one'
		status_is 0
		out_is $'one\ntwo'
		same_manifest
		lose_tree
		pf diff --session "s${ARM//\//}" --name-only
		out_is $'link\nnew\none'
		pf apply --session "s${ARM//\//}"
		status_is 0
		equal "$(cat one new; ls)" $'one\ntwo\nnew\nnew\none\nsrc'
		echo one >one
		rm new
		ln -s src/say link
	done
}

the_strongest_arm_is_taken_and_nothing_is_said_to_be_missing() {
	run --receipt "$WORK/receipt" -- true
	status_is 0
	equal "$(json "$WORK/receipt" 'd["arm"]["name"] if isinstance(d["arm"], dict) else d["arm"]')" namespaces
	err_lacks "not available"
}

what_probing_calls_available_runs_and_what_it_refuses_is_refused_with_a_reason() {
	local arm
	equal "$(arms_of True)" "namespaces landlock copytree"
	for arm in $(arms_of True); do
		pf run -q --arm "$arm" -- echo ran
		status_is 0
		out_is ran
	done
	for arm in $(arms_of False); do
		pf run -q --arm "$arm" -- echo ran
		never status_is 0
		refused "$(sed -n 's/^pinfold: \(E_[A-Z_]*\):.*/\1/p' "$WORK/err")"
	done
}
