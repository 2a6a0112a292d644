# tests/suite/places.sh - a tree wherever it lies: what was changed is shown, dropped and brought there, and nowhere else.
# every view

# Every name with what it is, its mode, its content or target, and of a file how many names it has.
picture() { (cd "$1" && find . -printf '%p %y %m %n %l\n' | sed 's/ d \([0-7]*\) [0-9]* / d \1 /' | sort && find . -type f -exec cksum {} + | sort -k 3); }

something='echo two >>one; mkdir -p new/deep; echo x >new/deep/x; rm link; chmod 0600 src/say; ln -s one other; mv away here; ln new/deep/x src/x'

# All of it in the tree that the test stands in.
goes_well_here() {
	local wanted
	wanted=$WORK/wanted
	rm -rf -- "$wanted"
	echo away >away
	mkdir "$wanted"
	cp -a . "$wanted"
	run -q "$@" -- sh -c "$something"
	status_is 0
	pf diff --summary
	out_has "A  new/"
	diff <(picture "$wanted") <(picture .)
	pf discard
	status_is 0
	diff <(picture "$wanted") <(picture .)
	run -q "$@" -- sh -c "$something"
	status_is 0
	(cd "$wanted" && sh -c "$something")
	pf apply
	status_is 0
	diff <(picture "$wanted") <(picture .)
	pf diff --exit-code
	status_is 0
}

mount_in_work() {	# NAME MOUNT-ARGUMENT…
	local place=$WORK/$1
	shift
	mkdir -p "$place"
	mount "$@" "$place" 2>"$WORK/mounting" || skip "no such file system can be mounted here: $(<"$WORK/mounting")"
	at_end "umount -l '$place'"
	allowed_mount=$place
}

a_tree_in_memory_is_one_like_others() {
	local place
	place=$(mktemp -d /dev/shm/suite-XXXXXX)
	at_end "rm -rf -- '$place'"
	cp -a "$TREE" "$place/tree"
	cd "$place/tree"
	goes_well_here
}

a_tree_on_an_overlay_is_one_like_others() {
	as_root_only
	mount_in_work memory -t tmpfs none
	mkdir -p "$WORK"/memory/{lower,upper,work,merged}
	cp -a "$TREE" "$WORK/memory/lower/tree"
	mount -t overlay -o "lowerdir=$WORK/memory/lower,upperdir=$WORK/memory/upper,workdir=$WORK/memory/work" none "$WORK/memory/merged"
	at_end "umount -l '$WORK/memory/merged'"
	allowed_mount=$WORK
	cd "$WORK/memory/merged/tree"
	goes_well_here
	# What was below and what is above now is still the same tree.
	run -q --session s -- sh -c 'echo three >>one'
	touch .
	pf apply --session s
	status_is 0
	equal "$(tail -n 1 one)" three
	cd "$TREE"
	umount -l "$WORK/memory/merged"
	umount -l "$WORK/memory"
}

a_tree_below_a_bind_mount_is_one_like_others() {
	as_root_only
	mkdir -p "$WORK/bound/tree"
	cp -a "$TREE/." "$WORK/bound/tree"
	mount_in_work shown --bind "$WORK/bound"
	cd "$WORK/shown/tree"
	goes_well_here
	diff <(picture "$WORK/wanted") <(picture "$WORK/bound/tree")
}

a_tree_that_is_read_only_keeps_what_it_has_until_it_can_be_written() {
	as_root_only
	mkdir -p "$WORK/kept"
	cp -a "$TREE" "$WORK/kept/tree"
	mount_in_work shown --bind "$WORK/kept"
	mount -o remount,bind,ro "$WORK/shown"
	cd "$WORK/shown/tree"
	run -q -- sh -c 'echo two >>one; echo new >new; rm link'
	status_is 0
	cp -a . "$WORK/wanted"
	for again in 1 2; do
		pf apply
		status_is 125
		err_has "pinfold: E_TREE: cannot "
		err_has "ead-only"
		diff <(picture "$WORK/wanted") <(picture .)
	done
	mount -o remount,bind,rw "$WORK/shown"
	pf apply
	status_is 0
	equal "$(cat one new)" $'one\ntwo\nnew'
	[[ ! -e link ]]
}

