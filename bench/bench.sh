# bench/bench.sh - `./dev bench`: side by side with what people use today, against the limits. Sourced by dev.

. "$top/tests/work.sh"

# NAME, and what it compares; each has a function measure_NAME.
benches=(
	"start        one confined command in a small tree, to bubblewrap"
	"throughput   eight at a time, to bubblewrap"
	"processes    a build of some thousand small processes, to the same unconfined"
	"serve        from a request to a server to the command's start, to a whole bubblewrap run"
	"caller       a caller that holds 8 GiB, to one that holds nothing"
	"setup        the host's way from main until a child works for the run, to a whole bubblewrap run"
	"mounts       with 1,000 extra mounts on the host, to bubblewrap"
	"rules        a policy of 2,000 path rules of each kind, to one of 20, and what a rule takes of the kernel"
	"patterns     a run in 100,000 files that hides **/*.pem, to one that hides nothing of them"
	"warm         10,000 and 100,000 files of which none or ten changed, brought up to date, to rsync -a --delete"
	"uncached     the same of 100,000 files where nothing of them is in memory"
	"status       1,000, 10,000 and 100,000 unchanged files, to git status"
	"cold         10,000 and 100,000 files copied for the first time, to cp -a; and the memory that this takes"
	"reflink      10,000 files copied for the first time on btrfs and on xfs, to cp -a, which shares bytes as well"
	"whole        a whole run in trees of 1,000 and 10,000 files, to rsync followed by bubblewrap"
	"overlay      a run with the view overlay in a tree of 100,000 files, to one in a tree of 1,000"
	"summary      pinfold diff --summary of 10 changes in 100,000 files, to git status"
	"diff         the same with the lines that differ, to git status"
	"wrappers     a run and a build with a compiler wrapper that was kept, to the same without one; a first trial, to its build alone"
)

# `compare` is none of them: it has no limits, and takes options and peers of its own (bench/compare).

