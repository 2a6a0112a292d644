# tests/suite/policy.sh - constructs of a policy, as a command meets them.
# arm namespaces

# A place beside the tree, with something in it.
make_place() {
	place=$HOME/place
	mkdir -p "$place/in"
	echo content >"$place/file"
	echo content >"$place/in/file"
	printf '#!/bin/sh\necho ran\n' >"$place/program"
	chmod 0755 "$place/program"
}

only_what_is_readable_can_be_read_and_programs_still_run() {
	make_place
	run -q --set filesystem.readable="/usr, /etc, $place/in" -- cat "$place/in/file"
	out_is content
	run -q --set filesystem.readable="/usr, /etc, $place/in" -- cat "$place/file"
	[[ $status != 0 ]]
	run -q --set filesystem.readable="/usr, /etc" -- sh -c 'echo new >made && cat made && ls /home /root 2>/dev/null | wc -l'
	[[ $out == new* ]]
}

nothing_readable_that_exists_is_an_error_and_not_everything() {
	run --set filesystem.readable=-/no/such/place -- true
	refused E_POLICY 125
	run --set filesystem.readable= -- true
	refused E_POLICY 125
	run --set filesystem.executable= -- true
	refused E_POLICY 125
}

only_what_is_executable_can_be_executed_the_tree_included() {
	make_place
	run -q --set filesystem.executable=/usr -- "$place/program"
	[[ $status == 126 ]]
	run -q --set filesystem.executable="/usr, $place" -- "$place/program"
	out_is ran
	run -q --set filesystem.executable=/usr -- sh -c 'cp /bin/true mine && ./mine'
	[[ $status == 126 ]]
}

what_is_protected_cannot_be_written_replaced_or_moved_away() {
	make_place
	run -q --set filesystem.writable="$place" --set filesystem.protected="$place/in" -- sh -c \
		"echo x >>$place/file; echo x >>$place/in/file; mv $place/in $place/gone; rm -r $place/in; true"
	equal "$(cat "$place/in/file")" content
	equal "$(wc -l <"$place/file")" 2
}

more_paths_than_a_program_may_have_descriptors_are_laid_and_the_command_keeps_its_limit() {
	mkdir "$HOME/many"
	touch "$HOME/many"/{1..400}
	{ echo '[filesystem]'; printf "writable = $HOME/many/%d\n" {1..400}; } >"$HOME/policy"
	(($(ulimit -Hn) == 256)) || ulimit -Sn 256
	run -q --config "$HOME/policy" -- sh -c "ulimit -Sn; for i in \$(seq 1 400); do echo \$i >$HOME/many/\$i || exit; done"
	status_is 0
	out_is 256
	equal "$(cat "$HOME/many/400")" 400
}

# A policy by chance of what lies in a place: $HOME/policy. Nothing is opened below what is hidden, which is refused.
make_chance_policy() {	# SEED
	local path words=(protected executable hidden)
	RANDOM=$1
	{
		echo '[filesystem]'
		echo 'executable = /usr, /bin, /lib, /lib64'
		for path in "$HOME"/chance/*; do
			! ((RANDOM % 2)) || echo "writable = $path"
		done
		for path in "$HOME"/chance/*/* "$HOME"/chance/*/*/*; do
			! ((RANDOM % 2)) || [[ $path == *hidden* ]] || echo "${words[RANDOM % 2]} = $path"
		done
		for path in "$HOME"/chance/*/*/hidden*; do
			! ((RANDOM % 2)) || echo "hidden = $path"
		done
	} >"$HOME/policy"
}

# What can be done with all that lies in a place, in the same words whatever it is.
tell_all='find "$HOME/chance" | sort | while read -r path; do
	printf "%s:" "${path#$HOME}"
	test ! -f "$path" || { test -s "$path" && printf " read"; (: >>"$path") 2>/dev/null && printf " write"; "$path" 2>/dev/null; }
	test ! -d "$path" || { (: >"$path/new") 2>/dev/null && printf " make" && rm "$path/new"; }
	mv "$path" "$path.moved" 2>/dev/null && mv "$path.moved" "$path" && printf " move"
	echo
