# tests/check.sh - `./dev check`: every variant built and tested, and one line of counts at the end.
# Sourced by dev.

. "$top/tests/work.sh"

passed=0 failed=0 skipped=0 ahead= real=
variants=(gcc clang gcc-sanitized)
suites=(gcc)	# the end-to-end tests take as long as all others: of the rest they are run when it is asked for
only=(lint unit suite escape real dist)

check() {
	local started=$SECONDS variant
	check_options "$@"
	need "${build_packages[@]}" "${check_packages[@]}"
	[[ " ${variants[*]} " != *" clang-sanitized "* ]] || need_clang_runtime
	prepare_sources
	exec {lock}>"$build/check-lock"
	flock -n "$lock" || die "another check of this checkout is running"
	choose_work check
	trap 'end_ahead; clear_work' EXIT
	clear_work
	mkdir -p -- "$work/tmp" "$build/logs"
	rm -f -- "$build/logs"/*
	touch -- "$work/started"
	for variant in "${variants[@]}"; do check_variant "$variant"; done
	! wanted lint || check_lint
	! wanted dist || check_dist
	check_nothing_left
	printf 'dev: %d s\n' $((SECONDS - started))
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	((failed == 0 && passed > 0))
}

check_options() {
	local option sanitize= compiler=
	local -a chosen=()
	for option; do
		case $option in
		--quick) variants=(gcc) only=(unit suite escape) ;;
		--sanitize) sanitize=yes ;;
		--cc=gcc | --cc=clang) compiler=${option#*=} ;;
		--only=lint | --only=unit | --only=suite | --only=escape | --only=real | --only=dist) chosen+=("${option#*=}") ;;
		*) die "unknown option '$option' of check; ./dev --help lists them" ;;
		esac
	done
	[[ -z $sanitize ]] || { variants=(gcc-sanitized clang-sanitized) only=(unit suite); }
	[[ -z $compiler ]] || { variants=("$compiler${sanitize:+-sanitized}"); [[ $compiler == gcc ]] || only=(unit suite); }
	[[ -z $sanitize$compiler ]] || suites=("${variants[@]}")
	((${#chosen[@]} == 0)) || only=("${chosen[@]}")
}

wanted() { [[ " ${only[*]} " == *" $1 "* ]]; }

# --- counting -------------------------------------------------------------------------------------
# count WHAT PASSED FAILED SKIPPED
count() {
	passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
	printf '%s: %d passed, %d failed, %d skipped (%d s)\n' "$1" "$2" "$3" "$4" $((SECONDS - phase_started))
}

# phase LOG COMMAND…: the output goes to build/logs/LOG.
phase() {
	local log=$build/logs/$1
	shift
	phase_started=$SECONDS
	"$@" >"$log" 2>&1 </dev/null
}

failure() {	# WHAT LOG
	tail -n 40 -- "$build/logs/$2"
	count "$1 (all of it: build/logs/$2)" 0 1 0
}

# A program of cmocka counts its tests; any other counts as one.
count_automake() {	# WHAT BUILD-DIRECTORY STATUS LOG
	local what=$1 trs log result p=0 f=0 s=0 counts
	for trs in "$2"/tests/*.trs "$2"/tests/fuzz/*.trs; do
		[[ -e $trs ]] || continue
		log=${trs%.trs}.log
		result=$(sed -n 's/^:global-test-result: *//p' "$trs")
		read -ra counts < <(awk '/^\[  PASSED  \] [0-9]+ test/ { p += $4 } /^\[  SKIPPED \] [0-9]+ test/ { s += $4 }
			/^\[  FAILED  \] [0-9]+ test/ { f += $4 } END { print p + 0, f + 0, s + 0 }' "$log")
		[[ ${counts[*]} != "0 0 0" ]] || case $result in
		PASS | XFAIL) counts=(1 0 0) ;;
		SKIP) counts=(0 0 1) ;;
		esac
		p=$((p + counts[0])) s=$((s + counts[2]))
		case $result in
		PASS | XFAIL | SKIP) f=$((f + counts[1])) ;;
		*)
			f=$((f + (counts[1] > 0 ? counts[1] : 1)))
			printf '%s\n' "--- ${log##*/}"
			tail -n 30 -- "$log"
			;;
		esac
		show_skips "$log"
	done
	if ((f == 0 && ($3 != 0 || p == 0))); then
		failure "$what" "$4"
	else
		count "$what" "$p" "$f" "$s"
	fi
}

