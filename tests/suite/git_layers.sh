# tests/suite/git_layers.sh - git directories that lie outside of the tree get a private layer.
# arm namespaces

make_repository() {	# DIRECTORY
	printf '[user]\n\tname = t\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n' >"$HOME/.gitconfig"
	git init -q "$1"
	echo one >"$1/one"
	git -C "$1" add .
	git -C "$1" commit -q -m first
}

# A linked worktree as the tree.
make_linked() {
	make_repository "$WORK/repo"
	cd "$WORK"
	rm -rf "$TREE"
	git -C "$WORK/repo" worktree add -q -b linked "$TREE"
	cd "$TREE"
}

# keep DIRECTORY: nothing in it changes until `kept`.
keep() { kept=$1 kept_before=$(TREE=$1 manifest); }
kept() { diff <(echo "$kept_before") <(TREE=$kept manifest) || { echo "$kept was changed"; return 1; }; }

commit='echo new >new; git add new; git commit -q -m second; git log --format=%s; git status --porcelain; git fsck --strict'

a_commit_in_a_linked_worktree_leaves_its_repository_as_it_is() {
	make_linked
	keep_tree
	keep "$WORK/repo"
	run -q -- sh -ec "$commit"
	status_is 0
	equal "$out" $'second\nfirst'
	kept
	err_lacks git
	[[ ! $(find "$WORK/repo" "$TREE" -name '*.lock') ]]
	equal "$(git log --format=%s --all)" first
}

everyday_git_works_in_a_linked_worktree() {
	make_linked
	mkdir -p "$WORK/repo/.git/hooks"
	printf '#!/bin/sh\necho hook ran\n' >"$WORK/repo/.git/hooks/pre-commit"
	chmod +x "$WORK/repo/.git/hooks/pre-commit"
	keep "$WORK/repo"
	run -q -- sh -ec 'echo x >>one; git stash -q; git stash pop -q; git commit -qam x; git checkout -q -b more; git branch -D linked; git gc -q; git fsck; git config a.b c
		git worktree add -q "$TMPDIR/third"; git -C "$TMPDIR/third" commit -q --allow-empty -m third; git worktree remove "$TMPDIR/third"; git worktree prune; git tag t; git rebase -q HEAD~1; git log --format=%s'
	status_is 0
	err_has "hook ran"
	out_has first
	kept
}

git_outside_works_while_a_linked_worktree_is_used_and_after_a_kill() {
	make_linked
	local pid
	"$PINFOLD" run -q --arm namespaces -- sh -c 'git commit -q --allow-empty -m inside; : >"$(git rev-parse --git-common-dir)/config.lock"
		: >"$(git rev-parse --git-dir)/index.lock"; echo ready; exec sleep 60' >"$WORK/ready" &
	pid=$!
	eventually 10 grep -q ready "$WORK/ready"
	git config a.b c
	git commit -q --allow-empty -m during
	git -C "$WORK/repo" commit -q --allow-empty -m 'during, in the main one'
	kill -9 "$pid"
	wait "$pid" || :
	eventually 5 no_runs
	git config a.b d
	equal "$(git status --porcelain)" ""
	git commit -q --allow-empty -m after
	git fsck --strict
	[[ ! $(find "$WORK/repo" "$TREE" -name '*.lock') ]]
	equal "$(git log --format=%s)" $'after\nduring\nfirst'
}

a_submodule_as_the_tree_works() {
	make_repository "$WORK/library"
	make_repository "$WORK/super"
	git -C "$WORK/super" -c protocol.file.allow=always submodule --quiet add "$WORK/library" lib
	keep "$WORK/super"
	run -q -C "$WORK/super/lib" -- sh -ec "$commit; git submodule --quiet update; git config a.b c"
	status_is 0
	equal "$out" $'second\nfirst'
	kept
}

a_separate_git_directory_works_once_its_index_knows_the_tree() {
	make_repository "$WORK/repo"
	cd "$WORK"
	rm -rf "$TREE"
	git init -q --separate-git-dir="$WORK/separate" "$TREE"
	cd "$TREE"
	run -- git commit -q --allow-empty -m x
	never status_is 0
	err_has "git config core.worktree"
	echo one >one
	git add one
	git commit -q -m first
	keep "$WORK/separate"
	run -q -- sh -ec "$commit"
	status_is 0
	equal "$out" $'second\nfirst'
	kept
}

a_subdirectory_of_a_checkout_commits_to_a_layer() {
	make_repository "$TREE"
	mkdir -p sub/dir
	echo x >sub/dir/x
	git add .
	git commit -q -m sub
	keep_tree
	run -q -C sub -- sh -ec 'echo y >dir/x; git add dir; git commit -q -m inside; git log --format=%s; git status --porcelain'
	status_is 0
	equal "$out" $'inside\nsub\nfirst'
	same_manifest
}