bench() {
	local name row known=() missed=0 users=(self)
	if [[ ${1:-} == compare ]]; then
		. "$top/bench/compare/compare.sh"
		compare_with_others "${@:2}"
		return
	fi
	for row in "${benches[@]}"; do known+=("${row%% *}"); done
	[[ ${1:-} != --list ]] || { printf '%s\n' "${benches[@]}"; return; }
	for name; do [[ " ${known[*]} " == *" $name "* ]] || die "no such measurement: $name (./dev bench --list)"; done
	(($#)) || set -- "${known[@]}"
	need "${build_packages[@]}" "${bench_packages[@]}"
	prepare_sources
	choose_work bench
	trap clear_work EXIT
	clear_work
	mkdir -p -- "$work/home"
	prepare_programs
	((EUID != 0)) || users=(root unprivileged)
	printf '%-12s %-13s %12s %12s %8s %14s\n' measure user pinfold reference ratio limit
	for name; do
		for user_name in "${users[@]}"; do
			room=$work/$user_name
			as=()
			[[ $user_name != unprivileged ]] || as=("${as_user[@]}")
			as+=(env "HOME=$room/home" "TMPDIR=$room/tmp")
			prepare_room
			(cd "$room/tree" && "measure_$name") || missed=$((missed + 1))
		done
	done
	((missed == 0)) || die "$missed past the limit"
}

prepare_programs() {
	configured bench "--prefix=$work/stage"
	quietly "$build/bench/make.log" make_in bench all
	quietly "$build/bench/programs.log" make_in bench bench/alternate bench/caller bench/serve bench/sync
	quietly "$build/bench/install.log" make_in bench install
	local program
	for program in alternate caller serve sync; do
		"$build/bench/libtool" --quiet --mode=install install -m 0755 "$build/bench/bench/$program" "$work/$program" 2>/dev/null
	done
	pinfold=$work/stage/bin/pinfold
}

# A home and a small tree of the user's own.
prepare_room() {
	[[ ! -d $room ]] || return 0
	mkdir -p -- "$room/home" "$room/tmp" "$room/tree/src" "$room/copy"
	local i
	for i in {1..20}; do echo "$i" >"$room/tree/src/file$i"; done
	cp -a "$room/tree/." "$room/copy"
	[[ $user_name != unprivileged ]] || chown -R "$user:$user" -- "$room"
}

bubblewrap() {	# TREE COPY: its arguments
	echo bwrap --ro-bind / / --bind "$2" "$1" --chdir "$1" --proc /proc --dev /dev --unshare-all --die-with-parent --
}

# compare [OPTION…] -- VARIANT…: sets reference, ours (microseconds), ratio (the median of each round's) and peak (KiB).
compare() {
	"${as[@]}" "$work/alternate" "$@" >"$work/result" || { say "the measurement failed"; return 1; }
	read -r _ reference _ _ <"$work/result"
	read -r _ ours _ ratio peak < <(tail -n 1 "$work/result")
}

# verdict NAME RELATION LIMIT
verdict() {
	local word=PASS
	awk -v r="$ratio" -v l="$3" 'BEGIN { exit !(r '"$2"' l) }' || word=FAIL
	printf '%-12s %-13s %9.2f ms %9.2f ms %8.3f %9s %s %s\n' "$1" "$user_name" \
		"$(awk "BEGIN { print $ours / 1000 }")" "$(awk "BEGIN { print $reference / 1000 }")" "$ratio" "$2" "$3" "$word"
	[[ $word == PASS ]]
}

measure_start() {
	compare -r 60 --- bwrap $(bubblewrap "$room/tree" "$room/copy") true --- pinfold "$pinfold" run -q -- true || return
	verdict start '<=' 0.55
}

measure_throughput() {
	compare -r 9 -c 8 -k 64 --- bwrap $(bubblewrap "$room/tree" "$room/copy") true --- pinfold "$pinfold" run -q -- true || return
	ratio=$(awk "BEGIN { printf \"%.3f\", 1 / $ratio }")
	verdict throughput '>=' 2.0
}

# What confining costs those who are confined: most of such a build is starting programs and opening files. What it
# makes it removes, so that each round begins with the same tree.
measure_processes() {
	local place=$room/processes i
	if [[ ! -d $place ]]; then
		mkdir -p -- "$place"
		for i in {1..250}; do printf '#include <stdio.h>\nint f%d(void) { return puts("%d"); }\n' "$i" "$i" >"$place/f$i.c"; done
		printf '%s\n' 'all: $(patsubst %.c,%.o,$(wildcard *.c))' '%.o: %.c' \
			"	n=\$\$(expr \$\$(sed -n 2p \$< | tr -dc 0-9 | head -c 3) + 1) && test \$\$n -gt 1 && cc -c -O0 \$< -o \$@ && grep -q puts \$@" \
			'clean:' '	ls *.o | while read -r name; do rm "$$name"; done' >"$place/Makefile"
		[[ $user_name != unprivileged ]] || chown -R "$user:$user" -- "$place"
		sleep 2
	fi
	compare -r 7 --- unconfined sh -c "cd '$place' && make -s -j2 && make -s clean" --- \
		confined "$pinfold" run -q -C "$place" -- sh -c "make -s -j2 && make -s clean" || return
	verdict processes '<=' 1.05
}

measure_serve() {
	read -r reference ours ratio < <("${as[@]}" "$work/serve" 60 "$pinfold" $(bubblewrap "$room/tree" "$room/copy") true)
	verdict serve '<=' 0.45
}

measure_caller() {
	local gigabytes=8 free
	free=$(awk '/^MemAvailable/ { print int($2 / 1048576) - 2 }' /proc/meminfo)
	((free >= gigabytes)) || { gigabytes=$free; say "only $gigabytes GiB of memory are free: measured with those"; }
	read -r reference ours ratio < <("${as[@]}" env "LD_LIBRARY_PATH=$work/stage/lib" "$work/caller" "$gigabytes" 25)
	verdict caller '<=' 1.10
}

# Five files of configuration and five modules; the time is from the receipts, which lie in memory where
# that can be had: making a file on the disk is not the host's way, and would be a third of it.
measure_setup() {
	local i receipts
	receipts=$("${as[@]}" mktemp -d -p /dev/shm 2>/dev/null) || receipts=$("${as[@]}" mktemp -d) || return
	mkdir -p "$work/stage/etc/pinfold/conf.d" "$room/home/.config/pinfold"
	for i in 1 2 3; do printf '[limits]\nnice = 0\n[environment]\ndrop = SOME_%d\n' "$i" >"$work/stage/etc/pinfold/conf.d/$i.conf"; done
	printf '[limits]\nnice = 0\n' >"$room/home/.config/pinfold/pinfold.conf"
	compare -r 60 --- bwrap $(bubblewrap "$room/tree" "$room/copy") true --- \
		pinfold "$pinfold" run -q --receipt "$receipts/{n}" -- true || { rm -rf -- "$receipts"; return 1; }
	ours=$(sed -n 's/^ *"setup": *\([0-9]*\),$/\1/p' "$receipts"/* | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
	rm -rf -- "$receipts" "$work/stage/etc/pinfold/conf.d" "$room/home/.config"
	ratio=$(awk "BEGIN { printf \"%.3f\", $ours / $reference }")
	verdict setup '<=' 0.08
}

measure_mounts() {
	if ((EUID != 0)); then say "mounts: skipped, only root can mount"; return 0; fi
	mkdir -p "$work/mounts"/{1..1000}
	unshare --mount --propagation private bash -c 'set -e; place=$1; shift
		for ((i = 1; i <= 1000; i++)); do mount --bind "$place/$i" "$place/$i"; done; exec "$@"' mounts "$work/mounts" \
		"${as[@]}" "$work/alternate" -r 15 --- bwrap $(bubblewrap "$room/tree" "$room/copy") true --- \
		pinfold "$pinfold" run -q -- true >"$work/result" || { say "the measurement failed"; return 1; }
	read -r _ reference _ _ <"$work/result"
	read -r _ ours _ ratio _ < <(tail -n 1 "$work/result")
	verdict mounts '<=' 0.10
}

# Name, what a rule of it takes, and the rule: `#` stands for a number, and 50 numbers share a directory.
rules=(
	"hidden       a-mount    hidden = files/#"
	"hidden-dir   a-mount    hidden = dirs/#"
	"hidden-glob  a-mount-and-a-listing hidden = files/#?"
	"protected    a-mount    protected = files/#"
	"readable     a-mount    readable = files/#"
	"executable   a-mount    executable = files/#"
	"writable     a-mount    writable = files/#"
	"writable-dir a-mount    writable = dirs/#"
	"layered      an-overlay layered = dirs/#"
	"absent       nothing    hidden = files/#.absent"
	"absent-glob  a-listing  hidden = files/#.absent*"
	"within       nothing    hidden = files/#"
	"needless     nothing    protected = files/#"
	"optional     nothing    readable = -files/#.absent"
)
# What else is in the policy of some of them.
declare -A beside_rules=(
	[protected]="writable = ROOM/files" [within]="hidden = ROOM/files"
	[readable]="readable = /usr, /bin, /lib, /lib64, /etc" [optional]="readable = /usr, /bin, /lib, /lib64, /etc"
	[executable]="executable = /usr, /bin, /lib, /lib64"
)

prepare_rules() {
	[[ ! -d $room/rules ]] || return 0
	mkdir -p "$room/rules"/{files,dirs}/{0..39} "$room/rules"/scratch-{20,2000}
	local count i row name rule beside
	for ((i = 0; i < 2000; i++)); do
		: >"$room/rules/files/$((i / 50))/$i"
		: >"$room/rules/files/$((i / 50))/${i}x"
		mkdir "$room/rules/dirs/$((i / 50))/$i"
	done
	for row in "${rules[@]}"; do
		read -r name _ rule <<<"$row"
		rule=${rule/files/$room/rules/files} rule=${rule/dirs/$room/rules/dirs} beside=${beside_rules[$name]-}
		for count in 20 2000; do
			printf '[filesystem]\n%s\n' "${beside//ROOM/$room/rules}" >"$room/rules/$name.$count"
			for ((i = 0; i < count; i++)); do echo "${rule/\#/$((i / 50))/$i}"; done >>"$room/rules/$name.$count"
		done
	done
	[[ $user_name != unprivileged ]] || chown -R "$user:$user" -- "$room/rules"
}

# What a rule takes of the kernel decides what it costs; the manual tells the same.
measure_rules() {
	local row name takes rounds missed=0 with
	prepare_rules
	with=("$pinfold" run -q --set "filesystem.scratch=$room/rules")
	for row in "${rules[@]}"; do
		read -r name takes _ <<<"$row"
		rounds=25
		[[ $takes != an-overlay ]] || rounds=5
		compare -r "$rounds" --- few "${with[@]}/scratch-20" --config "$room/rules/$name.20" -- true --- \
			many "${with[@]}/scratch-2000" --config "$room/rules/$name.2000" -- true || return
		printf '%s ' "$(verdict "$name" '<=' 1.30)"
		awk "BEGIN { printf \"(%.1f us a rule: ${takes//-/ })\\n\", ($ours - $reference) / 1980 }"
		awk "BEGIN { exit !($ratio <= 1.30) }" || missed=1
	done
	return $missed
}

# prepare_large COUNT: files in a twelfth as many directories, with the sizes of sources: a median of 2.7 KB
# and a long tail.
prepare_large() {
	[[ ! -d $room/large$1 ]] || return 0
	python3 - "$room/large$1" "$1" <<-'END'
	import os, random, sys
	random.seed(1)
	places, count = [sys.argv[1]], int(sys.argv[2])
	while len(places) < count // 12:
	    places.append(os.path.join(random.choice(places[-60:] if len(places) % 2 else places), f"d{len(places)}"))
	for place in places:
	    os.makedirs(place, exist_ok=True)
	for number in range(count):
	    name = os.path.join(places[number % len(places)], f"file{number}.c")
	    if number % 100 == 99:
	        os.symlink("file1.c", name)
	    else:
	        with open(name, "wb") as file:
	            file.write(random.randbytes(min(int(random.lognormvariate(7.9, 1.3)), 1 << 20)))
	END
	[[ $user_name != unprivileged ]] || chown -R "$user:$user" -- "$room/large$1"
	sleep 2	# so that no time stamp is too young to be trusted
}

measure_patterns() {
	prepare_large 100000
	compare -r 9 --- none "$pinfold" run -q -C "$room/large100000" -- true --- \
		pattern "$pinfold" run -q -C "$room/large100000" --set "filesystem.hidden=$room/large100000/**/*.pem" -- true || return
	verdict patterns '<=' 1.80
}

# to_rsync NAME COUNT LIMIT [OPTION…]: a kept copy is brought up to date.
to_rsync() {
	local name=$1 count=$2 limit=$3
	shift 3
	prepare_large "$count"
	compare -r "$((count > 10000 ? 5 : 15))" "$@" --- \
		rsync rsync -a --delete "$room/large$count/" "$room/mirror$count/" --- \
		sync "$work/sync" "$room/large$count" "$room/scratch" || return
	verdict "$name" '<=' "$limit"
}

# The same where the last command could only read the copy.
to_untouched() {
	local scratch=$room/scratch-readable sync
	sync="$work/sync $room/large$2 $scratch 0 untouched"
	"${as[@]}" $sync >/dev/null && sleep 0.1 && "${as[@]}" $sync >/dev/null || return
	compare -r 5 --- rsync rsync -a --delete "$room/large$2/" "$room/mirror$2/" --- sync $sync || return
	verdict "$1" '<=' "$3"
}

# The ten change again before each command, so both have something to do.
measure_warm() {
	local missed=0 changes
	prepare_large 100000
	changes="for i in 0 1 2 3 4 5 6 7 8 9; do echo \$\$ >>'$room/large100000/file'\$((\$i * 8333)).c; done"
	to_rsync warm 10000 0.20 || missed=1
	to_rsync warm-100k 100000 0.18 || missed=1
	verdict_memory warm-memory 20 || missed=1
	to_untouched warm-readable 100000 0.12 || missed=1
	to_rsync warm-10-of 100000 0.18 -b "$changes" || missed=1
	return $missed
}

measure_uncached() {
	if [[ $user_name != root ]]; then say "uncached: skipped for this user, only root can drop what the kernel holds in memory"; return 0; fi
	to_rsync uncached 100000 0.40 -b 'sync; echo 3 >/proc/sys/vm/drop_caches'
}

measure_status() {
	local count limit missed=0
	for count in 1000:0.85 10000:0.80 100000:0.60; do
		limit=${count#*:} count=${count%:*}
		prepare_large "$count"
		[[ -d $room/large$count.git ]] || in_git "$count" init -q || return
		in_git "$count" add -A || return
		compare -r "$((count > 10000 ? 7 : 31))" --- git git "--git-dir=$room/large$count.git" "--work-tree=$room/large$count" status --porcelain --- \
			sync "$work/sync" "$room/large$count" "$room/scratch" || return
		verdict "status-$count" '<=' "$limit" || missed=1
	done
	return $missed
}
in_git() {	# COUNT ARGUMENT…: the repository lies beside the tree
	"${as[@]}" git "--git-dir=$room/large$1.git" "--work-tree=$room/large$1" "${@:2}"
}

measure_cold() {
	local count missed=0 few=
	for count in 10000 100000; do
		prepare_large "$count"
		compare -r "$((count > 10000 ? 2 : 5))" --- cp cp -a "$room/large$count" "$room/cold{n}" --- \
			sync "$work/sync" "$room/large$count" "$room/cold{n}" || return
		rm -rf -- "$room"/cold*
		verdict "cold-$count" '<=' 0.55 || missed=1
		few=${few:-$peak}
	done
	verdict_memory cold-memory 20 || missed=1
	verdict_growth cold-growth "$few" 10 || missed=1
	return $missed
}

# In a mount namespace of its own, so that nothing stays mounted. On btrfs more of the work is the kernel's: what
# a clone leaves to do is done by the kernel's own threads, which take the processors from those that copy.
measure_reflink() {
	local kind missed=0
	if [[ $user_name != root ]]; then say "reflink: skipped for this user, only root can mount an image"; return 0; fi
	prepare_large 10000
	for kind in btrfs xfs; do
		if ! on_image "$kind" true 2>"$work/result"; then
			say "reflink-$kind: skipped, no image can be made and mounted here (mkfs.$kind, a loop device, $kind in the kernel): $(tail -n 1 "$work/result")"
			continue
		fi
		on_image "$kind" first_copies "$room/large10000" >"$work/result" || { say "the measurement failed"; return 1; }
		read -r _ reference _ _ <"$work/result"
		read -r _ ours _ ratio _ < <(tail -n 1 "$work/result")
		verdict "cold-$kind" '<=' "$([[ $kind == btrfs ]] && echo 0.80 || echo 0.55)" || missed=1
	done
	return $missed
}
on_image() (	# KIND FUNCTION ARGUMENT…: where $image is such a file system
	image=$room/image kind=$1
	shift
	export image room work
	trap 'rm -f -- "$room/image.$kind"' EXIT
	mkdir -p -- "$image"
	truncate -s 8G "$room/image.$kind" && "mkfs.$kind" -q "$room/image.$kind" >/dev/null || exit
	export -f first_copies
	unshare --mount --propagation private bash -c 'mount -o loop "$1" "$image" && shift && "$@"' image "$room/image.$kind" "$@"
)
first_copies() {	# TREE
	cp -a "$1" "$image/large" && sync && sleep 2 && "$work/alternate" -r 5 --- \
		cp cp -a "$image/large" "$image/cold{n}" --- sync "$work/sync" "$image/large" "$image/cold{n}"
}

# verdict_memory NAME MEGABYTES: of the last comparison; of rsync it is the larger of its processes.
verdict_memory() {
	local word=PASS
	((peak <= $2 * 1024)) || word=FAIL
	printf '%-12s %-13s %9.2f MB %12s %8s %9s %s %s\n' "$1" "$user_name" "$(awk "BEGIN { print $peak / 1024 }")" '' '' '<=' "$2" "$word"
	[[ $word == PASS ]]
}

# verdict_growth NAME KILOBYTES TIMES: of the last comparison's memory to what as many times fewer files took.
verdict_growth() {
	local word=PASS growth
	growth=$(awk "BEGIN { printf \"%.3f\", $peak / $2 }")
	awk "BEGIN { exit !($growth <= $3) }" || word=FAIL
	printf '%-12s %-13s %9.2f MB %9.2f MB %8.3f %9s %s %s\n' "$1" "$user_name" \
		"$(awk "BEGIN { print $peak / 1024 }")" "$(awk "BEGIN { print $2 / 1024 }")" "$growth" '<=' "$3" "$word"
	[[ $word == PASS ]]
}

measure_whole() {
	local count limit missed=0
	for count in 1000:0.16 10000:0.18; do
		limit=${count#*:} count=${count%:*}
		prepare_large "$count"
		cd -- "$room/large$count"
		compare -r 15 --- rsync+bwrap sh -c "rsync -a --delete '$room/large$count/' '$room/mirror$count/' && exec $(bubblewrap "$room/large$count" "$room/mirror$count") true" --- \
			pinfold "$pinfold" run -q -- true || return
		verdict "whole-$count" '<=' "$limit" || missed=1
	done
	return $missed
}

# Trees of 12 files in a directory.
prepare_sizes() {
	local size
	[[ ! -d $room/size1000 ]] || return 0
	for size in 1000 100000; do
		python3 - "$room/size$size" "$size" <<-'END'
		import os, sys
		for number in range(int(sys.argv[2])):
		    place = os.path.join(sys.argv[1], f"d{number // 1200}", f"d{number // 12}")
		    if number % 12 == 0:
		        os.makedirs(place)
		    with open(os.path.join(place, f"file{number}.c"), "w") as file:
		        file.write("int i;\n")
		END
		[[ $user_name != unprivileged ]] || chown -R "$user:$user" -- "$room/size$size"
	done
}

measure_overlay() {
	prepare_sizes
	compare -r 60 --- small "$pinfold" run -q --view overlay -C "$room/size1000" -- true --- \
		large "$pinfold" run -q --view overlay -C "$room/size100000" -- true || return
	verdict overlay '<=' 1.15
}

# 100,000 files of C in a repository, and ten of them changed in the copy.
prepare_changed() {
	local git="git -c user.name=bench -c user.email=bench@localhost"
	cd -- "$room/changed" 2>/dev/null && return
	mkdir -p -- "$room/changed"
	python3 - "$room/changed" <<-'END'
	import os, random, sys
	random.seed(1)
	places = [sys.argv[1]]
	while len(places) < 8334:
	    places.append(os.path.join(random.choice(places[-60:] if len(places) % 2 else places), f"d{len(places)}"))
	for place in places:
	    os.makedirs(place, exist_ok=True)
	for number in range(100000):
	    with open(os.path.join(places[number % len(places)], f"file{number}.c"), "w") as file:
	        for line in range(int(random.lognormvariate(2, 1))):
	            file.write(f"int f{line}(void) {{ return {random.random()}; }}\n")
	END
	[[ $user_name != unprivileged ]] || chown -R "$user:$user" -- "$room/changed"
	cd -- "$room/changed"
	"${as[@]}" sh -c "git init -q . && git add -A && $git commit -qm all && git repack -adq && git status" >/dev/null
	sleep 2
	"${as[@]}" "$pinfold" run -q -- sh -c 'find . -name "file*77.c" | head -n 10 | while read -r file; do echo "int last;" >>"$file"; done'
	sleep 2
}

measure_summary() {
	prepare_changed
	compare -r 9 --- git git status --- pinfold "$pinfold" diff --summary || return
	verdict summary '<=' 0.60
}

measure_diff() {
	prepare_changed
	compare -r 9 --- git git status --- pinfold "$pinfold" diff || return
	verdict diff '<=' 0.60
}

# verdict_difference NAME MILLISECONDS: of the medians of the last comparison.
verdict_difference() {
	local word=PASS difference
	difference=$(awk "BEGIN { printf \"%.2f\", ($ours - $reference) / 1000 }")
	awk "BEGIN { exit !($difference <= $2) }" || word=FAIL
	printf '%-12s %-13s %9.2f ms %9.2f ms %5.2f ms %8s %s ms %s\n' "$1" "$user_name" \
		"$(awk "BEGIN { print $ours / 1000 }")" "$(awk "BEGIN { print $reference / 1000 }")" "$difference" '<=' "$2" "$word"
	[[ $word == PASS ]]
}

# A build that calls the compiler itself: what differs is only what we did about the wrapper.
prepare_build() {
	local i
	[[ ! -d $room/build ]] || return 0
	mkdir -p -- "$room/build"
	for i in {1..12}; do
		{ echo '#include <stdio.h>'; awk -v i="$i" 'BEGIN { for (n = 0; n < 150; n++) printf "int f%d_%d(int a) { printf(\"%%d\", a); return a * %d; }\n", i, n, n }'; } >"$room/build/file$i.c"
	done
	printf '%s\n' 'all: $(patsubst %.c,%.o,$(wildcard *.c))' '%.o: %.c; cc -c -O0 $< -o $@' >"$room/build/Makefile"
	[[ $user_name != unprivileged ]] || chown -R "$user:$user" -- "$room/build"
	sleep 2
}

# first_trial NAME LIMIT BEFORE BUILD…: what a run takes longer that tries a wrapper, to the build that it makes.
first_trial() {
	local name=$1 limit=$2 before=$3 kept
	shift 3
	"${as[@]}" "$work/alternate" -r 9 -b "$before" --- build "$@" --- \
		kept "$pinfold" run -q -- sh -c : --- \
		tried "$pinfold" run -q --set wrappers.measure=always -- sh -c : >"$work/result" || { say "the measurement failed"; return 1; }
	read -r _ reference _ _ <"$work/result"
	kept=$(awk 'NR == 2 { print $2 }' "$work/result")
	ours=$(awk -v kept="$kept" 'NR == 3 { print $2 - kept }' "$work/result")
	ratio=$(awk "BEGIN { printf \"%.3f\", $ours / $reference }")
	verdict "$name" '<=' "$limit"
}

measure_wrappers() {
	local missed=0 part
	for part in kept_wrapper kept_wrapper_with_server kept_build trial_of_c trial_of_cargo; do
		"$part" || missed=1
	done
	return $missed
}

kept_wrapper() {
	compare -r 60 --- none env CC=cc "$pinfold" run -q -- sh -c : --- kept env "CC=ccache cc" "$pinfold" run -q -- sh -c : || return
	verdict_difference wrapper-kept 1.0
}

# Its server starts when somebody compiles: one that is started for every command would cost its start.
kept_wrapper_with_server() {
	compare -r 60 --- none env CC=cc "$pinfold" run -q -- sh -c : --- kept env "CC=sccache cc" "$pinfold" run -q -- sh -c : || return
	verdict_difference wrapper-kept-server 1.0
}

kept_build() {
	prepare_build
	compare -r 9 --- none env CC=cc "$pinfold" run -q -C "$room/build" -- make -s --- \
		kept env "CC=ccache cc" "$pinfold" run -q -C "$room/build" -- make -s || return
	verdict wrapper-make '<=' 1.03
}

trial_of_c() {
	local probe=$room/probe before=("${as[@]}") status=0
	as+=("CC=ccache cc")
	"${as[@]}" mkdir -p -- "$probe"
	first_trial wrapper-cc 2.2 "echo 'int f'\$\$'(void) { return 0; }' >'$probe/probe.c'" \
		ccache cc -c "$probe/probe.c" -o "$probe/probe.o" || status=1
	as=("${before[@]}")
	return $status
}

trial_of_cargo() {
	local probe=$room/probe/crate server=$((18000 + RANDOM % 1000)) status=0 before=("${as[@]}")
	if [[ $user_name == unprivileged ]] || ! command -v cargo >/dev/null; then say "wrapper-cargo: skipped, no cargo for this user"; return 0; fi
	as+=("RUSTC_WRAPPER=sccache" "SCCACHE_SERVER_PORT=$server" "CARGO_INCREMENTAL=0" "SCCACHE_IDLE_TIMEOUT=60"
		"CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}" "RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}")
	mkdir -p -- "$probe/src"
	printf '[package]\nname = "probe"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n' >"$probe/Cargo.toml"
	first_trial wrapper-cargo 2.2 "rm -rf '$probe/target'; sccache --stop-server >/dev/null 2>&1; echo 'pub fn f'\$\$'() {}' >'$probe/src/lib.rs'" \
		cargo build -q --offline --manifest-path "$probe/Cargo.toml" --target-dir "$probe/target" || status=1
	"${as[@]}" sccache --stop-server >/dev/null 2>&1
	as=("${before[@]}")
	return $status
}
