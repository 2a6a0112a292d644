# tests/suite/tree.sh - the command works on a true copy, and the tree itself is never touched.
# every arm

what_the_command_writes_lands_on_the_copy() {
	keep_tree
	run -q -- sh -c 'echo x >new; echo y >>one; rm src/say; mkdir -p d/e; chmod 0700 src; mv link moved; ln one two; touch -d @1 one'
	status_is 0
	same_manifest
	[[ ! -e new && ! -e d ]]
}

# What builds look at, for every entry.
listing='find . -printf "%p %y %m %s %T@ %l\0" | sort -z | tr "\0" "\n"; find . -type f -print0 | sort -z | xargs -0r cksum'

same_inside() {
	run -q -- sh -c "$listing"
	status_is 0
	diff <(sh -c "$listing") "$WORK/out"
}

the_copy_is_what_the_tree_is() {
	fill_tree
	keep_tree
	same_inside
	same_inside
}
fill_tree() {
	local i
	mkdir -p deep/er/and/deeper empty
	for i in {1..30}; do echo "content $i" >"deep/er/file $i"; touch -d "2001-02-03 04:05:06.$((i * 1000007))" "deep/er/file $i"; done
	head -c 300000 /dev/urandom >deep/large
	: >deep/nothing
	chmod 0700 deep/er/and; chmod 0444 "deep/er/file 3"; chmod 0755 "deep/er/file 4"; chmod 0600 "deep/er/file 5"
	ln deep/large deep/er/hard
	ln -s ../one deep/up
	touch -hd '2005-01-01 00:00:00.123456789' deep/up
	touch -d '2004-01-01 00:00:00.000000001' deep deep/er empty
}

what_the_last_command_did_is_undone_for_the_next() {
	fill_tree
	keep_tree
	run -q -- sh -c 'rm -rf deep/er; echo other >one; echo extra >extra; rm link; ln -s /etc link
		chmod 0000 deep/large; mv src moved; mkdir src; ln -s /etc/passwd src/say; mkdir -p strange/dir; chmod 0 strange
		mkfifo pipe; rm deep/up; mkdir deep/up; touch -d @1 deep/nothing; rmdir empty; echo >empty'
	same_inside
	run -q -- sh -c 'rm -rf -- * .[a-z]*; ls -A'
	out_is ""
	same_inside
}

a_change_of_the_tree_is_seen_even_with_the_same_size_and_time() {
	same_inside
	touch -r one "$WORK/time"
	echo two >one
	touch -r "$WORK/time" one
	run -q -- cat one
	out_is two
	rm src/say; mkdir src/say; echo three >src/say/in
	run -q -- cat src/say/in
	out_is three
	rm -r src; echo four >src
	run -q -- cat src
	out_is four
	chmod 0500 one
	run -q -- stat -c %a one
	out_is 500
}

hard_links_stay_linked_and_sparse_files_sparse() {
	ln one two
	truncate -s 1G sparse
	keep_tree
	run -q -- sh -c 'stat -c "%h %i" one two | sort -u | wc -l; stat -c %h one'
	equal "$out" $'1\n2'
	run -q -- stat -c %s sparse
	out_is 1073741824
	(($(du -s "$WORK/home" | cut -f 1) < 20000))
}

