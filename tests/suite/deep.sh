# tests/suite/deep.sh - paths that are longer than one call of the kernel takes, made by a command.
# every view

part=$(printf 'd%.0s' {1..200})
# What is done in the directory that is so many of them deep, by a shell that goes there step by step.
deep() { echo "i=0; while [ \$i -lt $1 ]; do cd -P $part; i=\$((i + 1)); done; $2"; }
make_deep() { echo "i=0; while [ \$i -lt $1 ]; do mkdir $part; cd -P $part; i=\$((i + 1)); done; $2"; }

what_a_command_makes_deeper_than_a_path_is_long_is_shown_applied_and_dropped() {
	run -q --session s -- sh -c "$(make_deep 25 'echo one >bottom; ln -s bottom link; mkfifo -m 600 pipe; echo two >two')"
	status_is 0
	pf diff --session s --json
	status_is 0
	equal "$(json "$WORK/out" 'max(len(c["path"]) for c in d["changes"])')" $((25 * 201 + 6))
	pf diff --session s
	status_is 0
	out_has "+one"
	out_lacks "cannot read"
	pf discard --session s "$part/$part"
	status_is 0
	pf diff --session s --name-only
	out_is "$part"
	run -q --session s -- sh -c "cd -P $part; $(make_deep 24 'echo one >bottom; ln -s bottom link; echo two >two')"
	pf apply --session s
	status_is 0
	equal "$(find . -name bottom -execdir cat {} +)" one
	equal "$(find . -name link -execdir readlink {} + | sort | head -n 1)" bottom
	[[ ! $(find . -name '.pinfold-*') ]]
	pf diff --session s --name-only
	out_is ""
	run -q --session s -- sh -c "$(deep 25 'echo more >>bottom; rm two; chmod 0700 .')"
	pf apply --session s
	status_is 0
	equal "$(find . -name bottom -execdir cat {} +)" $'one\nmore'
	[[ ! $(find . -name two) ]]
	(eval "$(deep 25 'echo theirs >>bottom; echo new >theirs')")
	run -q --session s -- sh -c "$(deep 25 'cat bottom theirs; echo mine >bottom; rm theirs')"
	out_is $'one\nmore\ntheirs\nnew'
	(eval "$(deep 25 'echo later >>bottom')")
	pf apply --session s
	status_is 1
	pf discard --session s .
	status_is 0
	pf diff --session s --name-only
	out_is ""
	run -q --session s -- sh -c "rm -r $part"
	pf apply --session s
	status_is 0
	[[ ! -e $part ]]
	run -q -- sh -c "$(make_deep 25 'echo one >bottom')"
	pf discard
	status_is 0
	pf discard --session s
	pf gc --json
	equal "$(json "$WORK/out" 'd["remains"]')" "[]"
}

what_is_kept_deeper_than_a_path_is_long_is_collected() {
	local session
	for session in "--session s" ""; do
		run -q $session -- sh -c "$(make_deep 30 'echo one >bottom')"
		status_is 0
		pf gc --unapplied --json --set session.keep-bytes=1 --set copy.keep-bytes=1
		status_is 0
		equal "$(json "$WORK/out" '[i["removed"] for i in d["items"]], d["remains"]')" "[True] []"
		[[ ! $(find "$HOME/.cache/pinfold/t" "$HOME/.cache/pinfold/gone" -mindepth 1) ]]
	done
}
