# tests/suite/git_apply.sh - a commit that was made inside, applied: the repository outside is as git would have made it.
# every arm

make_repository() {	# DIRECTORY
	"$PINFOLD" apply --help >/dev/null 2>&1 || skip "this pinfold has no verb apply"
	printf '[user]\n\tname = t\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n' >"$HOME/.gitconfig"
	git init -q "$1"
	echo one >"$1/one"
	echo gone >"$1/gone"
	git -C "$1" add .
	git -C "$1" commit -q -m first
}

make_linked() {
	make_repository "$WORK/repo"
	cd "$WORK"
	rm -rf "$TREE"
	git -C "$WORK/repo" worktree add -q -b linked "$TREE"
	cd "$TREE"
}

# The repository is whole, the working tree clean, and no lock of git's was left.
is_sound() {	# SUBJECTS [REPOSITORY]
	equal "$(git log --format=%s)" "$1"
	equal "$(git status --porcelain)" ""
	git fsck --strict --no-dangling
	[[ ! $(find . "${2:-.}" -name '*.lock') ]] || { echo "a lock was left"; return 1; }
	git commit -q --allow-empty -m 'works on'
}

commit='echo n >n; echo more >>one; mkdir -p d/e; echo x >d/e/x; git rm -q gone; git add .; git commit -q -m second; git branch side; git tag t'

a_commit_is_applied_to_a_repository_in_the_tree() {
	make_repository "$TREE"
	run -q -- sh -ec "$commit; : >.git/index.lock; : >.git/refs/heads/main.lock"
	pf apply --partial
	is_sound $'second\nfirst'
	equal "$(git branch --format='%(refname:short)' | sort | tr '\n' ' ')" "main side "
	equal "$(<one)" $'one\nmore'
	[[ ! -e gone && -e d/e/x ]]
}

a_commit_in_a_linked_worktree_is_applied_to_its_repository() {
	make_linked
	run -q -- sh -ec "$commit"
	pf apply
	status_is 0
	is_sound $'second\nfirst' "$WORK/repo"
	equal "$(git -C "$WORK/repo" log --format=%s main)" first
	git -C "$WORK/repo" fsck --strict --no-dangling
	equal "$(git -C "$WORK/repo" status --porcelain)" ""
	[[ $(<.git) == "gitdir: $WORK/repo/.git/worktrees/tree" ]]
	[[ $(<"$WORK/repo/.git/worktrees/tree/gitdir") == "$TREE/.git" ]]
}

a_repository_that_was_packed_inside_is_applied_whole() {
	make_linked
	local i
	for i in 1 2 3 4 5; do echo "$i" >"f$i"; git add .; git commit -q -m "$i"; git tag "t$i"; done
	run -q -- sh -ec 'git commit -q --allow-empty -m inside; git gc -q --prune=now; git branch -D -q nothing 2>/dev/null || :; git tag -d t3 >/dev/null'
	pf apply
	status_is 0
	is_sound $'inside\n5\n4\n3\n2\n1\nfirst' "$WORK/repo"
	equal "$(git tag | tr '\n' ' ')" "t1 t2 t4 t5 "
}

rewritten_history_and_a_stash_are_applied() {
	make_repository "$TREE"
	echo two >two; git add .; git commit -q -m second
	run -q -- sh -ec 'git commit -q --amend -m amended; echo x >>one; git stash -q; git checkout -q -b topic HEAD~1; git commit -q --allow-empty -m third; git rebase -q main; git checkout -q main; git merge -q topic'
	pf apply
	status_is 0
	is_sound $'third\namended\nfirst'
	equal "$(git stash list | wc -l)" 1
	git stash pop -q
	equal "$(<one)" $'one\nx'
}

a_commit_in_a_submodule_is_applied() {
	make_repository "$WORK/library"
	make_repository "$TREE"
	git -c protocol.file.allow=always submodule --quiet add "$WORK/library" lib
	git commit -q -m 'with a library'
	run -q -- sh -ec 'cd lib; echo x >x; git add x; git commit -q -m inside; cd ..; git add lib; git commit -q -m moved'
	pf apply
	status_is 0
	equal "$(git -C lib log --format=%s)" $'inside\nfirst'
	git -C lib fsck --strict --no-dangling
	equal "$(git -C lib status --porcelain)" ""
	is_sound $'moved\nwith a library\nfirst'
}

a_commit_outside_meanwhile_is_a_conflict_and_nothing_is_lost() {
	make_linked
	run -q -- sh -ec "$commit"
	git commit -q --allow-empty -m outside
	pf apply
	status_is 1
	is_sound $'outside\nfirst' "$WORK/repo"
	[[ ! -e n ]]
}

hooks_and_configuration_are_held_back_wherever_they_lie() {
	make_repository "$WORK/library"
	make_repository "$TREE"
	git -c protocol.file.allow=always submodule --quiet add "$WORK/library" s
	git commit -q -m submodule
	run -q -- sh -ec 'echo evil >.git/modules/s/hooks/post-checkout; echo evil >.git/hooks/pre-commit; git config alias.x "!evil"; echo n >n'
	pf apply --partial
	[[ -e n && ! -e .git/hooks/pre-commit && ! -e .git/modules/s/hooks/post-checkout ]]
	never git config alias.x
	out_has .git/modules/s/hooks/post-checkout
	out_has risky
}

hooks_of_a_linked_worktrees_repository_are_held_back() {
	make_linked
	run -q -- sh -ec 'cd "$(git rev-parse --git-common-dir)"; echo evil >hooks/pre-commit; git config alias.x "!evil"; echo ../../../evil >worktrees/tree/commondir'
	pf apply --partial
	[[ ! -e $WORK/repo/.git/hooks/pre-commit && $(<"$WORK/repo/.git/worktrees/tree/commondir") == ../.. ]]
	never git config alias.x
	out_has risky
	is_sound first "$WORK/repo"
}

a_session_is_applied_again_and_again() {
	make_linked
	run -q --session s -- sh -ec 'echo 1 >f; git add f; git commit -q -m second'
	pf apply --session s
	status_is 0
	equal "$(git log --format=%s)" $'second\nfirst'
	equal "$(git status --porcelain)" ""
	run -q --session s -- sh -ec 'git log --format=%s; echo 2 >f; git commit -q -a -m third'
	equal "$out" $'second\nfirst'
	pf apply --session s
	status_is 0
	is_sound $'third\nsecond\nfirst' "$WORK/repo"
	run -q --session s -- git log -1 --format=%s
	out_is 'works on'
}