names_of_every_kind_are_copied() {
	local name
	mkdir names
	for name in $'new\nline' $'\xff\xfe\x80' ' ' ' lead' 'trail ' '-rf' "quo'te" '"' '\' '$(x)' '*' 'ü' '...' $'\e[31m' \
		"$(printf 'n%.0s' {1..255})"; do
		echo "$name" >"names/$name"
	done
	ln -s $'to\nnowhere' $'names/link\xff'
	keep_tree
	same_inside
}

fifos_sockets_and_devices_are_left_out_and_named() {
	mkfifo -m 0666 pipe src/pipe2
	/usr/bin/python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("socket")'
	((EUID != 0)) || mknod zero c 1 5
	keep_tree
	quick 10 run -q --receipt "$WORK/receipt" -- sh -c 'cat one; ls'
	status_is 0
	out_has one
	out_lacks pipe
	out_lacks socket
	out_lacks zero
	grep -q '"pipe"' "$WORK/receipt"
	grep -q 'src/pipe2' "$WORK/receipt"
	grep -q '"socket"' "$WORK/receipt"
}

broken_absolute_and_circular_links_are_copied() {
	ln -s nowhere broken
	ln -s /no/such/place absent
	ln -s self self
	ln -s b a; ln -s a b
	ln -s . here
	keep_tree
	quick 10 run -q -- sh -c 'cat one; readlink broken self a here'
	status_is 0
	equal "$out" $'one\nnowhere\nself\nb\n.'
}

a_path_of_more_than_4096_bytes_is_copied() {
	local long i
	long=$(printf 'd%.0s' {1..200})
	for i in {1..25}; do mkdir "$long"; cd "$long"; done
	echo bottom >bottom
	cd "$TREE"
	keep_tree
	run -q -- find . -name bottom -execdir cat {} +
	status_is 0
	out_is bottom
	run -q -- sh -c 'find . -name bottom -delete; rm -rf dd*'
	run -q -- find . -name bottom -execdir cat {} +
	out_is bottom
}

a_file_without_permissions_is_copied_or_named() {
	echo closed >closed
	chmod 0000 closed
	keep_tree
	run -q -- sh -c 'stat -c %a closed'
	if ((EUID == 0)); then
		status_is 0
		out_is 0
	elif ((status == 125)); then
		err_has closed
		err_has "  try: "
	else
		status_is 0
	fi
	same_manifest
	lose_tree
	chmod 0600 closed
	run -q -- cat closed
	out_is closed
}

a_directory_without_permissions_is_copied_or_named() {
	mkdir -m 0000 closed
	keep_tree
	run -q -- sh -c 'stat -c %a closed'
	[[ $status == 0 ]] || { status_is 125; err_has closed; err_has "  try: "; }
	same_manifest
	lose_tree
	chmod 0755 closed
	run -q -- ls
	status_is 0
}

read_only_directories_do_not_get_in_the_way() {
	mkdir -p fixed/in
	echo x >fixed/in/x
	chmod 0555 fixed/in fixed
	keep_tree
	same_inside
	run -q -- sh -c 'mkdir -p made/in; touch made/in/f; chmod 0555 made/in made; chmod 0500 .'
	status_is 0
	same_inside
	same_manifest
	lose_tree
	chmod 0755 fixed fixed/in
	rm -r fixed
	same_inside
}

a_tree_past_a_budget_is_refused_with_the_figure_and_leaves_nothing() {
	fill_tree
	keep_tree
	run --view copy --set copy.max-files=20 -- echo ran
	budget_refused 20
	err_has "set [copy] max-files higher"
	err_has "--view overlay"
	run --view copy --set copy.max-bytes=1000 -- echo ran
	budget_refused 1,000
	run --view copy --set copy.max-depth=2 -- echo ran
	budget_refused 2
	run -q -- echo ran
	out_is ran
}
budget_refused() {
	status_is 125
	err_has "pinfold: E_"
	err_has "$1"
	err_has "  try: "
	out_is ""
	[[ ! $(find "$WORK/home" -name 'file 1' -print -quit) ]]
}

a_full_disk_is_told_and_leaves_no_half_copy() {
	as_root_only
	mkdir "$WORK/small"
	mount -t tmpfs -o size=400k,mode=0700 none "$WORK/small"
	at_end "umount -l '$WORK/small'"
	allowed_mount=$WORK/small
	head -c 1000000 /dev/urandom >large
	keep_tree
	run --view copy --set "filesystem.scratch=$WORK/small" -- echo ran
	status_is 125
	err_has "No space left"
	err_has "$WORK/small"
	err_has "  try: "
	out_is ""
	[[ ! $(find "$WORK/small" -name large -o -name one) ]]
	rm large
	lose_tree
	run -q --set "filesystem.scratch=$WORK/small" -- cat one
	out_is one
}

a_scratch_directory_that_others_can_write_is_refused() {
	mkdir -m 0777 "$WORK/open"
	chmod 0777 "$WORK/open"
	run --set "filesystem.scratch=$WORK/open" -- echo ran
	status_is 125
	err_has "$WORK/open"
	err_has "  try: "
	out_is ""
}

a_scratch_directory_in_the_tree_is_not_copied_into_itself() {
	mkdir -m 0700 scratch
	local i
	for i in 1 2 3; do
		run -q --set "filesystem.scratch=$TREE/scratch" -- sh -c 'cat one; find . -name one'
		status_is 0
		equal "$out" $'one\n./one'
	done
}

a_tree_below_a_private_home_and_one_in_tmp_both_work() {
	local place
	for place in "$HOME/work" "$(mktemp -d /tmp/suite-XXXXXX)"; do
		at_end "rm -rf '$place'"
		mkdir -p "$place"
		echo here >"$place/file"
		run -q -C "$place" -- sh -c 'cat file; echo >new'
		status_is 0
		out_is here
		[[ ! -e $place/new ]]
	done
}

two_runs_at_once_have_two_copies() {
	keep_tree
	local i pids=()
	for i in 1 2 3; do
		"$PINFOLD" run -q --arm "$ARM" -- sh -c "echo >mark$i; sleep 0.5; ls -d mark*" >"$WORK/out$i" 2>&1 &
		pids+=($!)
	done
	for i in 1 2 3; do
		wait "${pids[i - 1]}"
		equal "$(<"$WORK/out$i")" "mark$i"
	done
	run -q -- sh -c 'ls | grep mark'
	status_is 1
}

no_more_copies_are_kept_than_the_configuration_says() {
	local i kept
	for kept in 1 3 8; do
		rm -rf -- "$WORK/home/.cache"
		for i in {1..10}; do
			"$PINFOLD" run -q --arm "$ARM" --set copy.kept=$kept -- sleep 0.3 &
		done
		wait
		run -q --set copy.kept=$kept -- true
		(($(find "$WORK/home" -name one | wc -l) <= kept))
	done
}

a_kill_at_any_moment_changes_nothing_and_the_next_run_works() {
	local i files
	for i in {1..400}; do echo "content $i" >"src/file$i"; done
	files=$(find . -type f | wc -l)
	keep_tree
	for i in {1..30}; do
		# Every third from nothing, so that first copies are hit as well.
		((i % 3)) || rm -rf "$WORK/home/.cache"
		"$PINFOLD" run -q --arm "$ARM" -- sh -c 'rm -rf src; sleep 5' >/dev/null 2>&1 &
		local pid=$!
		sleep "0.0$((RANDOM % 60 + 10))"
		kill -KILL "$pid" 2>/dev/null || :
		wait "$pid" 2>/dev/null || :
	done
	nothing_runs
	same_manifest
	run -q -- sh -c 'find . -type f | wc -l'
	status_is 0
	out_is "$files"
	run -q -- true
	(($(find "$WORK/home" -path '*src/file7' | wc -l) <= 1))
}

a_clean_git_tree_stays_clean_inside_and_outside() {
	command -v git >/dev/null || skip "git is not installed"
	export GIT_CONFIG_GLOBAL=$WORK/gitconfig GIT_CONFIG_SYSTEM=/dev/null
	git config --file "$GIT_CONFIG_GLOBAL" user.name t
	git config --file "$GIT_CONFIG_GLOBAL" user.email t@example.org
	git init -q .
	git add -A
	git commit -qm first
	git status --porcelain
	run -q -- git status --porcelain
	status_is 0
	out_is ""
	run -q -- sh -c 'echo n >n && git add n && git commit -qm second && git log --oneline | wc -l'
	status_is 0
	out_is 2
	equal "$(git status --porcelain)" ""
	equal "$(git log --oneline | wc -l)" 1
	"$PINFOLD" run -q --arm "$ARM" -- sleep 5 &
	sleep 0.2
	kill -KILL $! 2>/dev/null || :
	wait
	equal "$(git status --porcelain)" ""
	git config a.b c
}