done'

what_lies_on_itself_is_the_same_whether_it_was_taken_ahead_or_in_its_turn() {
	local seed path name word ahead all=
	mkdir -p "$HOME"/chance/{a,b,c}/{d,e,f}
	find "$HOME/chance" -mindepth 1 -type d | while read -r path; do
		for name in program one hidden; do
			printf '#!/bin/sh\nprintf " run"\n' >"$path/$name"
			chmod 0755 "$path/$name"
		done
	done
	for seed in {1..6}; do
		make_chance_policy "$seed"
		run -q --config "$HOME/policy" -- sh -c "$tell_all"
		status_is 0
		ahead=$out
		(ulimit -n 72 && exec "$PINFOLD" run -q --arm namespaces --config "$HOME/policy" -- sh -c "$tell_all") >"$WORK/out"
		equal "$(cat "$WORK/out")" "$ahead"
		all+=$ahead
	done
	for word in read write run make move; do [[ $all == *" $word"* ]]; done
}

what_is_protected_and_missing_is_a_gap_that_relax_names_alone() {
	make_place
	run --set filesystem.writable="$place" --set filesystem.protected="$place/none, $place/other" -- true
	refused E_SANDBOX_DENIED 125
	err_has "protected $place/none"
	err_has "protected $place/other"
	run --set filesystem.writable="$place" --set filesystem.protected="$place/none, $place/other" \
		--relax "writes:$place/none" -- true
	refused E_SANDBOX_DENIED 125
	err_has "protected $place/other"
	err_lacks "protected $place/none "
	run --set filesystem.writable="$place" --set filesystem.protected="$place/none" \
		--relax "writes:$place/none" --receipt receipt -- true
	status_is 0
	err_has "to have it enforced"
	grep -q '"lift"' receipt
}

the_hard_tier_beats_every_allowance_and_no_relaxation_names_it() {
	make_place
	mkdir -p "$HOME/.ssh" "$HOME/.local/share"
	echo secret >"$HOME/.ssh/key"
	run -q --set pinfold.preset= --set filesystem.readable="/usr, /etc, $HOME" -- cat "$HOME/.ssh/key"
	[[ $status != 0 && $out != *secret* ]]
	run --set filesystem.writable="$HOME/.ssh" -- true
	refused E_POLICY 125
	err_has "no allowance beats"
	run -q --set filesystem.writable="$HOME/.local" --relax writes -- true
	refused E_SANDBOX_DENIED 125
	err_lacks "--relax writes:"
}

git_hooks_are_protected_where_the_tree_itself_is_shown_and_writable_in_a_copy() {
	git init -q . && mkdir -p .git/hooks
	run -q --view direct --set filesystem.writable= -- sh -c 'echo x >.git/hooks/pre-commit; echo x >.git/config'
	[[ ! -s .git/hooks/pre-commit ]]
	grep -q core .git/config
	run -q --view copy -- sh -c 'echo x >.git/hooks/pre-commit'
	status_is 0
}

a_tree_that_is_readable_is_not_written() {
	run -q --set filesystem.tree=readable -- sh -c 'echo x >made'
	[[ $status != 0 ]]
	run -q --set filesystem.tree=readable -- sh -c 'cat one >/dev/null && echo x >"$TMPDIR/made"'
	status_is 0
}

a_class_of_system_calls_is_refused_or_allowed_by_name() {
	local script='import ctypes,sys; l=ctypes.CDLL(None,use_errno=True); sys.exit(0 if l.ptrace(0,0,0,0)==0 else 3)'
	run -q -- python3 -c "$script"
	status_is 0
	run -q --set kernel.refuse=debug -- python3 -c "$script"
	status_is 3
	run -q --set kernel.refuse=debug --set kernel.allow=debug -- python3 -c "$script"
	status_is 3
}

