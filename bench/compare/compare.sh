# bench/compare/compare.sh - `./dev bench compare`: pinfold beside other tools, in numbers and in properties that
# are tried on each of them, as a page. Sourced by bench.sh.

. "$top/bench/compare/rows.sh"
. "$top/bench/compare/install.sh"
. "$top/bench/compare/page.sh"

compare_packages=(make=make perl-base=perl python3=/usr/bin/python3 socat=socat ripgrep=rg attr=getfattr)
declare -A numbers	# "BLOCK NAME": microseconds, ratio and KiB

compare_with_others() {
	local option measured=() to_page= again=
	for option; do
		case $option in
		--page) to_page=yes ;;
		--again) again=yes ;;
		--with=*) read -ra measured <<<"${option#*=}" ;;
		*) die "compare takes --page (writes COMPARISON.md), --with=COMMAND (in front of what is measured) and --again (the last result)" ;;
		esac
	done
	if [[ $again ]]; then
		[[ $(head -n 1 "$build/compare/result" 2>/dev/null) == "# $(rows_digest)" ]] ||
			die "no result of the present rows is in build/compare: ./dev bench compare"
		. "$build/compare/result"
	else
		measure_others
	fi
	page >"$build/compare/COMPARISON.md"
	[[ ! $to_page ]] || cp -- "$build/compare/COMPARISON.md" "$top/COMPARISON.md"
	grep '^[|#]' "$build/compare/COMPARISON.md"
}

rows_digest() { declare -p peers others reviews probes | cksum; }

measure_others() {
	((EUID == 0)) || die "compare needs root: it makes a person with a home, a name and a mount namespace"
	need "${build_packages[@]}" "${bench_packages[@]}" "${compare_packages[@]}"
	prepare_sources
	choose_work bench
	user=$((user + 100))	# another number than that of tests, whose files stay where they are
	home=/home/pinfold-compare
	[[ ! -e $home ]] || die "$home is there: remove it where no other comparison runs"
	trap leave_person EXIT
	clear_work
	mkdir -p -- "$work/peers"
	prepare_programs
	prepare_person
	install_peers
	try_peers
	measure_blocks
	say "properties"
	answers=$("${in_room[@]}" "$work/probe" "$work" "$work/usable")
	facts=$(machine_facts)
	{ echo "# $(rows_digest)"; declare -p numbers reasons versions answers facts; } >"$build/compare/result"
}

machine_facts() {
	printf '%s, Linux %s on %s, %d processors (%s), the home on %s' "$(date -u +%F)" "$(uname -r | cut -d - -f 1)" \
		"$(. /etc/os-release; echo "$PRETTY_NAME")" "$(nproc)" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
		"$(stat -f -c %T "$home")"
}

leave_person() {
	local place
	for place in /tmp /var/tmp /dev/shm; do
		find "$place" -maxdepth 1 -uid "$user" -exec chmod -R u+rwX {} + -exec rm -rf {} + 2>/dev/null || :
	done
	rm -rf -- "$home"
	clear_work
}

prepare_person() {
	local name
	cp -- "$top"/bench/compare/{rows.sh,room,probe,host.py,terminal.py} "$work"
	cp -a /etc "$work/etc"
	echo "${home##*/}:x:$user:$user::$home:/bin/bash" >>"$work/etc/passwd"
	echo "${home##*/}:x:$user:" >>"$work/etc/group"
	mkdir -p -- "$home" "$work/pristine/tree/src"
	prepare_pristine
	cp -a "$work/pristine/." "$home"
	for name in plain strict; do
		printf '{"network": {"allowedDomains": [], "deniedDomains": []}, "filesystem": {"denyRead": [%s], "allowRead": ["."], "allowWrite": ["."], "denyWrite": []}}\n' \
			"$([[ $name == plain ]] || printf '"%s"' "$home")" >"$work/peers/srt-$name.json"
	done
	chown -R "$user:$user" -- "$home" "$work/pristine"
	chmod 0700 "$home" "$work/pristine"
	in_room=("$work/room" "$work" "$home" "$user"
		"$work/stage/bin:$work/peers/npm/node_modules/.bin:$work/peers/go/bin:$work/peers/crates/bin:$(reachable_path)")
}

# What a person has at home, and a small tree with a build that is done.
prepare_pristine() {
	local i name
	cd "$work/pristine" || return
	mkdir -p .ssh .aws .config/gh
	for name in .ssh/id_ed25519 .aws/credentials .config/gh/hosts.yml .netrc .npmrc .git-credentials .bash_history; do
		echo "SECRET of $name" >"$name"
		chmod 0600 "$name"
	done
	chmod 0700 .ssh
	echo "Dear reader" >letter.txt
	: >.bashrc
	cd tree || return
	echo original >kept
	for i in {1..20}; do echo "$i" >"src/file$i"; done
	printf 'out: kept\n\tcp kept out\n' >Makefile
	sleep 0.05
	make -s
	git init -q
	rm -f .git/hooks/*
	git add -A
	git -c user.name=p -c user.email=p@localhost commit -q -m first
	cd "$top" || return
}

# --- numbers: all of them in each round ------------------------------------------------------------
measure_blocks() {
	say "start"
	measure_block start -r 31
	say "throughput"
	measure_block throughput -r 5 -c 8 -k 16
	say "a tree of 10,000 files"
	room=$home user_name=unprivileged
	prepare_large 10000
	rm -rf -- "$home/tree"
	mv -- "$home/large10000" "$home/tree"
	measure_block tree -r 15
}

# measure_block NAME OPTION…: bubblewrap first, to which the ratios are. Who fails on the way is left out, and said.
measure_block() {
	local block=$1 i microseconds ratio peak names ways failed
	shift
	variants_of "$block"
	until measured_in_turn "$@"; do
		failed=$(sed -n 's/^alternate: \([0-9][0-9]*\).*/\1/p' "$work/errors" | head -n 1)
		[[ $failed ]] && ((failed > 0)) || { cat "$work/errors" >&2; die "the measurement failed"; }
		say "left out, as it failed: ${names[failed]}"
		numbers["$block ${names[failed]}"]=fails
		unset "names[failed]" "ways[failed]"
	done
	while read -r i microseconds _ ratio peak; do
		numbers["$block ${names[i]}"]="$microseconds $ratio $peak"
	done <"$work/result"
}

variants_of() {	# BLOCK: sets names and ways
	local row name way only
	names=(bubblewrap) ways=("$(way_of bubblewrap)")
	while read -r name; do
		[[ $name != bubblewrap ]] || continue
		names+=("$name")
		ways+=("$(way_of "$name")")
	done <"$work/usable"
	for row in "${others[@]}"; do
		IFS='|' read -r name way only <<<"$row"
		[[ ! $only || $only == "$1" ]] || continue
		names+=("$name")
		ways+=("$way")
	done
}

measured_in_turn() {	# OPTION…
	local i arguments=()
	for i in "${!names[@]}"; do
		words_of "${ways[i]}"
		arguments+=(--- "$i" "${words[@]}" /bin/true)
	done
	"${measured[@]}" "${in_room[@]}" "$work/alternate" "$@" "${arguments[@]}" >"$work/result" 2>"$work/errors"
}
