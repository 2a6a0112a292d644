# tests/suite/exec.sh - becoming the command: what it keeps, and what is refused for want of somebody beside it.
# arm copytree
# arm landlock

become() { pf exec --arm "$ARM" --view direct "$@"; }

the_command_is_the_caller_itself_and_nobody_is_left_beside_it() {
	cat >look.py <<'END'
import os, sys
parents = open(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read().split()
print(os.getpid(), os.getpgrp(), os.getsid(0), len(parents), os.environ.get("PINFOLD_RUN"), sys.stdin.readline().strip())
sys.exit(47)
END
	status=0
	out=$(echo typed | "$BASH" -c 'echo $$ $(ps -o pgid=,sid= -p $$); exec "$0" exec -q --arm '"$ARM"' --view direct -- /usr/bin/python3 look.py' "$PINFOLD") || status=$?
	status_is 47
	read -r pid group session <<<"${out%%$'\n'*}"
	equal "${out#*$'\n'}" "$pid $group $session 1 None typed"
	become -q -- sh -c 'kill -TERM $$'
	status_is 143
}

becoming_works_in_the_tree_itself_and_hands_over_what_is_named() {
	exec 5<one 6<one
	become -q --keep-fds 5 -- sh -c 'cat <&5; { true <&6; } 2>/dev/null || echo closed; echo two >made; grep NoNewPrivs /proc/self/status'
	out_is "one"$'\n'"closed"$'\n'"NoNewPrivs:	1"
	equal "$(<made)" two
	printf 'echo plain "$@"\n' >plain
	chmod 0755 plain
	become -q --set limits.open-files=66 -- ./plain a 'b c'
	out_is "plain a b c"
	become -q --set limits.open-files=66 --env A=b -- sh -c 'ulimit -n; echo "$A $TMPDIR"'
	out_is "66"$'\n'"b $TMPDIR"
	become -- /no/such/program
	refused E_NOT_FOUND 127
	become -- /etc/passwd
	refused E_NOT_EXECUTABLE 126
	[[ ! -e $HOME/.cache/pinfold/trees ]]
}

what_would_need_somebody_beside_the_command_is_refused_by_name() {
	keep_tree
	local options
	for options in '--timeout 3s' '--set limits.timeout=3s' '--session name' '--where host' '--require process_tree' \
		'--require filesystem' '--view copy' '--view overlay,direct' '--set pinfold.view=' '--events events' \
		"--receipt $WORK/receipt" '--status-fd 2' --denials '--arm namespaces' '--arm jobobject'; do
		become $options -- echo ran
		[[ $status == 125 ]]
		err_has '  try: '
		out_is ""
	done
	pf exec --view direct --set pinfold.arms=namespaces,copytree -- echo ran
	refused E_SANDBOX_DENIED
	err_has "pinfold run"
	mkdir -p "$HOME/.config/pinfold"
	printf '[grant:scratch]\nkind = temporary\n' >"$HOME/.config/pinfold/pinfold.conf"
	become -- echo ran
	refused E_SANDBOX_DENIED
	err_has temporary
	[[ ! -e $WORK/receipt && ! -e events ]]
}

what_becomes_the_command_is_confined_where_the_arm_confines() {
	[[ $ARM == landlock ]] || skip "this arm confines nothing in the tree itself"
	mkdir -p "$HOME/.ssh" "$WORK/home/out"
	echo key >"$HOME/.ssh/id"
	pf exec -q --view direct --require writes,secrets,network -- sh -c 'echo x >made; cat ~/.ssh/id; echo x >~/out/made; ls
		/usr/bin/python3 -c "import socket; socket.socket()" || echo none' 2>/dev/null
	status_is 0
	out_lacks key
	out_has made
	out_has none
	[[ ! -e $HOME/out/made ]]
	pf exec -q --arm landlock --view direct -- sh -c 'chmod 700 one; chmod 700 ~/out; stat -c %a one ~/out' 2>/dev/null
	out_is "$(stat -c %a one "$HOME/out")"
	pf exec --arm landlock --view direct --relax writes:attributes -- chmod 711 one
	status_is 0
	err_has "modes, times and attributes"
	equal "$(stat -c %a one)" 711
}

a_repository_in_the_tree_itself_is_refused_with_each_remedy_once() {
	[[ $ARM == landlock ]] || skip "this arm protects nothing in the tree itself"
	git init -q .
	pf exec --arm landlock --view direct -- echo ran
	refused E_SANDBOX_DENIED
	err_has "$TREE/.git/hooks"
	err_has "$TREE/.git/config"
	equal "$(grep -o 'pinfold run' <<<"$err" | wc -l)" 1
	err_lacks "use the arm namespaces"
	pf exec -q --arm landlock --view direct --set filesystem.tree=readable -- sh -c 'cat one; echo x >new || cat .git/HEAD'
	status_is 0
	out_has one
	out_has ref
	[[ ! -e new ]]
	run -q --arm landlock --view direct -- echo ran
	refused E_SANDBOX_DENIED
	err_has "use the arm namespaces"
}

one_directory_of_a_checkout_is_written_where_it_is_the_tree() {
	[[ $ARM == landlock ]] || skip "other arms write nothing in the tree itself, or all of it"
	git init -q .
	mkdir build
	pf exec -q --arm landlock --view direct --set filesystem.tree=readable --set "filesystem.writable=$TREE/build" -- true
	refused E_POLICY
	err_has "make it the tree with -C"
	pf exec -q -C build --arm landlock --view direct -- sh -c 'cd ..; cat .git/HEAD one; echo x >build/made; echo x >made; echo x >.git/hooks/made'
	out_has ref
	[[ -e build/made && ! -e made && ! -e .git/hooks/made ]]
}

becoming_leaves_no_copy_and_no_terminal_is_taken_away() {
	keep_tree
	pf exec --arm "$ARM" -- echo ran
	refused E_SANDBOX_DENIED
	err_has "--view direct"
	cat >"$WORK/program.py" <<END
import sys
sys.path.insert(0, "$here")
from terminal import *
t = Terminal()
t.line(PINFOLD + " exec -q --arm $ARM --view direct --set pinfold.terminal=none -- echo ra''n")
t.expect("pinfold.terminal")
t.expect("READY>")
t.line(PINFOLD + " exec -q --arm $ARM --view direct -- sh -c 'echo up; read x; echo got \$x'")
t.expect("up\\r?\\n")
t.send("\\x1a")
t.expect("Stopped")
t.line("fg")
t.expect("read x")
t.send("this\\n")
t.expect("got this")
t.alive()
t.close()
END
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$WORK/program.py"
}
