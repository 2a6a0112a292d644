# tests/suite/unasked.sh - whatever a repository tells git to run, no verb of pinfold runs any of it.
# every view

# A repository in which everything that git can be told to run by is told to write a mark.
make_trap() {
	command -v git >/dev/null || skip "git is missing"
	trap_program=$WORK/trap
	printf '#!/bin/sh\necho "$0 $*" >>"%s"\ncat\n' "$WORK/mark" >"$trap_program"
	chmod +x "$trap_program"
	echo '* diff=trap filter=trap merge=trap' >.gitattributes
	git init -q .
	git -c user.name=a -c user.email=a@b -c filter.trap.clean=cat commit -q --allow-empty -m first
	local hook key
	for hook in pre-commit post-checkout post-index-change fsmonitor-watchman reference-transaction post-update update \
		pre-auto-gc post-rewrite applypatch-msg; do
		cp "$trap_program" ".git/hooks/$hook"
	done
	for key in core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.gitProxy core.hooksPath \
		core.alternateRefsCommand diff.external diff.trap.command diff.trap.textconv filter.trap.clean \
		filter.trap.smudge filter.trap.process merge.trap.driver pager.diff pager.status interactive.diffFilter \
		credential.helper gpg.program sequence.editor uploadpack.packObjectsHook; do
		git config "$key" "$trap_program"
	done
	git config core.hooksPath "$WORK/hooks"
	cp -r .git/hooks "$WORK/hooks"
	git config core.worktree "$WORK/elsewhere"
	mkdir "$WORK/elsewhere"
	echo untouched >"$WORK/elsewhere/one"
	rm -f "$WORK/mark"
}

no_verb_runs_what_a_repository_names() {
	make_trap
	export GIT_EXTERNAL_DIFF=$trap_program GIT_PAGER=$trap_program PAGER=$trap_program GIT_SSH_COMMAND=$trap_program \
		GIT_EDITOR=$trap_program EDITOR=$trap_program VISUAL=$trap_program LESSOPEN="|$trap_program %s"
	run -q --session s -- sh -c 'echo changed >one; echo new >new; mkdir .git/objects/aa; echo x >.git/objects/aa/b
		echo evil >.git/hooks/pre-push; printf "\0binary" >binary; mv src moved; rm link'
	status_is 0
	local verb
	for verb in "diff" "diff --stat" "diff --summary" "diff --binary" "diff --json" "diff --all" "diff --name-only" \
		"apply --dry-run" "apply new" "apply --partial" "apply --allow-risky" "discard one" "diff" "discard"; do
		pf ${verb%% *} --session s $([[ $verb != *" "* ]] || echo "${verb#* }")
		[[ ! -e $WORK/mark ]] || { echo "$verb ran:"; cat "$WORK/mark"; return 1; }
	done
	for verb in "run -q -- true" "explain -- true" "probe" "sessions" "gc" "config"; do
		pf $verb
		[[ ! -e $WORK/mark ]] || { echo "$verb ran:"; cat "$WORK/mark"; return 1; }
	done
	equal "$(cat "$WORK/elsewhere/one")" untouched
	equal "$(cat one)" changed
	git --git-dir=.git --work-tree=. add one >/dev/null 2>&1 || :
	[[ -e $WORK/mark ]]	# git itself would
}
