# tests/suite/git_copies.sh - where the copy lies at another path, no file of git's leads back to the original.
# arm copytree

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
