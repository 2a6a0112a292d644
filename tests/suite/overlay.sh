# tests/suite/overlay.sh - the tree below an overlay: when it is laid, where, and when it is refused.
# arm namespaces

over() { run -q --view overlay "$@"; }

what_the_command_writes_lands_in_the_layer() {
	keep_tree
	over -- sh -c 'echo x >new; echo y >>one; rm src/say; mkdir -p d/e; mv link moved; rm -r src; mkdir src; ls; cat one; ls src'
	status_is 0
	equal "$out" $'d\nmoved\nnew\none\nsrc\none\ny'
	same_manifest
	over -- sh -c 'ls; cat one'
	equal "$out" $'link\none\nsrc\none'
}

a_tree_past_the_budget_of_copies_gets_the_overlay_and_the_run_says_so() {
	mkdir many; touch many/{1..30}
	keep_tree
	run --set copy.max-files=20 -- sh -c 'echo x >new; ls many | wc -l'
	status_is 0
	out_is 30
	err_has "the view copy is passed over"
	err_has "past the budget of 20"
	same_manifest
	view_is 20 "overlay 1"
	view_is 50 "copy 0"
}

view_is() {
	run -q --set "copy.max-files=$1" --receipt "$WORK/receipt" -- true
	status_is 0
	equal "$(json "$WORK/receipt" 'd["view"]["name"], len(d["passed_over"])')" "$2"
}

a_view_that_is_named_alone_is_refused_and_no_other_is_taken() {
	mkdir many; touch many/{1..30}
	run --view copy --set copy.max-files=20 -- echo ran
	refused E_BUDGET
	pf run --arm copytree --view overlay -- echo ran
	refused E_SANDBOX_DENIED
	err_has "arm"
	pf run --arm copytree --set copy.max-files=20 -- echo ran
	refused E_BUDGET
	err_has "past the budget of 20"
	err_has "overlay"
	run -q --set copy.max-files=20 -- true	# remembers it
	status_is 0
	pf run --arm copytree --set copy.max-files=20 -- echo ran
	refused E_BUDGET
	err_has "35 files, past the budget of 20"
	equal "$(grep -o 'try: .*' "$WORK/err" | wc -l)" 1
}

what_is_remembered_of_a_tree_is_forgotten_where_no_other_view_can_be_had() {
	mkdir many; touch many/{1..30}
	run -q --set copy.max-files=20 -- true
	rm -r many
	pf run --arm copytree --set copy.max-files=20 -- echo ran
	status_is 0
	out_is ran
	err_lacks "passed over"
}

a_mount_in_the_tree_is_shown_by_a_copy_and_named_by_an_overlay() {
	as_root_only
	mkdir mnt
	mount -t tmpfs none mnt
	at_end "umount -l '$TREE/mnt'"
	allowed_mount=$TREE/mnt
	echo there >mnt/file
	over -- cat mnt/file
	if ((status == 0)); then out_is there; else refused E_SANDBOX_DENIED; err_has "$TREE/mnt"; fi
	run -q -- cat mnt/file
	out_is there
}

a_scratch_directory_in_the_tree_is_out_of_the_commands_sight() {
	mkdir -m 0700 scratch
	local i
	for i in 1 2; do
		over --set "filesystem.scratch=$TREE/scratch" -- sh -c 'cat one; find . -name one; echo x >new'
		status_is 0
		equal "$out" $'one\n./one'
		[[ ! -e new ]]
	done
}

a_tree_in_the_scratch_directory_is_refused_or_shown_right() {
	mkdir -p "$WORK/home/.cache/pinfold/mine"
	chmod 0700 "$WORK/home/.cache/pinfold"
	echo here >"$WORK/home/.cache/pinfold/mine/file"
	over -C "$WORK/home/.cache/pinfold/mine" -- sh -c 'cat file; echo x >file'
	if ((status == 0)); then out_is here; else refused E_TREE; fi
	equal "$(<"$WORK/home/.cache/pinfold/mine/file")" here
}

where_no_layer_can_lie_memory_serves_and_the_run_says_that_its_changes_end() {
	as_root_only
	mkdir "$WORK"/{lower,upper,work,on}
	mount -t overlay none -o "lowerdir=$WORK/lower,upperdir=$WORK/upper,workdir=$WORK/work" "$WORK/on"
	at_end "umount -l '$WORK/on'"
	allowed_mount=$WORK/on
	chmod 0700 "$WORK/on"
	keep_tree
	run --view overlay --set "filesystem.scratch=$WORK/on" -- sh -c 'echo x >new; rm -r src; ls'
	status_is 0
	equal "$out" $'link\nnew\none'
	err_has "ends with the run"
	err_has "[filesystem] scratch"
	same_manifest
	run --session s --view overlay --set "filesystem.scratch=$WORK/on" -- echo ran
	refused E_SANDBOX_DENIED
	err_has "[filesystem] scratch"
	run --scope machine --set "filesystem.scratch=$WORK/on" -- echo ran
	refused E_SANDBOX_DENIED
	err_has "[filesystem] scratch"
	run -q --set "filesystem.scratch=$WORK/on" -- cat one
	out_is one
	same_manifest
}

