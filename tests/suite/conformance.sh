# tests/suite/conformance.sh - both views keep the same promise: the same cases, with the same outcome.
# arm namespaces

# NAME, what is in the tree beside one, src/say and link, what the command does, and what it says.
cases=(
	create '' 'echo x >new; mkdir -p d/e/f; echo y >d/e/f/g; cat new d/e/f/g; ls' $'x\ny\nd\nlink\nnew\none\nsrc'
	modify '' 'echo two >one; cat one' two
	append '' 'echo two >>one; cat one; stat -c %s one' $'one\ntwo\n8'
	truncate '' ': >one; stat -c %s one; echo x >one; cat one' $'0\nx'
	remove '' 'rm one; ls; cat one 2>/dev/null || echo gone' $'link\nsrc\ngone'
	remove_and_make_again '' 'rm one; echo new >one; cat one; rm one; ls' $'new\nlink\nsrc'
	rename '' 'mv one two; ls; cat two; mv two three; mv three one; cat one' $'link\nsrc\ntwo\none\none'
	rename_over 'echo old >two' 'mv one two; cat two; ls' $'one\nlink\nsrc\ntwo'
	rename_over_what_is_new '' 'echo new >two; mv -f two one; cat one; ls' $'new\nlink\none\nsrc'
	save_as_editors_do '' 'cp -p one .one.swp; echo more >>.one.swp; mv .one.swp one; cat one; ls -A' $'one\nmore\nlink\none\nsrc'
	change_modes 'mkdir -m 0755 d' 'chmod 0640 one; chmod 0711 d; chmod 2750 src; stat -c %a one d src; cat one' $'640\n711\n2750\none'
	a_file_without_permissions '' 'chmod 0 one; stat -c %a one; rm -f one; ls' $'0\nlink\nsrc'
	a_closed_directory 'mkdir d; echo x >d/f' 'chmod 0500 d; touch d/new 2>/dev/null || echo closed; chmod 0700 d; touch d/new; ls d' $'closed\nf\nnew'
	symbolic_links '' 'ln -s one to; ln -sfn src link; readlink to link; cat to; rm to; ln -s /no/where to; readlink to' $'one\nsrc\none\n/no/where'
	hard_links '' 'ln one two; echo x >>two; cat one; stat -c %h one two; rm one; cat two; stat -c %h two' $'one\nx\n2\n2\none\nx\n1'
	hard_links_of_the_tree 'echo a >a; ln a b' 'stat -c %h a b; echo x >>a; cat b' $'2\n2\na\nx'
	file_becomes_directory '' 'rm one; mkdir one; echo x >one/in; cat one/in; ls' $'x\nlink\none\nsrc'
	directory_becomes_file '' 'rm -r src; echo x >src; cat src; cat link 2>/dev/null || echo no' $'x\nno'
	directory_becomes_link 'mkdir d e; echo x >e/f' 'rm -r d; ln -s e d; cat d/f' x
	a_new_directory_in_place_of_one_shows_nothing_of_it 'mkdir -p d/in; echo x >d/f; echo y >d/in/g' 'rm -r d; mkdir d; ls -A d; mkdir d/in; ls -A d/in; touch d/f; cat d/f; find d | sort' $'d\nd/f\nd/in'
	rename_a_new_directory '' 'mkdir -p d/e; echo x >d/e/f; mv d g; cat g/e/f; ls; python3 -c "import os; os.rename(\"g\", \"h\")"; ls' $'x\ng\nlink\none\nsrc\nh\nlink\none\nsrc'
	move_a_directory_of_the_tree 'mkdir -p d/e; echo x >d/e/f' 'mv d g; cat g/e/f; ls; rm -r g; ls' $'x\ng\nlink\none\nsrc\nlink\none\nsrc'
	rename_a_directory_of_the_tree 'mkdir d' 'python3 -c "import os; os.rename(\"d\", \"e\")" 2>&1 | grep -o "cross-device"; ls -d e 2>/dev/null; :' e
	move_into_a_directory_and_out 'mkdir -p d/e; echo x >d/e/f' 'mv d/e/f .; mv one d/e; ls d/e .; cat f d/e/one' $'.:\nd\nf\nlink\nsrc\n\nd/e:\none\nx\none'
	times_are_kept_and_can_be_set 'touch -d "2001-02-03 04:05:06.123456789" one' 'stat -c %y one | cut -c 1-29; chmod 0600 one; stat -c %y one | cut -c 1-29; touch -d "2002-01-01 00:00:00.5" one; stat -c %y one | cut -c 1-29' $'2001-02-03 04:05:06.123456789\n2001-02-03 04:05:06.123456789\n2002-01-01 00:00:00.500000000'
	attributes 'setattr one user.a b' 'python3 -c "
import os
print(os.getxattr(\"one\", \"user.a\"))
os.setxattr(\"one\", \"user.c\", b\"d\"); os.removexattr(\"one\", \"user.a\")
print(os.listxattr(\"one\"))
os.setxattr(\"src\", \"user.e\", b\"f\"); print(os.listxattr(\"src\"))"' $'b\'b\'\n[\'user.c\']\n[\'user.e\']'
	sparse_files 'truncate -s 64M hole; printf x >>hole' 'printf y >>hole; stat -c %s hole; test $(stat -c %b hole) -lt 2000 && echo sparse; truncate -s 32M new; stat -c %s new' $'67108866\nsparse\n33554432'
	large_files 'head -c 5000000 /dev/zero >big' 'printf x >>big; stat -c %s big; dd if=/dev/zero of=big bs=1 seek=10 count=1 conv=notrunc 2>/dev/null; stat -c %s big; cp big copy; cmp big copy && echo same' $'5000001\n5000001\nsame'
	a_memory_map '' 'python3 -c "
import mmap
with open(\"one\", \"r+b\") as file:
    map = mmap.mmap(file.fileno(), 0); map[0:3] = b\"two\"; print(open(\"one\").read(), end=\"\"); map.flush()
print(open(\"one\").read(), end=\"\")"; cat one' $'two\ntwo\ntwo'
	what_is_open_follows '' 'python3 -c "
early = open(\"one\")
open(\"one\", \"a\").write(\"two\\n\")
late = open(\"one\", \"r+\"); print(late.read(), end=\"\"); late.write(\"three\\n\"); late.flush()
print(open(\"one\").read().count(\"\\n\"))"' $'one\ntwo\n3'
	locks '' 'python3 -c "
import fcntl, os, subprocess
file = open(\"one\", \"r+\"); fcntl.flock(file, fcntl.LOCK_EX); fcntl.lockf(file, fcntl.LOCK_EX)
print(subprocess.call([\"flock\", \"-n\", \"one\", \"true\"]))
fcntl.flock(file, fcntl.LOCK_UN)
print(subprocess.call([\"flock\", \"-n\", \"one\", \"true\"]))"' $'1\n0'
	files_without_a_name '' 'python3 -c "
import os
fd = os.open(\".\", os.O_TMPFILE | os.O_RDWR, 0o600); os.write(fd, b\"x\\n\")
os.link(f\"/proc/self/fd/{fd}\", \"named\", src_dir_fd=fd)"; cat named; ls' $'x\nlink\nnamed\none\nsrc'
	pipes_and_sockets '' 'mkfifo p; (echo through >p &); cat p; python3 -c "
import socket
s = socket.socket(socket.AF_UNIX); s.bind(\"s\"); s.listen(); c = socket.socket(socket.AF_UNIX); c.connect(\"s\"); print(\"connected\")"; stat -c %F p s' $'through\nconnected\nfifo\nsocket'
	many_files 'mkdir d; touch d/{1..300}' 'rm d/1*; touch d/new1 d/new2; ls d | wc -l; rm -r d; mkdir d; touch d/{a,b}; ls d | wc -l; for i in $(seq 200); do echo $i >n$i; done; ls | grep -c "^n"' $'191\n2\n200'
	names_of_every_kind $'touch $\'new\\nline\' $\'\\xff\\xfe\' " " -- "-rf" "*"' 'ls -A | wc -l; rm -- "*" "-rf"; mv " " "  "; ls -A | wc -l' $'9\n7'
	programs_run_from_the_tree '' './src/say here; ./link there; printf "#!/bin/sh\necho made\n" >run; chmod +x run; ./run; cp src/say say2; ./say2 copied' $'here\nthere\nmade\ncopied'
	modes_that_are_inherited 'mkdir d' 'chmod g+s d; mkdir d/e; stat -c %A d/e | cut -c 7; umask 077; touch t; stat -c %a t' $'s\n600'
	copies_that_keep_all 'touch -d @1000000000 one' 'cp -a one two; stat -c "%Y %a" two; cp -a src other; ls other; tar cf - src | tar xf - -C other; ls other/src' $'1000000000 644\nsay\nsay'
	dot_git 'git init -q .; git add .; git -c user.name=t -c user.email=t@example.org commit -qm first' 'git status --porcelain; echo x >>one; git status --porcelain; git checkout -q one; git status --porcelain; git -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m second; git gc -q; git fsck; git log --format=%s' $' M one\nsecond\nfirst'
	make_stays_warm $'printf \'made: one\\n\\tcp one made\\n\' >Makefile; make -s' 'make; make -q && echo warm; echo x >>one; make' $'make: \'made\' is up to date.\nwarm\ncp one made'
)

# What an overlay does otherwise: no more than its offer states (pinfold probe).
declare -A limits=(
	[hard_links_of_the_tree]=$'2\n2\na'
	[rename_a_directory_of_the_tree]=cross-device
)

# The tree of one case, made anew.
set_up() {	# SETUP
	cd "$WORK"
	chmod -R u+rwX "$TREE"
	rm -rf -- "$TREE"
	mkdir -p "$TREE/src"
	cd "$TREE"
	echo one >one
	printf '#!/bin/sh\necho "$@"\n' >src/say
	chmod 0755 src/say
	chmod 0644 one
	ln -s src/say link
	eval "$1"
}
setattr() { /usr/bin/python3 -c 'import os, sys; os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())' "$@"; }

# play VIEW: every case in its turn; those that go wrong are named.
play() {
	local i wrong=() name expected
	command -v git >/dev/null && command -v make >/dev/null || skip "git or make is not installed"
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
	for ((i = 0; i < ${#cases[@]}; i += 4)); do
		name=${cases[i]} expected=${cases[i + 3]}
		[[ $1 != overlay ]] || expected=${limits[$name]:-$expected}
		set_up "${cases[i + 1]}"
		keep_tree
		run -q --view "$1" -- bash -c "${cases[i + 2]}"
		[[ $status == 0 && $out == "$expected" ]] || { wrong+=("$name"); echo "$name under $1 should be: $expected"; }
		same_manifest || wrong+=("$name, tree")
	done
	((${#wrong[@]} == 0)) || { printf 'wrong: %s\n' "${wrong[@]}"; return 1; }
}

every_case_goes_as_it_should_on_a_copy() {
	play copy
}

every_case_goes_as_it_should_on_an_overlay() {
	play overlay
}

# What builds look at, for every entry.
listing='find . -printf "%p %y %m %U %s %T@ %l\0" | sort -z | tr "\0" "\n" | sed "s/ d \([0-7]*\) \([0-9]*\) [0-9]* / d \1 \2 /"; find . -type f -print0 | sort -z | xargs -0r cksum'

what_is_seen_at_first_is_what_the_tree_has() {
	local i view
	mkdir -p deep/er/and/deeper empty
	for i in {1..30}; do echo "content $i" >"deep/er/file $i"; touch -d "2001-02-03 04:05:06.$((i * 1000007))" "deep/er/file $i"; done
	ln deep/er/file\ 1 deep/hard
	chmod 0700 deep/er/and; chmod 0444 "deep/er/file 3"
	touch -hd '2005-01-01 00:00:00.123456789' link
	touch -d '2004-01-01 00:00:00.000000001' deep empty .
	keep_tree
	for view in copy overlay; do
		run -q --view "$view" -- sh -c "$listing"
		status_is 0
		diff <(sh -c "$listing") "$WORK/out"
	done
}

# A command that ends, and one that is killed, leave nothing behind in the tree, and the next one begins anew.
nothing_of_one_run_is_seen_in_the_next() {
	local view
	keep_tree
	for view in copy overlay; do
		run -q --view "$view" -- sh -c 'rm -rf -- * .[a-z]*; mkdir -p one/two; echo x >src; ls'
		"$PINFOLD" run -q --arm namespaces --view "$view" -- sh -c 'rm -rf one; echo y >killed; sleep 5' &
		sleep 0.3
		kill -KILL $! 2>/dev/null || :
		wait || :
		nothing_runs
		run -q --view "$view" -- sh -c 'ls -A; cat one'
		equal "$out" $'link\none\nsrc\none'
		same_manifest
	done
}

side_by_side_two_runs_do_not_meet() {
	local view i pids
	keep_tree
	for view in copy overlay; do
		pids=()
		for i in 1 2 3; do
			"$PINFOLD" run -q --arm namespaces --view "$view" -- sh -c "echo >mark$i; echo $i >>one; sleep 0.4; ls -d mark*; tail -n 1 one" >"$WORK/out$i" 2>&1 &
			pids+=($!)
		done
		for i in 1 2 3; do
			wait "${pids[i - 1]}"
			equal "$(<"$WORK/out$i")" "mark$i"$'\n'"$i"
		done
	done
}
