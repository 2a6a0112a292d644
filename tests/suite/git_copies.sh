# tests/suite/git_copies.sh - where the copy lies at another path, no file of git's leads back to the original.
# arm copytree
# arm landlock

make_repository() {	# DIRECTORY
	printf '[user]\n\tname = t\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n' >"$HOME/.gitconfig"
	git init -q "$1"
	echo one >"$1/one"
	git -C "$1" add .
	git -C "$1" commit -q -m first
}

# keep DIRECTORY: nothing in it changes until `kept`.
keep() { kept=$1 kept_before=$(TREE=$1 manifest); }
kept() { diff <(echo "$kept_before") <(TREE=$kept manifest) || { echo "$kept was changed"; return 1; }; }

commit='echo new >new; git add new; git commit -q -m second; git log --format=%s; git status --porcelain; git fsck --strict'

worktrees_in_the_tree_lead_to_their_copies() {
	make_repository "$TREE"
	git worktree add -q -b a inside/a
	git worktree add -q -b b inside/b
	keep_tree
	run -q -- sh -ec "cd inside/a; $commit; git -C ../b log --format=%s; git -C ../.. log --format=%s a; git -C ../.. worktree list
		cd ../..; git worktree remove inside/b; ls inside; git worktree prune; git worktree list | wc -l"
	status_is 0
	out_has $'second\nfirst\nfirst\nsecond\nfirst'
	out_lacks "$TREE"
	[[ $out == *$'\na\n2' ]]
	same_manifest
	git worktree list
	run -q -- git -C inside/b log --format=%s
	out_is first
}

a_configuration_that_names_the_tree_names_the_copy() {
	make_repository "$TREE"
	git config core.worktree "$TREE"
	keep_tree
	run -q -- sh -ec 'rm one; echo x >other; git checkout -q -f HEAD; cat one; git clean -qfd; ls; git config core.worktree'
	status_is 0
	out_lacks other
	out_lacks "$TREE"
	same_manifest
	lose_tree
	git config core.worktree "$WORK/home"
	run -q -- git checkout -q -f HEAD
	[[ ! -e $WORK/home/one ]]
}

borrowed_objects_by_a_relative_path_are_still_found() {
	make_repository "$WORK/lender"
	cd "$WORK"
	rm -rf "$TREE"
	git clone -q -s "$WORK/lender" "$TREE"
	cd "$TREE"
	echo ../../../lender/.git/objects >.git/objects/info/alternates
	git fsck
	keep_tree
	keep "$WORK/lender"
	run -q -- sh -ec "$commit; git gc -q"
	status_is 0
	equal "$out" $'second\nfirst'
	same_manifest
	equal "$(git -C "$WORK/lender" log --format=%s)" first
}

what_cannot_be_copied_is_nowhere() {
	make_repository "$WORK/victim"
	keep "$WORK/victim"
	local text
	for text in "gitdir: $WORK/victim/.git" "gitdir: ../victim/.git" "gitdir: $WORK/victim/.git$(printf '\n%.0s' {1..9000})x"; do
		printf '%s\n' "$text" >.git
		run -q -- git commit -q --allow-empty -m inside
		never status_is 0
		kept
		mkdir sub; mv .git sub/.git
		run -q -C "$TREE" -- git -C sub commit -q --allow-empty -m inside
		never status_is 0
		kept
		rm -r sub
	done
	ln -s "$WORK/victim/.git" .git
	run -q -- git commit -q --allow-empty -m inside
	kept
	equal "$(readlink .git)" "$WORK/victim/.git"
}

a_tree_without_a_repository_finds_none_above_its_copy() {
	make_repository "$HOME"
	keep "$HOME/.git"
	run -q -- git add -A
	never status_is 0
	kept
	run -q -- git rev-parse --git-dir
	never status_is 0
}

