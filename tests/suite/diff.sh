# tests/suite/diff.sh - what a command changed is shown as git would show it, and git takes it.
# every view

# Everything that git knows of a tree.
known() {
	(cd "$1" && find . \( -type f -o -type l \) -printf '%p %y %l ' \( -type f -perm -0100 -printf 'x\0' -o -printf 'n\0' \) |
		sort -z | tr '\0\n' '\n?' && find . -type f -exec cksum {} + | sort)
}

# brings SCRIPT: what the script does in the tree is what applying its patch does.
brings() {
	command -v git >/dev/null || skip "git is missing"
	cp -a "$TREE" "$WORK/wanted"
	(cd "$WORK/wanted" && sh -c "$1") || return
	keep_tree
	run -q -- sh -c "$1"
	status_is 0
	pf diff --binary
	status_is 0
	same_manifest
	cp "$WORK/out" "$WORK/patch"
	cp -a "$TREE" "$WORK/patched"
	(cd "$WORK/patched" && if [[ -s $WORK/patch ]] && grep -q '^diff' "$WORK/patch"; then git apply --check "$WORK/patch" && git apply "$WORK/patch"; fi)
	diff <(known "$WORK/wanted") <(known "$WORK/patched")
}

nothing_is_shown_of_a_command_that_changes_nothing() {
	run -q -- sh -c 'cat one; touch one; chmod 0755 src/say; echo x >new; rm new; mv one two; mv two one; cp -p one other; mv other one'
	pf diff --exit-code
	status_is 0
	out_is ""
	err_lacks "E_"
	pf diff --json
	equal "$(json "$WORK/out" 'd["changes"], d["session"], d["tree"]')" "[] None $TREE"
}

a_patch_has_every_kind_of_change() {
	brings 'echo two >>one; echo new >new; rm src/say; chmod +x one; mkdir -p a/b/c; echo deep >a/b/c/d; ln -s nowhere broken; rm link; ln -s one link; : >nothing'
}

what_became_something_else_is_brought() {
	mkdir dir
	echo x >dir/x
	brings 'rm one; mkdir one; echo in >one/in; rm -r dir; echo file >dir; rm link; echo was a link >link; rm src/say; ln -s ../one src/say'
}