only_named_ports_can_be_reached_and_nothing_but_tcp() {
	local port other server
	exec {server}< <(exec python3 -c '
import socket, sys, time
a, b = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
print(a.getsockname()[1], b.getsockname()[1], flush=True)
time.sleep(40)')
	read -r port other <&"$server"
	local script='
import socket, sys
def tries(call):
    try:
        call()
        return "yes"
    except OSError:
        return "no"
print(*[tries(lambda: socket.create_connection(("127.0.0.1", int(p)), 5)) for p in sys.argv[1:]],
      tries(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)),
      tries(lambda: socket.socket(socket.AF_INET).listen(1)))'
	run -q --set network.mode=ports --set network.connect="$port" -- python3 -c "$script" "$port" "$other"
	out_is "yes no no no"
}

a_socket_is_reached_by_its_path_and_its_neighbour_is_not() {
	local server
	mkdir -p "$HOME/s"
	exec {server}< <(cd "$HOME/s" && exec python3 -c '
import socket, time
a, b = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
a.bind("one"); a.listen(); b.bind("two"); b.listen()
print("up", flush=True)
time.sleep(40)')
	read -r _ <&"$server"
	run -q --set network.sockets="$HOME/s/one" -- python3 -c '
import os, socket
def tries(name):
    os.chdir(os.path.dirname(name))
    try:
        socket.socket(socket.AF_UNIX).connect(os.path.basename(name))
        return "yes"
    except OSError:
        return "no"
print(tries("'"$HOME"'/s/one"))'
	out_is yes
}

patterns_mean_what_matches_and_are_bounded() {
	make_place
	mkdir -p "$place/a/b/c"
	echo secret >"$place/a/b/c/x.key"
	run -q --set filesystem.hidden="$HOME/pl?ce/**/*.key" -- cat "$place/a/b/c/x.key"
	[[ $out != *secret* ]]
	run --set filesystem.hidden='/**/*.key' -- true
	[[ $status != 0 ]] || skip "of this machine the user sees fewer names than are walked for a pattern"
	refused E_POLICY 125
	err_has '/**/*.key'
}

a_hidden_pattern_holds_in_a_tree_of_many_files() {
	/usr/bin/python3 -c '
import os
for i in range(400):
    os.makedirs(f"many/{i}/.deep/er")
    for j in range(40):
        open(f"many/{i}/.deep/er/{j}.c", "w").write("plain")
    open(f"many/{i}/.pem", "w").write("secret")
    open(f"many/{i}/.deep/er/key.pem", "w").write("secret")
os.makedirs("many/7/all.pem/in")
open("many/7/all.pem/in/file", "w").write("secret")
open("top.pem", "w").write("secret")
os.symlink("key.pem", "many/9/.deep/er/link")'
	quick 20 run -q --set "filesystem.hidden=$TREE/**/*.pem" -- sh -c 'grep -rl secret . | wc -l
		find . -name "*.pem" -type f -size +0 | wc -l; grep -rl plain many | wc -l; test ! -e many/7/all.pem/in && cat many/9/.deep/er/link
		echo new >other && cat other'
	status_is 0
	out_is "$(printf '0\n0\n16000\nnew')"
	[[ $(cat top.pem) == secret && $(cat many/7/all.pem/in/file) == secret ]]
}

a_pattern_that_takes_too_long_or_matches_too_much_is_refused_in_a_moment() {
	local directory=$HOME/chain i
	for i in {1..60}; do
		directory=$directory/d
		mkdir -p "$directory"
		touch "$directory"/{1..20}
	done
	quick 10 run --set "filesystem.hidden=$HOME/chain/**/*/**/*/**/*.pem" -- touch ran
	refused E_POLICY 125
	err_has '/chain/**/*/**/*/**/*.pem: looking for what it matches takes too long'
	mkdir "$HOME/wide"
	(cd "$HOME/wide" && seq -f '%g.pem' 10001 | xargs touch)
	quick 10 run --set "filesystem.hidden=$HOME/wide/**/*.pem" -- touch ran
	refused E_POLICY 125
	err_has "it matches too many paths"
}

a_copy_that_could_only_be_read_is_not_looked_at_by_the_next_run() {
	local i entries walked=()
	entries=$(find . -mindepth 1 | wc -l)
	sleep 0.1
	for i in {1..3}; do
		run -q --set filesystem.tree=readable --receipt "$WORK/receipt" -- sh -c 'cat one; echo x >one; touch made' 2>&1
		walked+=("$(json "$WORK/receipt" 'd["view"]["work"]["walked"]')")
		sleep 0.1
	done
	equal "${walked[*]}" "$entries $((2 * entries)) $entries"
	run -q -- sh -c 'echo changed >one; touch made; cat one'
	out_is changed
	run -q --receipt "$WORK/receipt" -- sh -c 'cat one; test ! -e made'
	status_is 0
	equal "$out" "$(cat one)"
	(($(json "$WORK/receipt" 'd["view"]["work"]["walked"]') >= 2 * entries))
}

presets_with_versions_are_found_with_and_without_them() {
	run -q --set pinfold.preset=minimal -- sh -c 'echo ran'
	out_is ran
	run -q --preset agent-workspace@1 -- sh -c 'echo x >made && echo ran'
	out_is ran
	run -q --preset agent-readonly -- sh -c 'echo x >made'
	[[ $status != 0 ]]
	run -q --preset build@1 -- true
	status_is 0
	run --preset build@9 -- true
	[[ $status == 125 ]]
	err_has build@9
}

explain_tells_what_holds_each_construct() {
	make_place
	pf explain --json --set filesystem.readable="/usr, /etc, $place" -- true
	status_is 0
	out_has '"constructs"'
	out_has "readable $place"
	out_has 'shown in a root that has nothing else'
	pf explain --set filesystem.writable="$place" --set filesystem.protected="$place/none" -- true
	out_has "gap"
	out_has "protected $place/none"
}

# The same with the tree and the home there.
below_too() {	# PLACE
	local view
	mkdir -m 0700 -p "$1"/{tree,home/.cache} "$WORK/scratch"
	echo host >"$1/home/.cache/file"
	for view in copy overlay; do
		HOME=$1/home run -q -C "$1/tree" --set "filesystem.scratch=$WORK/scratch" --view "$view" --session "$view" -- \
			sh -c 'cat ~/.cache/file && echo inside >~/.cache/file && echo made >made'
		status_is 0
		out_is host
		HOME=$1/home run -q -C "$1/tree" --set "filesystem.scratch=$WORK/scratch" --session "$view" -- sh -c 'cat ~/.cache/file made'
		out_is $'inside\nmade'
		HOME=$1/home run -q -C "$1/tree" --set "filesystem.scratch=$WORK/scratch" --view "$view" -- sh -c 'cat ~/.cache/file; echo >>~/.cache/file; ls'
		status_is 0
		out_is host
	done
	equal "$(<"$1/home/.cache/file")" host
}

# Wherever the arm lays something of its own, what the policy names below it comes out of the host's.
places_below_what_is_laid_anew_are_layered_or_written_like_any_other() {
	local base place
	for base in /dev/shm /tmp /var/tmp /run "$HOME"; do
		place=$(mktemp -d -p "$base" pinfold-place-XXXXXX 2>/dev/null) || continue
		at_end "rm -rf '$place'"
		echo host >"$place/file"
		run -q --set "filesystem.layered=$place" -- sh -c "cat '$place/file' && echo inside >'$place/file' && echo new >'$place/new' && cat '$place'/*"
		status_is 0
		out_is $'host\ninside\nnew'
		equal "$(cat "$place"/*)" host
		run -q --session "s${place##*-}" --set "filesystem.layered=$place" -- sh -c "echo inside >'$place/file'"
		status_is 0
		run -q --session "s${place##*-}" --set "filesystem.layered=$place" -- cat "$place/file"
		out_is inside
		run -q --set "filesystem.writable=$place" -- sh -c "cat '$place/file' && echo new >'$place/new'"
		status_is 0
		equal "$(cat "$place"/*)" $'host\nnew'
		below_too "$place"
		rm -rf "$place"
	done
	run --set "filesystem.layered=/proc/sys" -- true
	refused E_POLICY
	err_has "/proc/sys"
}