# The copy in an unconfined arm that is read-only can be dropped as well.
changes_to_a_tree_that_is_read_only_can_be_dropped() {
	as_root_only
	mkdir -p "$WORK/kept"
	cp -a "$TREE" "$WORK/kept/tree"
	mount_in_work shown --bind "$WORK/kept"
	mount -o remount,bind,ro "$WORK/shown"
	cd "$WORK/shown/tree"
	run -q --session s -- sh -c 'echo two >>one; echo new >new'
	pf discard --session s new
	status_is 0
	pf diff --session s --summary
	out_is "M  one"
	pf discard --session s
	status_is 0
	pf apply --session s
	status_is 125
	equal "$(cat one)" one
}

a_link_to_a_tree_is_that_tree() {
	ln -s "$TREE" "$WORK/way"
	ln -s way "$WORK/further"
	cd "$WORK/further"
	goes_well_here -C "$WORK/way"
	run -q -C "$WORK/further" --session s -- sh -c 'echo three >>one'
	cd "$TREE"
	pf apply --session s
	status_is 0
	equal "$(tail -n 1 one)" three
	[[ -L $WORK/way && -L $WORK/further ]]
}

# What is kept of a tree is found by its path.
another_tree_in_the_place_of_one_gets_nothing_of_what_was_changed_in_that() {
	local session
	for session in "" "--session s"; do
		cd "$WORK"
		rm -rf tree old
		mkdir -p tree/d
		cd tree
		echo one >one
		echo f >d/f
		run -q $session -- sh -c 'echo two >>one; echo new >new; rm d/f'
		status_is 0
		mv "$TREE" "$WORK/old"
		cd "$WORK/old"
		pf apply $session
		status_is 125
		err_has "E_SESSION"
		equal "$(cat one d/f)" $'one\nf'
		mkdir "$TREE"
		cd "$TREE"
		echo one >one
		keep_tree
		pf apply $session --partial
		status_is 125
		err_has "another directory lies there"
		err_has "pinfold discard"
		same_manifest
		if [[ $session ]]; then
			run -q $session -- true
			refused E_SESSION
			err_has "another directory lies there"
			same_manifest
		fi
		pf apply $session --partial
		status_is 125
		same_manifest
		lose_tree
		cd "$WORK"
		rm -r tree
		mv old tree
		cd tree
		pf apply $session
		status_is 0
		equal "$(cat one new; ls d)" $'one\ntwo\nnew'
	done
}

what_was_changed_in_a_tree_that_is_gone_can_be_dropped_where_another_lies() {
	run -q --session s -- sh -c 'echo new >new'
	mv "$TREE" "$WORK/old"
	mkdir "$TREE"
	cd "$TREE"
	pf discard --session s
	status_is 0
	run -q --session s -- ls
	out_is ""
	status_is 0
	run -q --session s -- sh -c 'echo mine >mine'
	pf apply --session s
	status_is 0
	equal "$(ls)" mine
}

a_tree_that_was_removed_and_made_again_is_another() {
	run -q --session s -- sh -c 'echo new >new'
	cd "$WORK"
	rm -rf tree
	mkdir tree
	cd tree
	pf apply --session s
	status_is 125
	[[ ! -e new ]]
}

a_tree_that_cannot_be_reached_by_its_path_is_refused_until_it_can() {
	mkdir -p "$WORK/closed/tree"
	cp -a "$TREE/." "$WORK/closed/tree"
	cd "$WORK/closed/tree"
	run -q -- sh -c 'echo new >new'
	status_is 0
	chmod 0 "$WORK/closed"
	at_end "chmod 0755 '$WORK/closed'"
	for verb in "run -q -- true" apply diff discard; do
		((EUID != 0)) || break
		pf $verb
		status_is 125
		err_has "pinfold: E_"
		err_has "closed/tree"
		err_has "  try: "
	done
	chmod 0755 "$WORK/closed"
	pf apply
	status_is 0
	equal "$(cat new)" new
}