what_is_hidden_and_what_is_writable_in_the_tree_is_so_over_an_overlay() {
	echo secret >src/token
	mkdir out
	over --set "filesystem.hidden=$TREE/src/token" --set "filesystem.writable=$TREE/out" -- sh -c 'cat src/token; echo x >out/made; mv src other 2>&1; ls'
	if ((status == 0)); then
		out_lacks secret
		[[ -e out/made ]]
	else
		refused E_POLICY	# what lies in the tree is written on the layer
		over --set "filesystem.hidden=$TREE/src/token" -- sh -c 'cat src/token; cat */token; :'
		out_lacks secret
	fi
	equal "$(<src/token)" secret
}

an_overlay_over_a_git_tree_leaves_it_clean_and_no_lock() {
	command -v git >/dev/null || skip "git is not installed"
	export GIT_CONFIG_GLOBAL=$WORK/gitconfig GIT_CONFIG_SYSTEM=/dev/null
	git config --file "$GIT_CONFIG_GLOBAL" user.name t
	git config --file "$GIT_CONFIG_GLOBAL" user.email t@example.org
	git init -q . && git add -A && git commit -qm first
	over -- sh -c 'git status --porcelain; echo n >n && git add n && git commit -qm second && git log --oneline | wc -l'
	status_is 0
	out_is 2
	equal "$(git status --porcelain)" ""
	equal "$(git log --oneline | wc -l)" 1
	[[ ! $(find .git -name '*.lock') ]]
}

probing_shows_the_view_and_in_what_it_falls_short() {
	pf probe
	out_has "view overlay: available"
	out_has "EXDEV"
	out_has "view copy: available"
	pf probe --json
	json "$WORK/out" 'sorted(v["name"] for v in d["views"] if v["available"] and (v["name"] == "copy") == (not v["limits"]))' >"$WORK/views"
	equal "$(cat "$WORK/views")" "['copy', 'overlay']"
}

what_a_session_writes_in_layered_paths_is_there_for_its_next_command_and_for_no_other() {
	mkdir "$WORK/home/cache" "$WORK/home/other"
	echo old >"$WORK/home/cache/old"
	local view paths="filesystem.layered=$WORK/home/cache, $WORK/home/other"
	for view in copy overlay; do
		run -q --session "$view" --view "$view" --set "$paths" -- sh -c 'echo new >~/cache/new; rm ~/cache/old; echo x >~/other/x'
		status_is 0
		run -q --session "$view" --set "$paths" -- sh -c 'cat ~/cache/new; ls ~/cache ~/other | xargs'
		equal "$out" "new"$'\n'"$WORK/home/cache: new $WORK/home/other: x"
		# One path fewer: still the same layer.
		run -q --session "$view" --set "filesystem.layered=$WORK/home/cache" -- cat "$WORK/home/cache/new"
		out_is new
		run -q --session "not-$view" --view "$view" --set "$paths" -- sh -c 'ls ~/cache'
		out_is old
	done
	run -q --set "$paths" -- sh -c 'ls ~/cache'
	out_is old
	equal "$(ls "$WORK/home/cache")" old
	equal "$(ls "$WORK/home/other")" ""
}

layers_that_nobody_keeps_end_with_the_run() {
	mkdir "$WORK/home/cache"
	over --set "filesystem.layered=$WORK/home/cache" -- sh -c 'echo new >~/cache/new; ls ~/cache'
	out_is new
	over --set "filesystem.layered=$WORK/home/cache" -- ls "$WORK/home/cache"
	out_is ""
	[[ ! $(find "$WORK/home/.cache" -name new) ]]
}

a_command_cannot_forge_the_marks_that_an_overlay_leaves() {
	mkdir d; echo deep >d/deep
	run -q --session s --view overlay -- /usr/bin/python3 -c '
import os, stat
for name, value in (("opaque", b"y"), ("redirect", b"/etc"), ("whiteout", b""), ("metacopy", b""), ("origin", b"x")):
    for path in ("d", "one", "."):
        try: os.setxattr(path, "user.overlay." + name, value)
        except OSError: pass
for name in ("w", "one2"):
    try: os.mknod(name, 0o600 | stat.S_IFCHR, 0); print("made")
    except OSError: print("refused")
print(open("d/deep").read(), end="")'
	equal "$out" $'refused\nrefused\ndeep'
	run -q --session s -- sh -c 'cat d/deep one; ls -A; ls -A d'
	equal "$out" $'deep\none\nd\nlink\none\nsrc\ndeep'
	pf diff --session s --summary
	out_lacks deep
	out_lacks one
}

a_killed_command_of_a_session_leaves_a_layer_that_the_next_one_uses() {
	local i
	keep_tree
	for i in 1 2 3; do
		"$PINFOLD" run -q --arm namespaces --session s --view overlay -- sh -c "echo $i >made$i; rm -rf src; sleep 5" &
		eventually 5 compgen -G "$WORK/home/.cache/pinfold/t/*/=s/upper/made$i" >/dev/null
		kill -KILL $!
		wait || :
		nothing_runs
	done
	run -q --session s -- ls
	equal "$out" $'link\nmade1\nmade2\nmade3\none'
	same_manifest
}