files_of_the_same_names_that_are_no_gits_stay_as_they_are() {
	mkdir -p worktrees a/worktrees/b objects/info
	echo "$TREE/one" >gitdir; echo "$TREE/one" >worktrees/gitdir; echo "worktree = $TREE" >config; echo "[core] x = $TREE" >a/config
	echo plain >.git; echo "$TREE/x" >alternates
	keep_tree
	run -q -- sh -c 'cat gitdir worktrees/gitdir config a/config .git alternates'
	equal "$out" "$(cat gitdir worktrees/gitdir config a/config .git alternates)"
	same_manifest
}

# A linked worktree as the tree.
make_linked() {
	make_repository "$WORK/repo"
	cd "$WORK"
	rm -rf "$TREE"
	git -C "$WORK/repo" worktree add -q -b linked "$TREE"
	cd "$TREE"
}

a_commit_in_a_linked_worktree_lands_on_a_copy_of_its_repository() {
	make_linked
	keep_tree
	keep "$WORK/repo"
	local i
	for i in 1 2 3; do
		run -q -- sh -ec "$commit; git rev-parse --git-common-dir"
		status_is 0
		[[ $out == $'second\nfirst\n'"$HOME/"* ]]
		kept
		same_manifest
	done
	run -q -- sh -ec 'git stash list; echo x >>one; git stash -q; git stash pop -q; git commit -qam x; git gc -q; git fsck; git config a.b c; git worktree list; git log --format=%s'
	status_is 0
	out_has $'x\nfirst'
	kept
	git commit -q --allow-empty -m outside
	run -q -- git log --format=%s
	equal "$out" $'outside\nfirst'
}

a_submodule_as_the_tree_works_on_copies() {
	make_repository "$WORK/library"
	make_repository "$WORK/super"
	git -C "$WORK/super" -c protocol.file.allow=always submodule --quiet add "$WORK/library" lib
	keep "$WORK/super"
	run -q -C "$WORK/super/lib" -- sh -ec "$commit; git checkout -q -f HEAD~1; ls"
	status_is 0
	equal "$out" $'second\nfirst\none'
	kept
}

a_separate_git_directory_is_copied() {
	cd "$WORK"
	printf '[user]\n\tname = t\n\temail = t@example.com\n' >"$HOME/.gitconfig"
	git init -q --separate-git-dir="$WORK/separate" "$TREE"
	cd "$TREE"
	git add .
	git commit -q -m first
	keep "$WORK/separate"
	run -q -- sh -ec "$commit"
	status_is 0
	equal "$out" $'second\nfirst'
	kept
}

bare_repositories_with_worktrees_in_them_are_copied() {
	make_repository "$WORK/repo"
	git clone -q --bare "$WORK/repo" "$WORK/in.git"
	git -C "$WORK/in.git" worktree add -q -b w "$WORK/in.git/w"
	keep "$WORK/in.git"
	run -q -C "$WORK/in.git/w" -- sh -ec "$commit"
	status_is 0
	equal "$out" $'second\nfirst'
	kept
}

what_a_command_did_to_a_copied_repository_is_undone_for_the_next() {
	make_linked
	keep "$WORK/repo"
	run -q -- sh -ec 'cd "$(git rev-parse --git-common-dir)"; echo evil >hooks/pre-commit; rm -rf objects refs; ln -s /etc objects; : >index.lock; : >config.lock'
	run -q -- sh -ec "$commit"
	status_is 0
	equal "$out" $'second\nfirst'
	kept
	local pid
	"$PINFOLD" run -q --arm copytree -- sh -c 'git commit -q --allow-empty -m inside; echo ready; exec sleep 60' >"$WORK/ready" &
	pid=$!
	eventually 10 grep -q ready "$WORK/ready"
	kill -9 "$pid"
	wait "$pid" || :
	eventually 5 no_runs
	kept
	run -q -- git log --format=%s
	out_is first
}

a_git_directory_that_is_hidden_is_not_copied() {
	make_linked
	keep "$WORK/repo"
	run -q --set "filesystem.hidden=$WORK/repo/.git" -- git log
	never status_is 0
	[[ ! $(find "$HOME" -path '*/beside/*' -name HEAD) ]]
	kept
}