names_that_differ_in_case_alone_are_names_of_their_own() {
	mkdir Doc
	echo read >README
	echo page >Doc/Page
	echo upper >Both
	echo lower >both
	goes_well_here
	run -q -- sh -c 'mv README readme; mv Doc away; mv away doc; mv doc/Page doc/page; mv Both x; mv both Both; mv x both'
	status_is 0
	pf diff --summary
	out_has "readme"
	pf apply
	status_is 0
	equal "$(ls -d [Rr]* [Dd]* [Dd]oc/*)" $'doc\ndoc/page\nreadme'
	equal "$(cat readme doc/page Both both)" $'read\npage\nlower\nupper'
}

# The file system of the tree has room for a part of it: how much differs from one try to the next.
a_tree_without_room_for_all_gets_nothing() {
	local free
	as_root_only
	mount_in_work small -t tmpfs -o size=2m,nr_inodes=200 none
	mkdir "$WORK/small/tree"
	cd "$WORK/small/tree"
	for i in 1 2 3 4 5 6; do head -c 20000 /dev/zero | tr '\0' "$i" >"file$i"; done
	run -q -- sh -c 'for i in 1 2 3 4 5 6; do tr "$i" x <file$i >new$i; echo more >>file$i; mkdir -p d$i/e; mv new$i d$i/e; done; rm file6'
	status_is 0
	cp -a . "$WORK/wanted"
	for ((i = 0; i < 300; i++)); do : >"../inode$i" || break; done 2>/dev/null
	for free in 0 1 2 5 9 15 20; do
		rm -f ../inode{0..19}
		for ((i = free; i < 20; i++)); do : >"../inode$i"; done
		gets_nothing
	done
	rm ../inode*
	for free in 0 4 16 40 80 120 160 200; do
		truncate -s 0 ../full
		head -c 3m /dev/zero >../full 2>/dev/null || :
		truncate -s "-${free}K" ../full
		gets_nothing
	done
	truncate -s 0 ../full
	pf apply
	status_is 0
	equal "$(echo d*/e/new*)" "$(echo d{1..6}/e/new{1..6} | tr ' ' '\n' | grep -E 'd(.)/e/new\1' | paste -sd ' ')"
	equal "$(tail -c 5 file1)" more
	[[ ! -e file6 ]]
}
gets_nothing() {
	pf apply
	status_is 125
	err_has "pinfold: E_"
	err_has "No space left"
	diff <(picture "$WORK/wanted") <(picture .)
}

# A file system of its own: in $WORK/NAME/tree no more than 2 MiB can be written, whoever does it.
make_quota() {	# NAME
	as_root_only
	command -v mkfs.btrfs >/dev/null || skip "btrfs-progs is missing"
	truncate -s 200M "$WORK/$1.image"
	mkfs.btrfs -q "$WORK/$1.image" >/dev/null
	mount_in_work "$1" -o loop "$WORK/$1.image"
	btrfs -q subvolume create "$WORK/$1/tree" >/dev/null
	btrfs quota enable "$WORK/$1" && btrfs qgroup limit 2M "$WORK/$1/tree" || skip "this btrfs keeps no quotas"
}
much='echo more >>f1; for i in 1 2 3 4; do mkdir -p d$i/e/f; head -c 900000 /dev/urandom >d$i/e/f/n; done; rm f3'

# A quota forbids more than a disk that is full: a directory can be neither made nor renamed.
a_tree_past_its_quota_gets_nothing_and_keeps_nothing_of_it() {
	local i
	make_quota limited
	cd "$WORK/limited/tree"
	for i in 1 2 3; do head -c 100000 /dev/zero | tr '\0' "$i" >"f$i"; done
	cp -a . "$WORK/wanted"
	run -q --session s -- sh -c "$much"
	status_is 0
	for i in 1 2; do
		pf apply --session s
		status_is 125
		err_has "Disk quota exceeded"
		err_has "nothing was changed in the tree; make room on its disk"
		diff <(picture "$WORK/wanted") <(picture .)
	done
	btrfs qgroup limit none .
	pf apply --session s
	status_is 0
	equal "$(stat -c %s d?/e/f/n | sort -u)" 900000
	[[ ! -e f3 ]]
}