names_may_have_any_bytes() {
	printf 'a\n' >$'old\xff'
	brings 'rm old*; for n in "new
line" "tab	" "quote\"s" "back\\slash" " blank " "-dash" "b/x" "$(printf "bytes\\376\\377")" "$(printf "c\\303\\251")" "$(printf "\\033[31m")" "a b/c d"; do mkdir -p "$(dirname -- "$n")"; echo "$n" >"./$n"; done'
	never grep -q '[^[:print:][:space:]]' <(LC_ALL=C grep -a '^diff' "$WORK/patch")
}

directories_may_take_each_others_names() {
	mkdir a b
	seq 10 >a/of-a
	seq 20 >b/of-b
	seq 30 >both
	brings 'mv a c; mv b a; mv c b; mv both a/; echo more >>b/of-a'
}

the_ends_of_lines_are_kept() {
	printf 'a\r\nb\r\n' >crlf
	printf 'a\nb' >open
	printf 'a\nb\n' >closed
	printf '\xef\xbb\xbfa\n' >mark
	brings 'printf "a\nb\r\n" >crlf; printf "a\nb\n" >open; printf "a\nb" >closed; printf "x\n" >mark; printf "no end" >new'
	grep -q '^\\ No newline at end of file$' "$WORK/patch"
}

binary_content_is_noted_or_spelled_out() {
	head -c 100000 /dev/urandom >noise
	brings 'printf "\0\1\2" >zero; printf "more\0" >>noise; printf "text\n" >text'
	grep -q '^GIT binary patch$' "$WORK/patch"
	pf diff
	out_has "Binary files a/noise and b/noise differ"
	out_has "Binary files /dev/null and b/zero differ"
	out_has "+text"
}

hard_links_and_sparse_files_are_brought() {
	seq 10 >hard
	ln hard linked
	truncate -s 10M sparse
	brings 'ln one second; cp sparse other; rm sparse'
	pf diff
	[[ $ARM == */overlay ]] || out_has "# hard link: second"
}

a_write_through_one_name_is_shown_of_all() {
	[[ $ARM != */overlay ]] || skip "an overlay parts the names of a file that is written"
	seq 10 >hard
	ln hard linked
	brings 'echo more >>hard'
	grep -q '^+++ b/linked$' "$WORK/patch"
}

what_git_has_no_words_for_is_noted() {
	mkdir emptied full
	echo x >full/x
	brings 'mkdir -p e/f; rmdir emptied; chmod 0600 one; mkfifo pipe; chmod 0700 full'
	pf diff
	out_has "# empty directory added: e/f"
	out_has "# directory removed: emptied"
	out_has "# mode: one: 0644 to 0600"
	out_has "# mode: full: 0755 to 0700"
	out_has "# never applied: pipe: it is a device, a FIFO or a socket"
	equal "$(grep -c pipe "$WORK/out")" 1
	never grep -q '^diff' "$WORK/out"
}

a_file_that_is_large_is_not_read() {
	run -q -- sh -c 'truncate -s 1T huge; echo x | dd of=huge bs=1 seek=1G conv=notrunc 2>/dev/null; echo small >small'
	(($? == 0)) && status_is 0
	quick 30 pf diff
	out_has "Binary files /dev/null and b/huge differ"
	pf diff --set session.diff-max-bytes=3
	out_has "Binary files /dev/null and b/small differ"
}

texts_of_very_many_lines_are_brought() {
	seq 300000 >lines
	brings 'sed -i -e "3s/.*/x/" -e "299998s/.*/y/" lines'
	quick 20 brings_again
}
brings_again() {
	pf diff --stat
	out_has "lines"
}

a_patch_is_of_the_tree_whatever_it_is_asked_from() {
	run -q -- sh -c 'echo x >>one; echo y >>src/say'
	cd src
	pf diff
	out_has "+++ b/one"
	pf diff say
	out_has "+++ b/src/say"
	out_lacks "b/one"
	pf diff ../one --stat
	out_has " one | 1 +"
	out_lacks "say"
	cd /
	pf diff -C "$TREE/src" "$TREE/one" .
	out_has "+++ b/one"
	out_has "+++ b/src/say"
	pf diff -C "$TREE" gone/away
	refused E_USAGE
	pf diff -C "$TREE" /etc/passwd
	refused E_USAGE
}

programs_get_names_and_facts() {
	run -q -- sh -c 'rm one; printf x >"a
b"; printf "\0" >zero; chmod 0600 src/say; ln -s to new-link'
	pf diff --name-only -z
	equal "$(tr '\0\n' '\n?' <"$WORK/out")" $'a?b\nnew-link\none\nsrc/say\nzero'
	pf diff --summary -z
	equal "$(tr '\0\n' '\n?' <"$WORK/out")" $'A  a?b\nA  new-link\nD  one\nM  src/say\nA  zero'
	pf diff --summary
	out_has 'A  "a\nb"'
	out_has "M  src/say  (mode 0755 to 0600)"
	pf diff --json
	equal "$(json "$WORK/out" '[(c["path"], c["kind"], c["what"], c["binary"]) for c in d["changes"]]')" \
		"[('a\\nb', 'added', [], False), ('new-link', 'added', [], False), ('one', 'removed', [], False), ('src/say', 'modified', ['mode'], False), ('zero', 'added', [], True)]"
	equal "$(json "$WORK/out" '[c["target"] for c in d["changes"] if "target" in c]')" "['to']"
}

names_that_are_not_utf8_are_whole_in_json() {
	printf x >$'a\xff'
	run -q -- sh -c 'rm a*'
	pf diff --json
	equal "$(json "$WORK/out" '[c["path"] for c in d["changes"]]')" "[{'text': 'a\\\\xff', 'hex': '61ff'}]"
	pf diff
	out_has 'a/a\377'
}

the_exit_code_says_whether_there_are_changes() {
	run -q -- sh -c 'echo x >>one'
	pf diff --exit-code
	status_is 1
	pf diff
	status_is 0
	pf diff --exit-code src
	status_is 0
	pf diff --stat --summary
	refused E_USAGE
	pf diff --color=sometimes
	refused E_USAGE
	pf diff --unified=-1
	refused E_USAGE
}

nothing_is_kept_of_a_tree_without_runs() {
	pf diff
	refused E_SESSION
	pf diff --session none
	refused E_SESSION
}

what_the_tree_changed_meanwhile_is_said() {
	seq 10 >both
	run -q -- sh -c 'echo theirs >>both; echo x >>one'
	echo ours >>both
	pf diff
	status_is 0
	out_has "# conflict: both: it was changed in the tree meanwhile"
	out_has "# compared with what the tree has now: both"
	out_has "-ours"
	out_has "+theirs"
	pf diff --json
	equal "$(json "$WORK/out" '[(c["path"], c["state"], bool(c["conflict"])) for c in d["changes"]]')" \
		"[('both', 'changed', True), ('one', 'ready', False)]"
	rm both
	pf diff
	out_has "# conflict: both: it was removed from the tree meanwhile"
	out_has "+theirs"
	pf diff --summary
	out_has "M  both  (conflict: it was removed from the tree meanwhile)"
	lose_tree
}

a_reader_that_has_enough_ends_it() {
	run -q -- sh -c 'seq 100000 >many'
	local codes
	codes=$(set +e; { "$PINFOLD" diff 2>"$WORK/said"; echo $? >"$WORK/code"; } | head -n 3 >/dev/null; cat "$WORK/code")
	equal "$codes" 141
	[[ ! -s $WORK/said ]]
	pf diff
	status_is 0
	out_has "+100000"
}

colours_and_escapes_are_for_eyes() {
	run -q -- sh -c 'printf "\033[2Jx\302\205\n" >one'
	pf diff --color always
	out_has $'\033[32m+\\x1b[2Jx\\xc2\\x85\033[0m'
	pf diff
	out_has $'+\033[2Jx'
	pf diff --color always --raw
	out_has $'\033[32m+\033[2Jx'
	out=$(script -qec "TERM=xterm '$PINFOLD' diff" /dev/null </dev/null)
	out_has $'\033[32m+\\x1b[2Jx'
	out=$(script -qec "TERM=xterm NO_COLOR=1 '$PINFOLD' diff" /dev/null </dev/null)
	out_has $'+\\x1b[2Jx'
	out_lacks $'\033'
}

what_acts_unasked_is_pointed_out() {
	run -q -- sh -c 'mkdir -p new/.vscode .github/workflows; echo x >new/.vscode/tasks.json; echo y >new/plain; echo z >.github/workflows/x.yml; echo w >.envrc'
	pf diff
	out_has "# risky: .envrc: "
	out_has "# risky: .github/workflows/x.yml: "
	pf diff --summary
	out_has "A  new/  (1 entry in it)"
	out_has "A  new/.vscode/  (1 entry in it)  (risky: "
	pf diff --json
	equal "$(json "$WORK/out" 'sorted(c["path"] for c in d["changes"] if c["risk"] and c["after"]["type"] == "file")')" \
		"['.envrc', '.github/workflows/x.yml', 'new/.vscode/tasks.json']"
}

git_directories_are_summed_up() {
	command -v git >/dev/null || skip "git is missing"
	local git="git -c user.name=t -c user.email=t@localhost"
	git init -q . && git config gc.auto 0 && $git add -A && $git commit -qm first
	run -q -- sh -c "echo x >>one; $git commit -qam second; echo x >.git/hooks/pre-commit"
	status_is 0
	pf diff
	out_has "+x"
	out_has "# git: .git: refs/heads/"
	out_has "objects added"
	never grep -q '^diff --git a/.git' "$WORK/out"
	git apply --check "$WORK/out"
	pf diff --summary
	out_has "G  .git: "
	never grep -q "^A  .git/" "$WORK/out"
	out_has "hooks/pre-commit"
	pf diff --all
	out_has "diff --git a/.git/hooks/pre-commit"
}

what_cannot_be_read_inside_can_be_shown() {
	run -q -- sh -c 'mkdir shut; echo x >shut/in; chmod 0 shut/in; chmod 0 shut; echo y >>one; chmod 0 one'
	pf diff
	status_is 0
	out_has "+++ b/shut/in"
	out_has "+x"
	out_has "+y"
}

without_libgit2_what_needs_no_lines_is_still_shown() {
	as_root_only
	local library
	library=$(ldconfig -p | sed -n 's/.*libgit2\.so\.[0-9.]* .* => //p' | head -n 1)
	[[ $library ]] || skip "libgit2 is not where the linker looks"
	run -q -- sh -c 'echo x >>one'
	without() { unshare --mount sh -c 'mount --bind /dev/null "$1"; shift; exec "$@"' sh "$library" "$PINFOLD" diff "$@" >"$WORK/out" 2>"$WORK/err"; }
	never without
	grep -q '^pinfold: E_SYSTEM: cannot show what differs in files$' "$WORK/err"
	without --summary
	equal "$(cat "$WORK/out")" "M  one"
	without --json
	equal "$(json "$WORK/out" 'd["changes"][0]["path"]')" one
}

# Layers over other places are what an arm that confines has.
layered() { run -q --session outside --set "filesystem.layered=$WORK/elsewhere" -- "$@"; }

what_lies_outside_of_the_tree_is_counted_and_shown_where_it_is_asked_for() {
	[[ $ARM == namespaces* ]] || skip "this arm has no layers"
	mkdir -p "$WORK/elsewhere/deep"
	echo old >"$WORK/elsewhere/deep/old"
	layered sh -c 'echo x >>one; echo y >>../elsewhere/deep/old; echo new >../elsewhere/new'
	status_is 0
	equal "$(cat "$WORK/elsewhere/deep/old")" old
	pf diff --session outside
	out_has "+x"
	out_has "# outside of the tree: $WORK/elsewhere: 2 changes; --all or its path shows them"
	out_lacks "+y"
	(cd "$TREE" && git apply --check "$WORK/out")
	pf diff --session outside --all
	out_has "+++ b/$WORK/elsewhere/deep/old"
	pf diff --session outside ../elsewhere/deep
	out_has $' old\n+y'
	out_lacks "+x"
	out_lacks "+new"
	pf diff --session outside --summary
	out_is "M  one
M  $WORK/elsewhere/deep/old  (risky: it lies outside of the working tree)
A  $WORK/elsewhere/new  (risky: it lies outside of the working tree)"
	pf diff --session outside --json
	equal "$(json "$WORK/out" '[(c["place"], c["path"]) for c in d["changes"]]')" \
		"[(None, 'one'), ('$WORK/elsewhere', 'deep/old'), ('$WORK/elsewhere', 'new')]"
}
renames_are_told() {
	mkdir -p deep/er
	seq 100 >deep/er/file
	seq 200 >deep/other
	seq 50 >moves
	brings 'mv moves "moved away"; mv deep deeper; echo x >deeper/new; mv deeper/other .'
	pf diff
	out_has $'similarity index 100%\nrename from moves\nrename to moved away'
	out_has $'rename from deep/er/file\nrename to deeper/er/file'
	pf diff --summary
	if [[ $ARM == */overlay ]]; then out_has 'R  deep/er/ -> deeper/er/'; else out_has 'R  deep/ -> deeper/'; fi
	equal "$(json <("$PINFOLD" diff --json) '[c["path"] for c in d["changes"] if c["from"] == "moves"]')" "['moved away']"
}

a_session_is_shown_by_its_name() {
	run -q --session work -- sh -c 'echo first >>one'
	run -q --session work -- sh -c 'echo second >>one'
	run -q -- sh -c 'echo third >>one'
	pf diff --session work
	out_has $'+first\n+second'
	out_lacks third
	pf diff
	out_has "+third"
	out_lacks first
	equal "$(json <("$PINFOLD" diff --session work --json) 'd["session"]')" work
}

# More than a pipe takes at once, and less than all that can be held back.
a_reader_that_takes_its_time_keeps_no_command_waiting() {
	run -q --session work -- sh -c 'seq 100000 >numbers'
	mkfifo "$WORK/pipe"
	"$PINFOLD" diff --session work >"$WORK/pipe" &
	at_end "kill -KILL $!"
	exec 8<"$WORK/pipe"
	head -c 10 <&8 >"$WORK/begun"
	run -q --timeout 10 --session work -- cat one
	status_is 0
	cat <&8 >"$WORK/rest"
	equal "$(tail -n 1 "$WORK/rest")" +100000
}

a_patch_that_is_large_keeps_no_command_waiting() {
	run -q --session work -- sh -c 'seq 3000000 >numbers'
	mkfifo "$WORK/pipe"
	"$PINFOLD" diff --session work --set session.diff-max-bytes=100000000 >"$WORK/pipe" &
	at_end "kill -KILL $! 2>/dev/null"
	exec 8<"$WORK/pipe"
	head -c 10 <&8 >"$WORK/begun"
	run -q --timeout 20 --session work -- cat one
	status_is 0
	cat <&8 >"$WORK/rest"
	equal "$(tail -n 1 "$WORK/rest")" +3000000
	nothing_made
}