# Each skipped test, with the line before it: what was missing.
show_skips() {
	grep -hE -B1 "^\[  SKIPPED \] [a-z]" -- "$1" | grep -vE "^(\[ +(RUN|OK)|--$|\[  SKIPPED \] [0-9])" | sort -u || :
	grep -hE '^(SKIP|skip)' -- "$1" | sort -u || :
}

# A script that ends with `N passed, N failed, N skipped`.
count_script() {	# WHAT LOG STATUS
	local line
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$build/logs/$2" | tail -n 1) || :
	# A failure with all that its test said, which is indented below it.
	awk '/^(skip|SKIP|FAIL|not ok)/ { print; failed = !/^(skip|SKIP)/; next } /^[ \t]/ && failed { print; next } { failed = 0 }' \
		"$build/logs/$2"
	if [[ ! $line ]] || { (($3 != 0)) && [[ $line == *" 0 failed"* ]]; }; then
		printf '%s: it ended with status %s\n' "$1" "$3"
		failure "$1" "$2"
		return
	fi
	[[ $line == *" 0 failed"* ]] || tail -n 60 -- "$build/logs/$2"
	line=${line//[!0-9 ]/}
	count "$1" $line
}

# --- variants -------------------------------------------------------------------------------------
check_variant() {
	local name=check-$1 stage=$work/$1
	[[ $1 == "${variants[0]}" ]] || await_ahead
	phase "$1-build" build_variant "$1" || { failure "$1: build" "$1-build"; return; }
	if wanted unit; then
		rm -f -- "$build/$name"/tests/*.trs "$build/$name"/tests/fuzz/*.trs
		local status=0
		phase "$1-unit" make_in "$name" TMPDIR="$work/tmp" check || status=$?
		count_automake "$1: make check" "$build/$name" "$status" "$1-unit"
	fi
	wanted suite || wanted escape || wanted real || return 0
	phase "$1-install" make_in "$name" install || { failure "$1: make install" "$1-install"; return; }
	! wanted real || [[ $1 != gcc ]] || begin_real "$stage"
	[[ $1 != "${variants[0]}" ]] || begin_ahead
	! wanted suite || check_installed "$1" "$name" "$stage"
	! wanted escape || [[ " ${suites[*]} " != *" $1 "* ]] || check_escape "$1" "$name" "$stage"
	[[ ! $real ]] || check_real "$1"
}

build_variant() {	# VARIANT
	local arguments=(--enable-werror "CC=${1%-sanitized}" "--prefix=$work/$1")
	# All but the first are built to be tested, and quickly: lines for the reports of sanitizers are enough.
	[[ $1 == gcc ]] || arguments+=(CFLAGS="-g1 -O1")
	[[ $1 != *-sanitized ]] || arguments+=(--enable-sanitizers)
	configured "check-$1" "${arguments[@]}" && make_in "check-$1" all
}

# The end-to-end tests of the first variant wait more than they compute: what only computes goes on beside them, after
# everybody else. What fails here is done again, and told, where its turn comes.
begin_ahead() {
	set -m	# a group of its own, to be ended as one
	(
		renice -n 19 "$BASHPID" >/dev/null
		for variant in "${variants[@]:1}"; do
			build_variant "$variant" || continue
			! wanted unit || make_in "check-$variant" check TESTS= || continue
		done
		! wanted lint || lint
	) >"$build/logs/ahead" 2>&1 </dev/null &
	ahead=$!
	set +m
}

await_ahead() { [[ ! $ahead ]] || { wait "$ahead" || :; ahead=; }; }
end_ahead() {
	local job
	for job in $ahead $real; do kill -- "-$job" 2>/dev/null || :; done
}

# Real projects compute, too: they are built before what is only done ahead, and counted when the suites are through.
begin_real() {	# STAGE
	give_tests
	set -m
	(
		renice -n 10 "$BASHPID" >/dev/null
		"$top/tests/real/fetch" "$build/cache" "$work/real" >"$build/logs/real-fetch" 2>&1 || exit
		run_both real "$work/tests/real/run" "$1/bin/pinfold" "$work/real"
	) </dev/null &
	real=$!
	set +m
}

# As whoever checks, and beside it as somebody without rights: much of what is done is waiting.
run_both() {	# LOG SCRIPT ARGUMENT…
	local log=$1 status=0 other=
	shift
	if ((EUID == 0)); then
		(
			"${as_user[@]}" ${PINFOLD_REQUIRE:+"PINFOLD_REQUIRE=$PINFOLD_REQUIRE"} ${real:+"SUITE_BESIDE=$real"} "$@" ||
				status=$?
			echo "$status" >"$work/$log-user.status"
		) >"$build/logs/$log-user" 2>&1 </dev/null &
		other=$!
	fi
	env "TMPDIR=$work/tmp" ${other:+${by_root:+"$by_root"}} ${real:+"SUITE_BESIDE=$real"} "$@" \
		>"$build/logs/$log" 2>&1 </dev/null || status=$?
	echo "$status" >"$work/$log.status"
	[[ ! $other ]] || wait "$other"
}

count_both() {	# WHAT LOG
	count_script "$1 as $(id -un)" "$2" "$(<"$work/$2.status")"
	((EUID != 0)) || count_script "$1 as an unprivileged user" "$2-user" "$(<"$work/$2-user.status")"
}

both_users() {	# WHAT LOG SCRIPT ARGUMENT…
	phase_started=$SECONDS
	run_both "${@:2}"
	count_both "$1" "$2"
}

# What an unprivileged user needs: scripts that can be read, and a home of its own.
give_tests() {
	[[ ! -d $work/home ]] || return 0
	mkdir -p -- "$work/tests" "$work/home/tmp"
	cp -R -- "$top/tests/suite" "$top/tests/real" "$top/tests/distcheck" "$top/tests/outside" "$work/tests/"
	cp -R -- "$top/examples" "$top/packaging" "$top/debian" "$top/configure.ac" "$work/"
	((EUID != 0)) || chown -R "$user:$user" -- "$work/home"
	chmod 0700 -- "$work/home"
}

check_installed() {	# VARIANT BUILD STAGE
	local status=0
	if phase "$1-installcheck" make_in "$2" TMPDIR="$work/tmp" installcheck; then
		count "$1: make installcheck" 1 0 0
	else
		failure "$1: make installcheck" "$1-installcheck"
	fi
	[[ " ${suites[*]} " == *" $1 "* ]] || return 0
	give_tests
	# With the arm that is for those without rights it runs as somebody who has none; root's escapes try it too.
	by_root="SUITE_ARMS=default namespaces copytree namespaces/overlay" \
		both_users "$1: suite" "$1-suite" "$work/tests/suite/run" "$3/bin/pinfold"
}

check_escape() {	# VARIANT BUILD STAGE
	local programs=tests/escape
	phase "$1-escape-build" make_in "$2" $programs/cases $programs/escape $programs/preload.la ||
		{ failure "$1: building the escape suite" "$1-escape-build"; return; }
	give_tests
	mkdir -p -- "$work/tests/escape"
	cp -- "$build/$2/$programs/cases" "$build/$2/$programs/.libs/preload.so" "$work/tests/escape/"
	make_escape "$2"
	both_users "$1: escapes" "$1-escape" "$work/tests/escape/escape" "$work/tests/escape/cases" \
		"$work/tests/escape/preload.so" "$3/bin/pinfold"
}

# What libtool linked, which is a program and not a script around one.
make_escape() {	# BUILD
	local program=$build/$1/tests/escape/escape
	[[ ! -x ${program%/*}/.libs/escape ]] || program=${program%/*}/.libs/escape
	cp -- "$program" "$work/tests/escape/escape"
}

check_real() {	# VARIANT
	phase_started=$SECONDS
	wait "$real" || { real=; failure "$1: fetching real projects" real-fetch; return; }
	real=
	count_both "$1: real projects" real
}

# What reads the sources without running them.
lint() {
	local status=0
	"$top/tests/lint/run" "$build/check-${variants[0]}" >"$build/logs/lint" 2>&1 || status=$?
	echo "$status" >"$work/linted"
}

check_lint() {
	phase_started=$SECONDS
	await_ahead
	[[ -e $work/linted ]] || lint
	count_script "lint" lint "$(<"$work/linted")"
}

# left_out_of TARBALL: what is kept here and is not in a release, but for a distribution's own packaging and git's marks.
left_out_of() {
	local kept
	kept=$(git -c safe.directory='*' -C "$top" ls-files -- . ':!debian' ':!.gitignore' ':!m4/.gitkeep') || return
	comm -23 <(sort <<<"$kept") <(xz -dc -- "$1" | tar -tf - | sed 's,^[^/]*/,,' | sort)
}

# What a checkout keeps is in the release, whatever this build was configured for.
check_released() {
	local missing
	[[ -e $top/.git ]] || { echo "skip a_release_holds_what_the_checkout_holds: this is no checkout of git"; count "release" 0 0 1; return; }
	missing=$(left_out_of "$1" 2>&1) || missing="git ls-files: $missing"
	[[ -n $missing ]] || { count "release" 1 0 0; return; }
	printf 'not in the release: %s\n' $missing
	count "release" 0 1 0
}

# The tarball, unpacked, built, tested, installed and removed by someone who is not root.
check_dist() {
	local name=check-${variants[0]} tarball status=0
	phase dist make_in "$name" dist-xz || { failure "make dist" dist; return; }
	tarball=$(echo "$build/$name"/pinfold-*.tar.xz)
	give_tests
	mv -- "$tarball" "$work/release.tar.xz"
	check_released "$work/release.tar.xz"
	phase distcheck "${as_user[@]}" "$work/tests/distcheck" "$work/release.tar.xz" "$work/home/dist" || status=$?
	((status == 0)) || { failure "make distcheck" distcheck; return; }
	count "make distcheck" \
		"$(awk '/^# PASS:/ { n += $3 } END { print n + 1 }' "$build/logs/distcheck")" 0 \
		"$(awk '/^# SKIP:/ { n += $3 } END { print n + 0 }' "$build/logs/distcheck")"
}

# Nothing that was started runs on, nothing that was mounted or made stays.
check_nothing_left() {
	local pid left=() name try
	phase_started=$SECONDS
	for pid in /proc/[0-9]*; do
		[[ $(readlink "$pid/exe" 2>/dev/null) != "$work/"* ]] || left+=("process ${pid##*/} ($(readlink "$pid/exe"))")
	done
	while read -r _ _ _ _ name _; do
		[[ $name != "$work"* ]] || left+=("mount $name")
	done </proc/self/mountinfo
	for ((try = 0; try < 10; try++)); do
		name=$(find /tmp /var/tmp /dev/shm "$work/tmp" "$work/home/tmp" -mindepth 1 -maxdepth 1 -name '*pinfold*' \
			-cnewer "$work/started" \( -user "$EUID" -o -user "${user:-$EUID}" \) 2>/dev/null || :)
		[[ $name ]] || break
		sleep 1	# another user's or checkout's tests may be running
	done
	[[ ! $name ]] || left+=("$name")
	if ((${#left[@]})); then
		printf 'left behind: %s\n' "${left[@]}"
		count "nothing is left" 0 1 0
	else
		count "nothing is left" 1 0 0
	fi
}
