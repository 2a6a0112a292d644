# tests/suite/grants.sh - named slots of a policy, bound for each run.
# every arm

declare_grants() {
	mkdir -p "$HOME/.config/pinfold" "$WORK/home/data"
	echo granted >"$WORK/home/data/file"
	printf '[grant:%s]\nkind = %s\n' input read output write scratch temporary tool execute >"$HOME/.config/pinfold/pinfold.conf"
}

a_grant_is_bound_to_a_path_for_this_run_and_no_other() {
	declare_grants
	mkdir "$WORK/home/out" "$WORK/home/other"
	run -q --grant "output=$WORK/home/out" --grant "input=$WORK/home/data" -- \
		sh -c 'cat "$PINFOLD_GRANT_INPUT/file" >"$PINFOLD_GRANT_OUTPUT/made" && echo "$PINFOLD_GRANT_OUTPUT"'
	status_is 0
	equal "$(<"$WORK/home/out/made")" granted
	run -q --grant "output=$WORK/home/other" -- sh -c 'echo x >"$PINFOLD_GRANT_OUTPUT/made"; echo "${PINFOLD_GRANT_INPUT-none}"'
	out_is none
	equal "$(<"$WORK/home/other/made")" x
	equal "$(<"$WORK/home/out/made")" granted
}

what_is_not_granted_to_this_run_stays_closed() {
	[[ $ARM != copytree* ]] || skip "this arm confines nothing but the place of the tree"
	declare_grants
	mkdir "$WORK/home/out"
	run -q -- sh -c "! touch '$WORK/home/out/made' 2>/dev/null"
	status_is 0
	run -q --grant "output=$WORK/home/data" -- sh -c "! touch '$WORK/home/out/made' 2>/dev/null"
	status_is 0
	[[ ! -e $WORK/home/out/made ]]
}

a_grant_that_cannot_be_bound_is_refused_by_name_before_anything_runs() {
	declare_grants
	keep_tree
	run --grant "nosuch=$WORK/home/data" -- echo ran
	refused E_POLICY
	err_has nosuch
	run --grant "input=$WORK/home/none" -- echo ran
	refused E_POLICY
	err_has "$WORK/home/none"
	run --grant "tmpdir=$WORK/home/data" -- echo ran
	refused E_POLICY
	err_has tmpdir
	run --grant "scratch=$WORK/home/data" -- echo ran
	refused E_POLICY
	err_has scratch
	run --grant input=relative -- echo ran
	refused E_POLICY
	err_has "absolute"
	run --grant input -- echo ran
	refused E_USAGE
	run --grant "input=$WORK/home/data" --grant "input=$WORK/home" -- echo ran
	refused E_USAGE
	err_has twice
}

a_secret_is_issued_to_nobody() {
	declare_grants
	mkdir "$HOME/.ssh"
	echo key >"$HOME/.ssh/id"
	keep_tree
	run --grant "input=$HOME/.ssh" -- echo ran
	refused E_POLICY
	err_has hidden
	ln -s "$HOME/.ssh" "$HOME/innocent"
	run --grant "output=$HOME/innocent/id" -- echo ran
	refused E_POLICY
}

a_temporary_grant_is_private_and_goes_with_the_run_however_that_ends() {
	declare_grants
	run -q -- sh -c 'echo x >"$PINFOLD_GRANT_SCRATCH/made" && test -e "$TMPDIR/made" && echo "$PINFOLD_GRANT_SCRATCH"'
	status_is 0
	run -q -- sh -c 'test ! -e "$PINFOLD_GRANT_SCRATCH/made"; echo x >"$PINFOLD_GRANT_SCRATCH/made"; kill -9 $$'
	status_is 137
	run -q --env TMPDIR=/nowhere -- sh -c 'test ! -e "$PINFOLD_GRANT_SCRATCH/made" && echo "$TMPDIR"'
	out_is /nowhere
}
