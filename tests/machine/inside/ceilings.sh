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
