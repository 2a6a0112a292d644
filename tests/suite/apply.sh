# tests/suite/apply.sh - what a command changed comes into the tree, once a person wants it.
# every arm

# Every name with what it is, its mode, its content or target.
picture() { (cd "$1" && find . -printf '%p %y %m %l\n' | sort && find . -type f -exec cksum {} + | sort -k 3); }

# The same with times; those of the last change of an inode nothing can bring back.
times() { picture "$TREE"; find "$TREE" -printf '%p %T+ %n %i\n' | sort; }

what_a_command_did_is_in_the_tree_after_apply() {
	cp -a "$TREE" "$WORK/wanted"
	script='echo two >>one; mkdir -p new/deep; echo x >new/deep/x; rm link; chmod 0600 src/say; ln -s one other'
	(cd "$WORK/wanted" && sh -c "$script")
	run -q -- sh -c "$script"
	status_is 0
	pf apply
	status_is 0
	out_has "changes are in the tree"
	diff <(picture "$WORK/wanted") <(picture "$TREE")
	pf diff --exit-code
	status_is 0
	pf apply
	status_is 0
	out_has "nothing to apply"
	run -q -- sh -c 'grep two one && test -e new/deep/x'
	status_is 0
}

a_conflict_refuses_all_and_a_part_will_do_where_it_is_wanted() {
	run -q -- sh -c 'echo command >one; echo new >new'
	echo mine >one
	keep_tree
	pf apply
	status_is 1
	out_has "changed"
	out_has "nothing was applied"
	same_manifest
	pf apply --dry-run --partial
	status_is 1
	same_manifest
	kept_manifest=
	pf apply --partial
	status_is 1
	equal "$(cat one)" mine
	equal "$(cat new)" new
}

person_adds_to_removed_directories() {	# VIEW
	mkdir -p gone/in turned
	touch gone/1 gone/in/2 turned/3
	run -q --view "$1" --session s -- sh -c 'rm -r gone turned; echo file >turned; echo new >new'
	status_is 0
	mkdir gone/in/own
	echo mine | tee gone/mine gone/in/mine gone/in/own/mine turned/mine >/dev/null
	for again in 1 2 3; do
		pf apply --session s --partial
		status_is 1
		equal "$(find gone turned -type f | sort)" $'gone/in/mine\ngone/in/own/mine\ngone/mine\nturned/mine'
		run -q --session s -- sh -c 'ls gone 2>&1 >/dev/null | wc -l; cat turned'
		out_is $'1\nfile'
	done
	pf discard --session s
	rm -r gone turned new
}
what_a_person_put_into_a_removed_directory_stays() {
	person_adds_to_removed_directories copy
	[[ $ARM != namespaces* ]] || person_adds_to_removed_directories overlay
}

paths_limit_it() {
	run -q -- sh -c 'echo 1 >new; echo 2 >src/new; echo 3 >>one'
	cd src
	pf apply new
	status_is 0
	equal "$(cat new)" 2
	[[ ! -e ../new ]]
	pf apply ../one
	status_is 0
	[[ ! -e ../new ]]
	equal "$(tail -n 1 ../one)" 3
}

what_is_risky_wants_its_name_or_leave() {
	run -q -- sh -c 'echo x >.envrc; mkdir -p .github/workflows .vscode; echo y >.github/workflows/ci.yml; echo z >plain; echo {} >.vscode/tasks.json; ln -s /etc etc'
	pf apply
	status_is 1
	out_has "risky"
	[[ ! -e plain && ! -e .envrc ]]
	pf apply --partial
	status_is 1
	[[ -e plain && ! -e .envrc && ! -e .vscode && ! -L etc ]]
	pf apply .github/workflows .envrc
	status_is 0
	[[ -e .github/workflows/ci.yml && -e .envrc && ! -e .vscode/tasks.json ]]
	pf apply --allow-risky
	status_is 0
	[[ -e .vscode/tasks.json && -L etc ]]
}

a_session_is_applied_by_its_name() {
	run -q --session fix -- sh -c 'echo 1 >a'
	run -q --session fix -- sh -c 'cat a && echo 2 >b'
	status_is 0
	pf apply
	status_is 125
	err_has E_SESSION
	pf apply --session fix
	status_is 0
	equal "$(cat a b)" "1
2"
	run -q --session fix -- sh -c 'test -e b && echo 3 >>b'
	status_is 0
	echo more >>a
	run -q --session fix -- grep -q more a
	status_is 0
	pf apply --session fix
	status_is 0
	equal "$(cat b)" "2
3"
}