bare_repositories_with_worktrees_in_and_beside_them_work() {
	make_repository "$WORK/repo"
	git clone -q --bare "$WORK/repo" "$WORK/bare/.bare"
	echo "gitdir: ./.bare" >"$WORK/bare/.git"
	git -C "$WORK/bare" worktree add -q -b w "$WORK/bare/w"
	git clone -q --bare "$WORK/repo" "$WORK/in.git"
	git -C "$WORK/in.git" worktree add -q -b w "$WORK/in.git/w"
	local tree
	for tree in "$WORK/bare/w" "$WORK/in.git/w"; do
		keep "${tree%/w}"
		run -q -C "$tree" -- sh -ec "$commit"
		status_is 0
		equal "$out" $'second\nfirst'
		kept
	done
}

a_directory_of_linked_worktrees_works() {
	make_repository "$WORK/repo"
	make_repository "$WORK/repo2"
	git -C "$WORK/repo" worktree add -q -b a "$TREE/a"
	git -C "$WORK/repo" worktree add -q -b b "$TREE/b"
	git -C "$WORK/repo2" worktree add -q -b c "$TREE/c"
	keep "$WORK/repo"
	run -q -- sh -ec 'for w in a b c; do cd $w; git commit -q --allow-empty -m $w; git log --format=%s; cd ..; done'
	status_is 0
	equal "$out" $'a\nfirst\nb\nfirst\nc\nfirst'
	kept
}

a_linked_worktree_of_a_submodule_works() {
	make_repository "$WORK/library"
	make_repository "$WORK/super"
	git -C "$WORK/super" -c protocol.file.allow=always submodule --quiet add "$WORK/library" lib
	cd "$WORK"
	rm -rf "$TREE"
	git -C "$WORK/super/lib" worktree add -q -b w "$TREE"
	cd "$TREE"
	keep "$WORK/super"
	run -q -- sh -ec "$commit"
	status_is 0
	equal "$out" $'second\nfirst'
	kept
}

# Whoever wrote the tree may name what they like.
a_git_file_that_names_what_is_not_the_trees_opens_nothing() {
	make_repository "$WORK/victim"
	mkdir -p "$HOME/.ssh" "$HOME/plain"
	echo hunter2 >"$HOME/.ssh/key"
	git init -q --bare "$HOME/.ssh/bare"
	keep "$WORK/victim"
	local target
	for target in "$WORK/victim/.git" "$HOME/.ssh" "$HOME/plain" "$HOME/.ssh/bare" / /etc "$HOME"; do
		echo "gitdir: $target" >.git
		run -q -- sh -c 'cat "$0/key"; for d in "$0" "$1/.git" "$2" /etc; do echo x >"$d/suite-was-here" && echo wrote; done; git config a.b c' "$HOME/.ssh" "$WORK/victim" "$HOME/plain"
		out_lacks hunter2
		out_lacks wrote
	done
	kept
	[[ ! -e $HOME/.ssh/suite-was-here && ! -e $HOME/plain/suite-was-here ]]
	echo "gitdir: $WORK/victim/.git" >.git
	run -- true
	status_is 0
	err_has "does not say that it is this tree's"
}

a_git_directory_that_is_hidden_stays_hidden() {
	make_linked
	run --set "filesystem.hidden=$WORK/repo/.git" -- sh -c 'cat "$0/HEAD"; git log' "$WORK/repo/.git"
	never status_is 0
	out_is ""
	err_has "which is hidden"
}

borrowed_objects_are_read_and_named_where_they_are_hidden() {
	make_repository "$WORK/lender"
	cd "$WORK"
	rm -rf "$TREE"
	git clone -q -s "$WORK/lender" "$TREE"
	cd "$TREE"
	keep "$WORK/lender"
	run -- sh -ec "$commit; git gc -q"
	status_is 0
	equal "$out" $'second\nfirst'
	kept
	run --set "filesystem.hidden=$WORK/lender" -- git log
	never status_is 0
	err_has "borrows objects"
	err_has "which is hidden"
}

a_push_to_another_repository_is_refused_and_changes_nothing() {
	make_linked
	git clone -q --bare "$WORK/repo" "$WORK/other"
	keep "$WORK/other"
	run -q -- git push -q -u "$WORK/other" HEAD:refs/heads/pushed
	never status_is 0
	err_has "remote rejected"
	kept
}

the_tree_itself_is_shown_without_a_layer_beside_it() {
	make_linked
	keep "$WORK/repo"
	run -q --view direct -- git commit -q --allow-empty -m inside
	never status_is 0
	kept
}

a_path_that_is_writable_is_written_and_not_layered() {
	make_linked
	run -q --set "filesystem.writable=$WORK/repo" -- git commit -q --allow-empty -m inside
	status_is 0
	equal "$(git log --format=%s)" $'inside\nfirst'
}
