# tests/suite/embedding.sh - programs that embed the library, and what every run has in common.
# every arm

a_program_in_python_runs_commands_through_the_library() {
	local library
	[[ ! $ARM ]] || [[ $ARM == namespaces ]] || skip "the program takes the arm that is there"
	not_sanitized "being the first library that is loaded"
	library=$(find "${PINFOLD%/bin/*}" -name libpinfold.so.0 | head -n 1)
	[[ $library ]] || skip "the library is not installed"
	keep_tree
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/../outside/embed.py" "$library" "$TREE"
}

the_command_has_the_callers_id_and_the_arm_says_what_that_leaves() {
	run --receipt "$WORK/receipt" -- sh -c 'id -u; stat -c %u one'
	out_is "$EUID"$'\n'"$EUID"
	if [[ $ARM == copytree ]]; then
		json "$WORK/receipt" 'd["arm"]["statement"]' | grep -F 'does not guarantee' | grep -F 'a user of its own'
	else
		json "$WORK/receipt" 'd["arm"]["statement"]' | grep -E 'without privileges to raise|does not guarantee.*a user of its own'
	fi
}

what_is_granted_in_the_tree_is_found_where_the_command_works() {
	keep_tree
	mkdir -p "$HOME/.config/pinfold"
	printf '[grant:source]\nkind = read\n' >"$HOME/.config/pinfold/pinfold.conf"
	run -q --grant "source=$TREE/src" -- sh -c '[ "$PINFOLD_GRANT_SOURCE" -ef src ] && echo x >"$PINFOLD_GRANT_SOURCE/made" && ls src'
	out_has made
	[[ ! -e src/made ]]
}
