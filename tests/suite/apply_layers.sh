# tests/suite/apply_layers.sh - what a layer holds comes into the tree, or to where it lies over, and goes from it.
# arm namespaces

what_a_layer_holds_is_applied_and_gone_from_it() {
	run -q --view overlay --session lay -- sh -c 'echo two >>one; rm -r src; mkdir new; echo x >new/x; ln -s /etc etc'
	((status == 0)) || skip "no overlay can be laid here: $err"
	pf apply --session lay --partial
	status_is 1
	equal "$(cat one new/x)" "one
two
x"
	[[ ! -e src && ! -L etc ]]
	pf diff --session lay --name-only
	out_is etc
	echo mine >>one
	run -q --view overlay --session lay -- sh -c 'tail -n 1 one; mkdir src'
	out_is mine
	pf apply --session lay --allow-risky
	status_is 0
	[[ -d src && -L etc ]]
	pf diff --session lay --exit-code
	status_is 0
}

what_lies_outside_of_the_tree_wants_its_name() {
	mkdir "$WORK/outside"
	run -q --session out --set "filesystem.layered=$WORK/outside" -- sh -c "echo x >'$WORK/outside/x'; echo y >y"
	((status == 0)) || skip "no layer can be laid here: $err"
	pf apply --session out
	status_is 1
	out_has "outside of the working tree"
	[[ ! -e y && ! -e $WORK/outside/x ]]
	pf apply --session out y
	status_is 0
	[[ -e y && ! -e $WORK/outside/x ]]
	pf apply --session out "$WORK/outside/x"
	status_is 0
	[[ -e $WORK/outside/x ]]
}

a_commit_that_was_made_inside_is_applied() {
	command -v git >/dev/null || skip "git is missing"
	git init -q "$WORK/main"
	git -C "$WORK/main" -c user.name=n -c user.email=e commit -q --allow-empty -m first
	git -C "$WORK/main" worktree add -q "$WORK/linked"
	cd "$WORK/linked"
	run -q --session commit -- sh -c 'echo f >f && git add f && git -c user.name=n -c user.email=e commit -q -m second'
	((status == 0)) || skip "no layer can be laid here: $err"
	equal "$(git log --format=%s)" first
	pf apply --session commit
	status_is 0
	equal "$(git log --format=%s)" "second
first"
	equal "$(git status --porcelain)" ""
	git fsck --strict
	[[ ! $(find "$WORK/main/.git" -name '*.lock') ]]
}

a_part_of_a_directory_is_applied_and_the_session_sees_all_of_it() {
	session() { run -q --session s --view overlay -- "$@"; }
	session sh -c 'mkdir new; echo a >new/a; echo b >new/b; rm -r src; mkdir src; echo c >src/c; echo d >src/d'
	((status == 0)) || skip "no overlay can be laid here: $err"
	pf apply --session s src/c
	status_is 0
	mkdir new
	echo other >new/b
	pf apply --session s --partial new
	status_is 1
	session sh -c 'cat new/a new/b src/c src/d; ls src'
	out_is $'a\nb\nc\nd\nc\nd'
	pf diff --session s --name-only
	out_is $'new/b\nsrc/d\nsrc/say'
	echo person >new/a
	echo more >new/more
	session sh -c 'cat new/a new/more new/b'
	out_is $'person\nmore\nb'
	pf apply --session s
	status_is 1
	equal "$(cat new/b)" other
	rm new/b
	pf apply --session s
	status_is 0
	equal "$(ls new src)" $'new:\na\nb\nmore\n\nsrc:\nc\nd'
	equal "$(cat new/a)" person
}
