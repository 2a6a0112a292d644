# tests/suite/followed.sh - what stands in a copy for what a link out of the tree leads to.
# arm copytree

links_out() {
	mkdir -p "$WORK/outside/d"
	echo outside >"$WORK/outside/f"
	echo deeper >"$WORK/outside/d/g"
	ln -s "$WORK/outside/f" file
	ln -s ../outside/d directory
	outside=$(cd "$WORK/outside" && find . -type f -exec cksum {} + | sort; ls -lR --time-style=full-iso)
}
same_outside() {
	equal "$(cd "$WORK/outside" && find . -type f -exec cksum {} + | sort; ls -lR --time-style=full-iso)" "$outside"
}

a_command_that_changes_nothing_there_has_changed_nothing() {
	links_out
	run -q -- cat file directory/g
	out_is $'outside\ndeeper'
	pf diff --summary --exit-code
	status_is 0
	out_is ""
}

what_a_command_changes_there_is_told_and_never_applied() {
	links_out
	keep_tree
	run -q -- sh -c 'echo more >>file; rm directory/g; echo n >directory/n; mkdir directory/new; echo x >directory/new/x
		mv src/say directory/say'
	status_is 0
	pf diff --name-only
	out_is $'directory/g\ndirectory/n\ndirectory/new\ndirectory/new/x\ndirectory/say\nfile'
	for how in '' --partial --allow-risky '--partial --allow-risky'; do
		pf apply $how
		out_lacks conflict
		same_manifest
		same_outside
	done
	equal "$(grep -c '^followed' <<<"$out")" 6
}

all_else_is_applied() {
	links_out
	run -q -- sh -c 'echo more >>file; rm directory/g; echo two >>one; ln -s "$0" other' "$WORK/outside"
	pf apply --allow-risky
	equal "$(cat one)" $'one\ntwo'
	equal "$(readlink other)" "$WORK/outside"
	equal "$(readlink file directory)" "$WORK/outside/f"$'\n../outside/d'
	same_outside
}

a_link_that_is_replaced_stays() {
	links_out
	keep_tree
	run -q -- sh -c 'rm -r file directory; echo own >file; mkdir directory; echo own >directory/own'
	pf diff --name-only
	out_has file
	out_has directory/own
	pf apply --partial --allow-risky
	same_manifest
	same_outside
}