what_was_applied_changes_with_the_tree_from_then_on() {
	run -q --session fix -- sh -c 'echo 1 >a; echo 1 >b'
	pf apply --session fix a
	status_is 0
	echo mine >a
	pf diff --session fix --name-only
	out_is b
	run -q --session fix -- sh -c 'cat a; echo 2 >b'
	out_is mine
	pf apply --session fix
	status_is 0
	equal "$(cat a b)" "mine
2"
	run -q -- sh -c 'echo 1 >c'
	pf apply
	echo mine >c
	pf diff --exit-code
	status_is 0
}

the_result_is_told_to_programs() {
	run -q -- sh -c 'echo 1 >new; echo x >.envrc; mkfifo fifo; echo 2 >one'
	echo mine >one
	pf apply --json
	status_is 1
	equal "$(json "$WORK/out" 'd["done"], d["applied"], d["conflicts"], d["risky"], d["never"]')" "False 1 1 1 1"
	equal "$(json "$WORK/out" '[(c["path"], c["state"]) for c in d["changes"]]')" \
		"[('.envrc', 'risky'), ('fifo', 'special'), ('new', 'ready'), ('one', 'changed')]"
	pf apply --json --partial --allow-risky
	status_is 1
	equal "$(json "$WORK/out" 'd["done"], d["applied"], d["conflicts"], d["risky"], d["never"]')" "True 2 1 0 1"
	equal "$(json "$WORK/out" '[c["state"] for c in d["changes"]]')" "['applied', 'special', 'applied', 'changed']"
	[[ ! -e fifo ]]
	pf apply --session none --json
	status_is 125
	equal "$(json "$WORK/err" 'd["error"]["code"]')" E_SESSION
}

# typed LETTERS ARGUMENT…: apply --interactive, with a line for each letter typed on a terminal.
typed() {
	local letters=$1
	shift
	command -v script >/dev/null || skip "script is missing"
	sed 's/./&\n/g' <<<"$letters" | tr -d ' ' | sed '/^$/d' >"$WORK/typed"
	status=0
	python3 - "$PINFOLD" "$WORK/typed" "$@" >"$WORK/out" 2>"$WORK/err" <<-'END' || status=$?
		import os, pty, sys, select
		pid, fd = pty.fork()
		if pid == 0:
		    os.execv(sys.argv[1], [sys.argv[1], "apply", "--interactive"] + sys.argv[3:])
		answers = open(sys.argv[2]).read().split()
		seen = b""
		while True:
		    try:
		        data = os.read(fd, 4096)
		    except OSError:
		        break
		    if not data:
		        break
		    seen += data
		    os.write(1, data)
		    while seen.count(b"[y,n,a,d,q,p,?] ") > 0 and answers:
		        seen = seen.split(b"[y,n,a,d,q,p,?] ", 1)[1]
		        os.write(fd, (answers.pop(0) + "\n").encode())
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
	show
}

a_person_is_asked_file_by_file() {
	run -q -- sh -c 'echo 1 >a; echo 2 >b; echo three >c; echo x >.envrc'
	typed 'n y p n y'
	status_is 0
	out_has "risky: "
	[[ -e a && ! -e b && -e c && ! -e .envrc ]]
	typed 'y q'
	[[ ! -e b && ! -e .envrc ]]
	typed 'y a'
	[[ -e b && -e .envrc ]]
	pf apply --interactive
	status_is 125
}

objects_of_git_are_one_question() {
	command -v git >/dev/null || skip "git is missing"
	git init -q .
	git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first
	run -q -- sh -c 'git add -A && git -c user.name=a -c user.email=a@b commit -qm second; echo 1 >plain'
	status_is 0
	typed 'q'
	never git cat-file -e HEAD:one
	typed 'y y y y y y y y y y y y'
	status_is 0
	equal "$(grep -o 'more of git.s objects?' "$WORK/out" | wc -l)" 1
	never grep -q 'apply added .git/objects/[^?]*? ' <(grep -v "more of git" "$WORK/out")
	git fsck --strict
	equal "$(git show HEAD:one)" one
}

