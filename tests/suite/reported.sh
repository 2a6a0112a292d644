# tests/suite/reported.sh - what people report of such tools about git layouts, residue, copies, apply and disks.
# every view
#
# What is not here is held by a test of its own kind:
#   linked worktrees: commits, locks              git_layers.sh, git_copies.sh, git_apply.sh
#   hooks below .git/modules are told apart       git_apply.sh: hooks_and_configuration_are_held_back_wherever_they_lie
#   a directory that holds repositories           git.sh: a_directory_that_holds_repositories_works
#   protected places that are links               git.sh: links_in_protected_places_stop_no_command
#   fetch and commit work                         git.sh: everyday_git_works_inside
#   dubious ownership                             git.sh: root_in_a_tree_of_another_user_has_no_dubious_ownership
#   noise of modes in the diff                    diff.sh: nothing_is_shown_of_a_command_that_changes_nothing; tree_modeless
#   placeholders that a kill leaves in the tree   tree.sh: a_kill_at_any_moment_changes_nothing_and_the_next_run_works
#   FIFOs, sockets, devices                       tree.sh: fifos_sockets_and_devices_are_left_out_and_named
#   overlay: where it cannot lie, xattrs, mounts  overlay.sh; namespaces_overlay
#   read-only directories, residue of them        tree.sh: read_only_directories_do_not_get_in_the_way
#   names that are no UTF-8                       diff.sh: names_may_have_any_bytes
#   edits made meanwhile                          apply.sh: a_conflict_refuses_all_and_a_part_will_do_where_it_is_wanted
#   copies that pile up, kill -9 loops            killed.sh; sessions.sh: what_is_kept_too_long_is_collected
#   a full disk                                   tree.sh: a_full_disk_is_told_and_leaves_no_half_copy; killed.sh
#   reflinks                                      tree_reflink
#   builds that stay warm                         tests/real: cargo, make, ninja and others
#   trees of many files, time of a command        ./dev bench

repository() {
	command -v git >/dev/null || skip "git is missing"
	git init -q .
	git add -A
	git -c user.name=a -c user.email=a@b commit -qm first
}

what_is_hidden_below_a_git_file_stops_no_command() {
	repository
	git worktree add -q "$WORK/linked"
	cd "$WORK/linked"
	run -q --set "filesystem.hidden=$WORK/linked/.git/hooks" -- cat one
	status_is 0
	out_is one
}

git_can_be_configured_outside_after_a_run_and_after_a_killed_one() {
	repository
	run -q -- git status
	git config a.b c
	"$PINFOLD" run -q ${ARM:+--arm "${ARM%/*}"} -- sleep 20 &
	sleep 0.3
	kill -KILL $!
	wait $! || :
	eventually 5 nothing_runs
	git config a.b d
	[[ ! $(find . -name '*.lock') ]]
	equal "$(git status --porcelain)" ""
}

git_can_be_configured_inside_and_that_is_told_as_risky() {
	repository
	run -q -- git config branch.master.remote origin
	status_is 0
	pf apply
	status_is 1
	out_has ".git/config"
	out_has risky
	never git config branch.master.remote
}

a_tracked_file_that_is_hidden_is_a_file_for_git() {
	[[ $ARM != landlock ]] || skip "in this arm it is not there"
	echo secret >.env.example
	repository
	keep_tree
	[[ $ARM != copytree ]] || skip "this arm hides nothing"
	run -q --set "filesystem.hidden=$TREE/.env.example" -- sh -c 'test -f .env.example && ! grep secret .env.example && git status --porcelain >/dev/null &&
		git diff >/dev/null && echo fine'
	status_is 0
	out_is fine
}

a_huge_sparse_file_takes_no_room() {
	truncate -s 5G image
	quick 30 run -q -- stat -c %s image
	status_is 0
	out_is $((5 << 30))
	(($(du -sk "$HOME/.cache" 2>/dev/null | cut -f 1) < 10000))
}

hard_links_can_be_made_inside() {
	local same='test one -ef src/other' sharing=--local
	repository
	# What an overlay copies up to give it a further name becomes another file for that; its offer says so.
	[[ $ARM != */overlay ]] || same='cmp one src/other' sharing=--no-hardlinks
	run -q -- sh -c "ln one src/other && $same && git clone -q $sharing . cloned && cat cloned/one"
	status_is 0
	out_is one
}

a_directory_of_the_tree_can_be_moved_by_mv() {
	mkdir -p node_modules/a/b
	touch node_modules/a/b/{1..5}
	run -q -- sh -c 'mv node_modules nm && find nm -type f | wc -l && test ! -e node_modules'
	status_is 0
	out_is 5
	pf apply
	status_is 0
	[[ ! -e node_modules && -e nm/a/b/5 ]]
}

what_make_has_built_is_not_built_again() {
	command -v make >/dev/null || skip "make is missing"
	printf 'out: one\n\tcp one out\n' >Makefile
	make -s
	run -q -- make
	status_is 0
	out_has "up to date"
	touch one
	run -q -- make
	out_has "cp one out"
}
