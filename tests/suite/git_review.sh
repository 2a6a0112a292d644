# tests/suite/git_review.sh - what a command did to a repository is told for what it is.
# every arm

make_repository() {	# DIRECTORY
	printf '[user]\n\tname = t\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n' >"$HOME/.gitconfig"
	git init -q "$1"
	echo one >"$1/one"
	git -C "$1" add .
	git -C "$1" commit -q -m first
}

make_linked() {	# [REPOSITORY]
	make_repository "$WORK/repo"
	cd "$WORK"
	rm -rf "$TREE"
	git -C "$WORK/repo" worktree add -q -b linked "$TREE"
	cd "$TREE"
}

a_commit_inside_is_told_in_a_few_lines() {
	make_repository "$TREE"
	local before
	before=$(git rev-parse --short=7 HEAD)
	run -q -- sh -ec 'echo n >n; git add n; git commit -q -m second; git branch side; git rev-parse --short=7 HEAD'
	local after=$out
	pf diff --stat
	out_has "refs/heads/main $before -> $after"
	out_has "refs/heads/side is new, at $after"
	out_has "objects added"
	out_lacks risky
	out_has " n "
	pf diff --summary
	out_has "A  n"
	out_has "G  .git: refs/heads/main $before -> $after"
	out_lacks .git/
}

what_git_acts_on_is_told_as_risky_wherever_it_lies() {
	make_repository "$WORK/library"
	make_repository "$TREE"
	git -c protocol.file.allow=always submodule --quiet add "$WORK/library" s
	git commit -q -m submodule
	run -q -- sh -ec 'echo evil >.git/modules/s/hooks/post-checkout; git config alias.x "!evil"; git commit -q --allow-empty -m x'
	pf diff --stat
	out_has risky
	out_has modules/s/hooks/post-checkout
	out_has config
}

a_commit_in_a_linked_worktree_is_told_with_its_repository() {
	make_linked
	run -q -- sh -ec 'echo n >n; git add n; git commit -q -m second; git gc -q; : >"$(git rev-parse --git-dir)/index.lock"'
	pf diff --stat
	out_has "$WORK/repo/.git: refs/heads/linked"
	out_has "pack added"
	out_lacks removed,
	out_lacks "refs/heads/main"
	out_has "never applied"
	run -q -- true
	pf diff --stat
	out_is ""
}

a_git_directory_of_any_name_is_known_for_one() {
	cd "$WORK"
	rm -rf "$TREE"
	printf '[user]\n\tname = t\n\temail = t@example.com\n' >"$HOME/.gitconfig"
	git init -q --separate-git-dir="$WORK/elsewhere" "$TREE"
	cd "$TREE"
	echo one >one
	git add one
	git commit -q -m first
	run -q -- sh -ec 'git commit -q --allow-empty -m second; echo evil >"$(git rev-parse --git-dir)/hooks/pre-push"'
	pf diff --stat
	out_has "$WORK/elsewhere: risky"
	out_has hooks/pre-push
	out_has "object added"
}

a_session_keeps_commits_until_it_is_discarded() {
	make_linked
	keep_tree
	local before
	before=$(TREE=$WORK/repo manifest)
	run -q --session s -- sh -ec 'echo n >n; git add n; git commit -q -m second; git rev-parse HEAD'
	local commit=$out
	run -q --session s -- sh -ec 'git log --format=%s; git status --porcelain; git cat-file -t "$0"; git commit -q --allow-empty -m third; git fsck' "$commit"
	equal "$out" $'second\nfirst\ncommit'
	run -q -- git log --format=%s
	out_is first
	run -q --session other -- git log --format=%s
	out_is first
	pf diff --session s --stat
	out_has "$WORK/repo/.git: refs/heads/linked"
	equal "$(TREE=$WORK/repo manifest)" "$before"
	same_manifest
	lose_tree
	git commit -q --allow-empty -m outside
	[[ ! $(find "$WORK/repo/.git" -name '*.lock') ]]
	git fsck --strict
}