# access FILE NAME [USERS]: gives it a list of NAME (access, default) in which further users may write and others
# nothing. lists FILE: those that it has.
access() {
	python3 - "$@" <<-'END'
		import os, struct, sys
		none, users = 0xffffffff, int(sys.argv[3]) if len(sys.argv) > 3 else 1
		entries = [(1, 7, none)] + [(2, 6, 2000 + i) for i in range(users)] + [(4, 5, none), (16, 7, none), (32, 0, none)]
		data = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
		os.setxattr(sys.argv[1], "system.posix_acl_" + sys.argv[2], data)
	END
}
lists() { python3 -c 'import os, sys; print([(n, os.getxattr(sys.argv[1], n).hex()) for n in sorted(os.listxattr(sys.argv[1])) if "acl" in n])' "$1"; }

what_comes_gets_the_access_lists_of_its_directory() {
	mkdir d
	access d default 2>/dev/null || skip "the file system has no access lists"
	(umask 0; mkdir d/own d/own/in; (umask 0133; : >d/own/file))
	run -q --session s -- sh -c 'mkdir -p d/made/in; echo 1 >d/made/file; chmod 755 d/made d/made/in; chmod 644 d/made/file d/made/file'
	pf apply --session s
	status_is 0
	for name in made made/in made/file; do
		equal "$(stat -c %A "d/$name" | cut -c 8-)" ---
		lists "d/$name" | grep -q posix_acl_access
	done
	lists d/made/in | grep -q posix_acl_default
	equal "$(stat -c %a d/made/file)" 640
	pf diff --session s --exit-code
	status_is 0
}

an_access_list_of_any_length_stays_on_what_is_replaced() {
	as_root_only
	mkdir mounted
	mount -t tmpfs tmpfs mounted || skip "no file system can be mounted"
	at_end "umount '$TREE/mounted'"
	allowed_mount=$TREE/mounted
	mkdir mounted/tree
	cd mounted/tree
	echo before >file
	access file access 3000 2>/dev/null || skip "a tmpfs has no access lists"
	lists file >"$WORK/lists"
	run -q -- sh -c 'echo after >file'
	status_is 0
	pf apply
	status_is 0
	equal "$(cat file)" after
	diff "$WORK/lists" <(lists file)
	cd "$TREE"
}

an_apply_that_was_killed_is_taken_back_by_whoever_comes_next() {
	command -v strace >/dev/null || skip "strace is missing"
	not_sanitized "ptrace"
	local verb before
	before=$(times)
	for verb in "run -q -- true" "diff --summary" "run -q --session other -- true"; do
		run -q -- sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo new >f$i; done; echo changed >one; rm link'
		strace -o "$WORK/trace" -e trace=renameat2 -e inject=renameat2:signal=KILL:when=5 "$PINFOLD" apply 2>/dev/null >&2 || :
		[[ $(find . -name '.pinfold-*') ]]
		pf $verb
		status_is 0
		diff <(echo "$before") <(times)
	done
}

what_is_marked_as_not_to_be_changed_is_refused_with_how_to_see_and_lift_that() {
	local mark place
	chattr +i src 2>/dev/null && chattr -i src || skip "nobody can mark a file here: it needs root, and a file system with marks"
	echo old >src/file
	at_end "chattr -ia '$TREE/src' '$TREE/src/file'"
	for mark in i a; do
		for place in src src/file; do
			run -q -- sh -c "echo new >src/file; rm src/say; echo $mark >>one"
			times >"$WORK/before"
			chattr "+$mark" "$place"
			pf apply
			status_is 125
			err_has "lsattr"
			err_has "chattr -i or -a"
			chattr "-$mark" "$place"
			pf diff --exit-code >/dev/null	# which takes back what could not be
			diff "$WORK/before" <(times)
		done
	done
	pf apply
	status_is 0
	[[ ! -e src/say ]]
	equal "$(cat src/file)" new
}

# killed_at NUMBER: an apply of the session s, at its so manieth exchange or rename.
killed_at() {
	strace -o "$WORK/trace" -e trace=renameat2 -e inject=renameat2:signal=KILL:when="$1" \
		"$PINFOLD" apply --session s 2>/dev/null >&2 || :
	[[ $(find . -name '.pinfold-*') ]]
}

an_apply_that_was_killed_and_taken_back_is_done_by_the_next() {
	command -v strace >/dev/null || skip "strace is missing"
	not_sanitized "ptrace"
	local when view= views=("")
	[[ $ARM != namespaces ]] || views=("--view copy" "--view overlay")
	for view in "${views[@]}"; do
		for when in 1 3 6; do
			mkdir gone
			touch gone/{1..4}
			head -c 1500000 /dev/zero >large
			sleep 0.1
			run -q $view --session s -- sh -c 'rm -r gone; echo small >large; chmod 600 one'
			status_is 0
			killed_at "$when"
			pf apply --session s
			status_is 0
			[[ ! -e gone && $(stat -c %a one) == 600 ]]
			equal "$(cat large)" small
			pf discard --session s
			chmod 644 one
		done
	done
}

