# tests/suite/git.sh - git in the command's copy works as outside, and the repository itself is never touched.
# every arm

make_repository() {	# [DIRECTORY]
	printf '[user]\n\tname = t\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n' >"$HOME/.gitconfig"
	git init -q "${1:-$TREE}"
	echo "one of ${1:-the tree}" >"${1:-$TREE}/one"
	git -C "${1:-$TREE}" add .
	git -C "${1:-$TREE}" commit -q -m first
}

a_commit_inside_leaves_the_repository_as_it_is() {
	make_repository
	git status --porcelain
	keep_tree
	run -q -- sh -ec 'echo n >n; git add n; git commit -q -m second; git log --format=%s; git status --porcelain; git fsck --strict'
	status_is 0
	equal "$out" $'second\nfirst'
	same_manifest
	equal "$(git log --format=%s)" first
}

a_clean_checkout_is_clean_inside_whatever_the_modes_and_times() {
	umask 077
	make_repository
	umask 022
	chmod 0664 one; chmod 0775 src
	keep_tree
	run -q -- sh -c 'git status --porcelain; git diff --stat'
	status_is 0
	out_is ""
}

everyday_git_works_inside() {
	make_repository
	git clone -q -l . "$WORK/other"
	git branch side; echo 2 >two; git add two; git commit -q -m two
	keep_tree
	run -q -- sh -ec 'echo x >>one; git stash -q; git diff --quiet; git stash pop -q; git checkout -q one
		git checkout -q side; echo 3 >three; git add three; git commit -q -m three; git rebase -q main; git log --format=%s
		git clone -q -l . clone; git -C clone fsck; rm -rf clone
		git gc -q; git fsck; git repack -q -a -d; git tag -a -m x t; git branch -m side renamed; git worktree add -q wt; git -C wt commit -q --allow-empty -m x
		git worktree remove wt; git sparse-checkout set src; ls -d src two 2>/dev/null; git sparse-checkout disable; ls two
		git config --local a.b c; git remote add r "$0"; git fetch -q r
		git bisect start HEAD HEAD~2; git bisect reset; git reset -q --hard; git clean -qfdx' "$WORK/other"
	status_is 0
	out_has $'three\ntwo\nfirst'
	same_manifest
}

submodules_work_inside_a_superproject() {
	make_repository "$WORK/library"
	make_repository
	git -c protocol.file.allow=always submodule --quiet add "$WORK/library" lib/rary
	git commit -q -m 'with a library'
	keep_tree
	run -q -- sh -ec 'cd lib/rary; echo x >x; git add x; git commit -q -m inside; git log --format=%s; cd ../..; git add lib/rary; git commit -q -m moved; git submodule status
		git -c protocol.file.allow=always submodule --quiet update --init --recursive; git submodule --quiet deinit -f lib/rary; git -c protocol.file.allow=always submodule --quiet update --init'
	status_is 0
	out_has inside
	same_manifest
	equal "$(git -C "$WORK/library" log --format=%s)" first
}

a_shallow_and_a_partial_clone_work_without_a_network() {
	make_repository "$WORK/source"
	git -C "$WORK/source" config uploadpack.allowFilter true
	cd "$WORK"
	rm -rf "$TREE"
	git clone -q --depth 1 --filter=blob:none "file://$WORK/source" "$TREE"
	cd "$TREE"
	keep_tree
	run -q -- sh -ec 'git status --porcelain; git log --format=%s; echo x >x; git add x; git commit -q -m x; git fsck'
	status_is 0
	out_is first
}

pointers_to_large_files_stay_pointers() {
	make_repository
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 5\n' 7 >large
	echo 'large filter=none -text' >.gitattributes
	git add .
	git commit -q -m large
	keep_tree
	run -q -- sh -c 'git status --porcelain; grep -c oid large'
	status_is 0
	out_is 1
}

links_in_protected_places_stop_no_command() {
	make_repository
	mkdir -p "$WORK/elsewhere/hooks"
	echo elsewhere >"$WORK/elsewhere/hooks/sample"
	rm -rf .git/hooks
	ln -s "$WORK/elsewhere/hooks" .git/hooks
	ln -s /nix/store/x .direnv; ln -s "$WORK/none" .envrc; ln -s .git/config .vscode; ln -s nowhere .git/info/dangling
	keep_tree
	run -q -- sh -ec 'cat .git/hooks/sample; git status --porcelain >/dev/null; git commit -q --allow-empty -m x; readlink .direnv >/dev/null; echo end'
	status_is 0
	equal "$out" $'elsewhere\nend'
	run -q -- sh -c 'echo evil >.git/hooks/sample'
	equal "$(<"$WORK/elsewhere/hooks/sample")" elsewhere
}

a_directory_that_holds_repositories_works() {
	make_repository "$TREE/a"
	make_repository "$TREE/b"
	keep_tree
	run -q -- sh -ec 'for r in a b; do git -C $r commit -q --allow-empty -m x; git -C $r log --format=%s; done; ls -A'
	status_is 0
	out_lacks .git
	equal "$(git -C a log --format=%s)" first
}

git_outside_works_during_a_run_and_after_one_that_was_killed() {
	make_repository
	local pid
	"$PINFOLD" run -q --arm "$ARM" -- sh -c 'git commit -q --allow-empty -m inside; git config x.y z; : >.git/index.lock; : >.git/config.lock; echo ready; exec sleep 60' >"$WORK/ready" &
	pid=$!
	eventually 10 grep -q ready "$WORK/ready"
	equal "$(git status --porcelain)" ""
	git config a.b c
	git commit -q --allow-empty -m during
	kill -9 "$pid"
	wait "$pid" || :
	equal "$(git status --porcelain)" ""
	git config a.b d
	git commit -q --allow-empty -m after
	equal "$(git log --format=%s)" $'after\nduring\nfirst'
	[[ ! $(find . -name '*.lock') ]]
	git fsck --strict
	eventually 5 no_runs
	run -q -- git log -1 --format=%s
	out_is after
}

root_in_a_tree_of_another_user_has_no_dubious_ownership() {
	as_root_only
	make_repository
	chown -R 12345:12345 .
	keep_tree
	run -q -- sh -c 'git status --porcelain && git log --format=%s'
	status_is 0
	out_is first
	[[ ! $(git config --global --get-all safe.directory) ]]
}

what_a_hook_tells_its_commands_does_not_lead_out() {
	make_repository
	keep_tree
	export GIT_DIR=$TREE/.git GIT_WORK_TREE=$TREE GIT_INDEX_FILE=$TREE/.git/index GIT_OBJECT_DIRECTORY=$TREE/.git/objects
	run -q --receipt "$WORK/receipt" -- sh -ec 'mkdir new; cd new; git init -q; git rev-parse --git-dir; cd ..; echo x >x; git add x; git commit -q -m inside; git log --format=%s'
	unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY
	status_is 0
	equal "$out" $'.git\ninside\nfirst'
	grep -q '"GIT_INDEX_FILE"' "$WORK/receipt"
	same_manifest
}
