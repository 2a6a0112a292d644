# tests/machine/inside/ceilings.sh - ceilings on all that a run starts, with cgroups that a service manager delegated.
# as root person

# Root's tests are in a service to which nothing was delegated; the person's in one of their own.
delegated() { if ((EUID == 0)); then systemd-run --quiet --scope --property=Delegate=yes -- "$@"; else "$@"; fi; }
aside=(--set limits.step-aside=yes --set limits.tasks=30)

what_a_refusal_says_would_lift_it_does() {
	((EUID == 0)) || skip "the person's tests are in a delegated service"
	run "${aside[@]}" -- echo ran
	refused E_SANDBOX_DENIED
	err_has "systemd-run --scope -p Delegate=yes"
	status=0
	systemd-run --quiet --scope -p Delegate=yes "$PINFOLD" run -q "${aside[@]}" -- echo ran >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	status_is 0
	out_is ran
}

a_person_outside_of_a_session_of_theirs_is_refused() {
	((EUID == 0)) || skip "needs root, to be somebody outside of their session"
	chown -R person:person "$WORK"
	status=0
	runuser -u person -- "$PINFOLD" run "${aside[@]}" -- echo ran >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	refused E_SANDBOX_DENIED
	err_has "no cgroup that holds the caller was delegated to it"
	err_has "systemd-run --user --scope -p Delegate=yes"
}

probing_finds_the_promise_where_a_cgroup_was_delegated_and_only_there() {
	"$PINFOLD" probe --json >"$WORK/probe"
	equal "$(json "$WORK/probe" 'any(a["available"] and a["promises"]["resources"]["kept"] for a in d["arms"])')" False
	delegated "$PINFOLD" probe --set limits.step-aside=yes --json >"$WORK/probe"
	equal "$(json "$WORK/probe" '[a["name"] for a in d["arms"] if a["available"] and a["promises"]["resources"]["kept"]]')" \
		"['namespaces', 'landlock']"
}

scoped() { if ((EUID == 0)); then systemd-run --quiet --scope -p Delegate=yes -- "$@"; else systemd-run --user --quiet --scope -p Delegate=yes -- "$@"; fi; }
# The cgroup before and after what is refused, and what is below it then.
around() {
	scoped bash -c 'here=/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup); sleep 60 & cat "$here/cgroup.procs" | grep -xc "$$\|$!"
		"$@" >"$0" 2>&1; echo $?; grep -xc "$$\|$!" "$here/cgroup.procs"; cat "$here/cgroup.subtree_control"; ls -d "$here"/*/; kill $!' "$WORK/said" "$@" 2>/dev/null
}

a_refusal_leaves_nobody_moved() {
	local way
	for way in "--arm jobobject" "--require kernel,resources --arm copytree" "-C /nowhere" "--set limits.memory=1G --set network.mode=ports --set network.connect=80 --view overlay --arm copytree"; do
		around "$PINFOLD" run "${aside[@]}" $way -- echo ran >"$WORK/around"
		[[ $(sed -n 2p "$WORK/around") != 0 ]] || fail "not refused: $way: $(cat "$WORK/said")"
		equal "$(sed -n '1p;3,$p' "$WORK/around" | tr '\n' ' ')" "2 2 "
	done
	around "$PINFOLD" run "${aside[@]}" -- /nowhere/at-all >"$WORK/around"
	equal "$(sed -n '1p;3,$p' "$WORK/around" | tr '\n' ' ')" "2 2 "
	around "$PINFOLD" probe --set limits.step-aside=yes >"$WORK/around"
	equal "$(sed -n '1p;3,$p' "$WORK/around" | tr '\n' ' ')" "2 2 "
	around "$PINFOLD" run "${aside[@]}" -q -- true >"$WORK/around"
	equal "$(sed -n '2p' "$WORK/around")" 0
	grep -q pinfold-callers "$WORK/around"
}