what_a_person_changes_after_an_apply_was_taken_back_is_a_conflict() {
	command -v strace >/dev/null || skip "strace is missing"
	not_sanitized "ptrace"
	local view=
	[[ $ARM != namespaces ]] || view="--view overlay"
	mkdir gone
	touch gone/{1..4}
	sleep 0.1
	run -q $view --session s -- rm -r gone
	killed_at 3
	pf diff --session s
	cp -p gone/2 "$WORK/times"
	echo mine >gone/2
	touch -r "$WORK/times" gone/2
	pf apply --session s
	status_is 1
	out_has "gone/2"
	equal "$(cat gone/2)" mine
}

bits_of_privilege_are_told_and_stay_behind() {
	run -q -- sh -c 'chmod u+s,o-r one; chmod g+s src/say; echo x >made; chmod 4755 made'
	status_is 0
	pf diff --summary
	out_has "one  (mode 0644 to 4640)  (without the set-user-ID or set-group-ID bit that the command set)"
	out_has "src/say  (mode 0755 to 2755)  (never applied: set-user-ID"
	out_has "made  (without the set-user-ID"
	pf diff
	out_has "# never applied: src/say: set-user-ID"
	out_has "# applied: made: without the set-user-ID"
	pf apply --dry-run
	status_is 0
	out_has "2 changes can be applied"
	pf apply
	status_is 0
	out_has "set-id "
	out_has "2 changes are in the tree"
	equal "$(stat -c %a one src/say made)" $'640\n755\n755'
	pf apply --json
	status_is 0
	equal "$(json "$WORK/out" 'd["never"], sorted((c["path"], c["state"]) for c in d["changes"])')" \
		"2 [('made', 'set-id'), ('one', 'same'), ('src/say', 'set-id')]"
}

a_rename_is_told_with_both_names() {
	run -q -- mv one two
	pf apply --dry-run
	status_is 0
	out_has "one -> two"
}

what_was_done_is_said_where_the_report_of_it_is_lost() {
	run -q -- sh -c 'echo changed >one'
	status=0
	"$PINFOLD" apply >/dev/full 2>"$WORK/err" || status=$?
	: >"$WORK/out"
	show
	status_is 0
	err_has "what was asked for is done"
	equal "$(cat one)" changed
	status=0
	"$PINFOLD" probe >/dev/full 2>"$WORK/err" || status=$?
	show
	status_is 125
	err_has "the document is not complete"
}

a_session_can_be_looked_at_after_an_apply_took_the_tree_past_the_budget() {
	run -q --session s -- sh -c 'i=0; while [ $i -lt 300 ]; do mkdir d && cd d || exit 1; i=$((i + 1)); done'
	status_is 0
	pf apply --session s d
	status_is 0
	pf diff --session s --exit-code
	status_is 0
	run -q --session s --view copy -- true
	status_is 125
	err_has E_BUDGET
}

a_mistyped_path_is_an_error_and_one_without_changes_is_none() {
	run -q --session s -- sh -c 'echo two >>one; mkdir new; echo x >new/x; mv src moved'
	local verb
	for verb in diff apply discard; do
		pf $verb --session s -- on
		refused E_USAGE
		err_has "$TREE/on"
		pf $verb --session s -- one/below
		refused E_USAGE
		pf $verb --session s -- link
		status_is 0
	done
	pf diff --session s --name-only -- new/x src moved
	status_is 0
	out_has "new/x"
}

# In the copy that is one file system; in the tree no rename and no link leads across.
what_moved_to_or_from_what_is_mounted_in_the_tree_is_applied() {
	as_root_only
	mkdir mounted directory
	mount -t tmpfs tmpfs mounted || skip "no file system can be mounted"
	at_end "umount '$TREE/mounted'"
	allowed_mount=$TREE/mounted
	echo from >mounted/from
	echo to >to
	echo linked >linked
	echo in >directory/in
	run -q --session s --view copy -- sh -c 'mv mounted/from here; mv to mounted; ln linked mounted/linked; mv directory mounted/moved'
	status_is 0
	pf apply --session s
	status_is 0
	equal "$(cat here mounted/{to,linked,moved/in})" $'from\nto\nlinked\nin'
	[[ ! -e mounted/from && ! -e to && ! -e directory ]]
	pf diff --session s --name-only
	out_is ""
}