what_is_kept_past_a_quota_can_be_dropped() {
	local verb
	make_quota limited
	for verb in "discard --session s" "gc --unapplied --set session.keep-bytes=1"; do
		run -q --set "filesystem.scratch=$WORK/limited/tree" --session s -- sh -c "$much"
		pf $verb --set "filesystem.scratch=$WORK/limited/tree"
		status_is 0
		[[ ! $(find "$WORK/limited/tree" -path '*=s*' -o -path '*/gone/*') ]]
		run -q --set "filesystem.scratch=$WORK/limited/tree" --session s -- ls
		status_is 0
		out_lacks d1
	done
}

a_tree_whose_names_are_the_same_in_any_case_gets_all_or_nothing() {
	local script
	as_root_only
	truncate -s 40M "$WORK/image"
	[[ -e /sys/fs/ext4/features/casefold ]] || skip "the kernel's ext4 has no directories that fold case"
	mkfs.ext4 -q -O casefold "$WORK/image" 2>/dev/null || skip "mkfs.ext4 knows no casefold"
	mount_in_work folded -o loop "$WORK/image"
	mkdir "$WORK/folded/tree"
	chattr +F "$WORK/folded/tree"
	cd "$WORK/folded/tree"
	for script in 'mv README readme' 'mv Doc away; mv away doc; mv doc/Page doc/page' 'echo x >new; echo y >NEW'; do
		rm -rf -- *
		mkdir Doc
		echo read >README
		echo page >Doc/Page
		rm -rf "$WORK/wanted"
		cp -a . "$WORK/wanted"
		run -q -- sh -c "$script"
		status_is 0
		pf apply
		((status == 0)) || diff <(picture "$WORK/wanted") <(picture .)
		equal "$(cat readme doc/page)" $'read\npage'
		[[ ! $(find . -name '.pinfold-*') ]]
		pf discard
	done
}

names_of_one_file_in_several_directories_stay_names_of_one_file() {
	mkdir -p a/b c d
	echo linked >a/first
	ln a/first a/b/second
	ln a/first c/third
	run -q -- sh -c 'mkdir -p e/f; echo new >e/one; ln e/one e/f/two; ln e/one c/two; ln e/one three; rm d -r; ln one e/old'
	status_is 0
	pf apply
	status_is 0
	equal "$(stat -c %h e/one c/two three e/f/two)" $'4\n4\n4\n4'
	[[ e/one -ef c/two && e/one -ef three && e/one -ef e/f/two ]]
	[[ a/first -ef a/b/second && a/first -ef c/third ]]
	equal "$(cat e/old)" one
	run -q -- sh -c 'rm three; mv e/f/two d2; ln d2 d3'
	pf apply
	status_is 0
	[[ d2 -ef d3 && ! -e three && ! -e e/f/two ]]
	equal "$(cat d2 e/one c/two)" $'new\nnew\nnew'
}

# What the program itself takes is the same for few and many.
the_memory_of_an_apply_grows_no_faster_than_the_changes() {
	local count few=0 peak
	not_sanitized "the memory that it takes for itself"
	for count in 200 2200; do
		run -q --session "s$count" -- sh -c "mkdir d$count && cd d$count && touch \$(seq $count)"
		peak=$(/usr/bin/python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$PINFOLD" apply --session "s$count")
		equal "$(ls "d$count" | wc -l)" "$count"
		((few)) || few=$peak
	done
	((peak - few <= 2000 * 3)) || { echo "$few KiB for 200, $peak for 2,200"; return 1; }
	echo "$few KiB for 200, $peak for 2,200"
}
