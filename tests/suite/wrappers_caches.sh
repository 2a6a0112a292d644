# tests/suite/wrappers_caches.sh - real caches, and what people told of theirs under confinement.
# every arm
. "$here/wrapping"

needs() {
	local program
	for program; do command -v "$program" >/dev/null || skip "no $program"; done
}
only_confined() { confined || skip "this arm does not keep what the test is about"; }
source_of() { echo "int f(void) { return $1; }"; }
picture() { (cd -- "$1" && find . -printf '%P %y %m %s %T@ %C@ %l\n' | sort; find "$1" -type f -exec cksum {} + | sort); }
count_of() { sed -nE "s/^$1[[:space:]]+([0-9]+)\$/\1/p" "$2" | head -n 1; }

# Every sccache in PATH in every mode that its version has: $sccache, $mode, and what names it exported.
sccache_modes() {	# FUNCTION
	local version mode
	while read -r sccache; do
		version=$("$sccache" --version | sed -nE 's/^sccache ([0-9]+)\.([0-9]+).*/\1 * 1000 + \2/p')
		for mode in port socket client; do
			[[ $mode != socket ]] || ((version >= 9)) || continue
			[[ $mode != client ]] || ((version >= 17)) || continue
			echo "== $sccache, $mode"
			(
				export SCCACHE_DIR=$WORK/cache-$mode SCCACHE_SERVER_PORT=$((17000 + RANDOM % 3000)) SCCACHE_IDLE_TIMEOUT=120
				[[ $mode != socket ]] || export SCCACHE_SERVER_UDS=$WORK/s.socket
				[[ $mode != client ]] || export SCCACHE_CLIENT_SIDE=1
				rm -rf "$SCCACHE_DIR" && mkdir "$SCCACHE_DIR"
				trap '"$sccache" --stop-server >/dev/null 2>&1 || :' EXIT
				"$1"
			)
		done
	done < <(type -ap sccache | xargs -n 1 readlink -f | sort -u)
}

# A server of older versions of sccache can lose its start where the machine is busy: it tells a client that does not listen
# yet, and ends, while that waits for ten seconds. The next client starts another one, and so does this test.
served() {	# COMMAND…
	local i
	for i in {1..4}; do
		"$@"
		[[ $out$err == *'Timed out waiting for server startup'* ]] || break
		"$PINFOLD" wrappers --forget >/dev/null
	done
}

# Outside a port may be taken besides.
start_outside() {
	local i
	for i in {1..5}; do
		export SCCACHE_SERVER_PORT=$((17000 + RANDOM % 3000))
		! "$sccache" --start-server >/dev/null 2>&1 || return 0
	done
	skip "sccache starts no server on this machine"
}

hits_and_no_server_of_the_hosts() {
	source_of 41 >a.c
	start_outside
	"$sccache" cc -c a.c -o "$WORK/a.o"
	eventually 5 find_entry
	picture "$SCCACHE_DIR" >"$WORK/before"
	"$sccache" -s >"$WORK/stats"
	CC="$sccache cc" served run --set network.mode=host -- sh -c '$CC -c a.c -o a.o && sed -i s/41/42/ a.c && $CC -c a.c -o b.o &&
		! cmp -s a.o b.o && echo differ; echo "$CC"; ${CC% cc} -s'
	out_has "$sccache cc"
	out_has differ
	equal "$(count_of 'Cache hits' "$WORK/out") $(count_of 'Cache misses' "$WORK/out")" '1 1'
	picture "$SCCACHE_DIR" | diff "$WORK/before" -
	"$sccache" -s | diff "$WORK/stats" -
	[[ ! -e a.o && ! -e b.o ]]
}
find_entry() { [[ $(find "$SCCACHE_DIR" -type f) ]]; }

sccaches_hits_come_from_the_host_and_its_server_outside_is_never_asked() {
	only_confined
	needs sccache cc
	sccache_modes hits_and_no_server_of_the_hosts
}

works_without_any_server() {
	source_of 41 >a.c
	CC="$sccache cc" served quick 30 run -- sh -c '$CC -c a.c -o a.o && echo "$CC"'
	out_is "$sccache cc"
	err_lacks wrapper
}

sccache_finds_no_server_outside_with_the_network_closed_and_is_kept_with_one_of_its_own() {
	only_confined
	needs sccache cc
	sccache_modes works_without_any_server
}

one_server_serves_clients_that_come_side_by_side() {
	only_confined
	needs sccache cc make
	sccache_modes eight_clients_at_once
}
eight_clients_at_once() {
	local i
	for i in {1..8}; do source_of "$i" >"b$i.c"; done
	printf '%s\n' 'all: $(patsubst %.c,%.o,$(wildcard b*.c))' '%.o: %.c; $(CC) -c -o $@ $<' >Makefile
	CC="$sccache cc" served run -- sh -c 'make -s -j8 && ${CC% cc} -s && ls b*.o | wc -l'
	status_is 0
	out_has $'\n8'
	# The one that compiles in its clients counts nothing.
	[[ $mode == client ]] || equal "$(count_of 'Compile requests' "$WORK/out")" 8
}

two_commands_at_once_have_a_server_each_and_neither_ends_the_others() {
	only_confined
	needs sccache cc
	for i in {1..12}; do source_of "$i" >"a$i.c"; done
	mkdir -p "$HOME/.cache/sccache"
	export CC='sccache cc'
	served run -q -- sh -c '$CC -c a1.c'
	local build='for i in 1 2 3 4 5 6 7 8 9 10 11 12; do $CC -c a$i.c -o a$i.o || exit 3; done; echo built' one
	side_by_side() {
		"$PINFOLD" run -q --arm namespaces --set network.mode=host -- sh -c "$build" >"$WORK/first" 2>&1 &
		one=$!
		run -q --set network.mode=host -- sh -c "$build"
		wait "$one" || :
		out+=$(<"$WORK/first")
	}
	served side_by_side
	out_is builtbuilt
}

# A server that a confined command started would be the next build's; here nothing confines it, and no
# program is configured that could start it.
sccaches_server_is_not_left_by_a_trial_that_started_it() {
	! keeps writes || skip "nothing can be left in this arm"
	needs sccache cc
	mkdir -p "$WORK/other/real"
	cp "$(command -v sccache)" "$WORK/other/real/sccache"
	# It makes a socket in its temporary directory, whose name would be too long below this test's home.
	printf '#!/bin/sh\nTMPDIR=/var/tmp exec "%s" "$@"\n' "$WORK/other/real/sccache" >"$WORK/other/sccache"
	chmod 0755 "$WORK/other/sccache"
	export SCCACHE_SERVER_PORT=$((17000 + RANDOM % 3000)) PATH=$WORK/other:$PATH CC='sccache cc'
	source_of 41 >a.c
	served run -- sh -c '$CC -c a.c -o a.o && echo "$CC"'
	out_is cc
	err_has 'the compiler wrapper sccache is switched off for this command: it left 1 process running'
	err_has '[wrapper:sccache] program names another one'
	never pgrep -u "$EUID" -f "^$WORK/other/"
	served run --set "wrapper:sccache.program=$WORK/other/sccache" -- sh -c '$CC -c a.c -o a.o && echo "$CC"'
	out_is 'sccache cc'
	sccache -s >"$WORK/stats"
	sccache --stop-server >/dev/null
	(($(count_of 'Compile requests executed' "$WORK/stats") >= 2))
}

a_server_of_another_user_is_not_used() {
	! keeps writes || skip "no server outside is used in this arm"
	as_root_only
	[[ -x /usr/bin/python3 ]] || skip "no /usr/bin/python3"
	make_cargo
	export SCCACHE_SERVER_PORT=$((17000 + RANDOM % 3000)) RUSTC_WRAPPER=sccache
	cp "$WORK/bin/good" "$WORK/bin/sccache"
	wrun --set "wrapper:sccache.program=$WORK/bin/sccache" -- sh -c "$settings"
	out_is RUSTC_WRAPPER=sccache
	setpriv --reuid 65534 --regid 65534 --clear-groups /usr/bin/python3 -c "
import socket, time
s = socket.socket(); s.bind(('127.0.0.1', $SCCACHE_SERVER_PORT)); s.listen(); time.sleep(60)" &
	at_end "kill $!"
	eventually 5 bash -c "exec 3<>/dev/tcp/127.0.0.1/$SCCACHE_SERVER_PORT" 2>/dev/null
	wrun --set "wrapper:sccache.program=$WORK/bin/sccache" -- sh -c "$settings"
	out_is "$all_off"
	err_has 'it belongs to another user'
}

# --- ccache ---------------------------------------------------------------------------------------------
ccache_of_a_home_that_is_not_there_or_not_writable_costs_hits_and_no_build() {
	needs ccache cc
	source_of 41 >a.c
	export CC='ccache cc'
	CCACHE_DIR=$WORK/gone run -- sh -c '$CC -c a.c -o a.o && echo compiled'
	out_is compiled
	! confined || [[ ! -e $WORK/gone ]]
	mkdir -p "$HOME/.cache/ccache"
	ccache cc -c a.c -o "$WORK/a.o"
	chmod -R a-w "$HOME/.cache/ccache"
	at_end 'chmod -R u+w "$HOME/.cache/ccache"'
	run -- sh -c '$CC -c a.c -o a.o && echo compiled'
	out_is compiled
}

ccache_is_found_where_its_own_configuration_puts_it() {
	only_confined
	needs ccache cc
	source_of 41 >a.c
	mkdir -p "$WORK/elsewhere" "$HOME/.config/ccache"
	printf '# where\n  cache_dir = ${HOME}/../elsewhere\nmax_size = 1G\n' >"$HOME/.config/ccache/ccache.conf"
	ccache cc -c a.c -o "$WORK/a.o"
	[[ $(find "$WORK/elsewhere" -type f) ]]
	picture "$WORK/elsewhere" >"$WORK/before"
	CC='ccache cc' run -q -- sh -c 'ccache -z >/dev/null; $CC -c a.c -o a.o && ccache --print-stats; sed -i s/41/43/ a.c; $CC -c a.c -o b.o && echo compiled'
	out_has compiled
	(($(count_of direct_cache_hit "$WORK/out") + $(count_of preprocessed_cache_hit "$WORK/out") == 1))
	picture "$WORK/elsewhere" | diff "$WORK/before" -
}

a_cache_that_is_shared_is_written_and_the_statement_says_what_that_means() {
	only_confined
	needs ccache cc
	source_of 41 >a.c
	mkdir -p "$HOME/.cache/ccache"
	export CC='ccache cc'
	run --receipt "$WORK/receipt" -- sh -c '$CC -c a.c -o a.o'
	[[ ! $(find "$HOME/.cache/ccache" -type f) ]]
	never grep -q 'later builds outside' "$WORK/receipt"
	run --set wrappers.cache=shared --receipt "$WORK/receipt" -- sh -c '$CC -c a.c -o a.o && echo compiled'
	out_is compiled
	[[ $(find "$HOME/.cache/ccache" -type f) ]]
	json "$WORK/receipt" 'd["arm"]["statement"]' | grep -q "What it writes into the cache $HOME/.cache/ccache is what later builds outside take"
	pf explain --set wrappers.cache=shared -- sh -c true
	out_has 'later builds outside'
}

hits_come_from_a_cache_that_can_only_be_read_or_the_reason_says_why_not() {
	[[ $ARM == landlock ]] || skip "only the arm landlock confines without layers here"
	needs ccache sccache cc
	source_of 41 >a.c
	mkdir -p "$HOME/.cache/ccache"
	ccache cc -c a.c -o "$WORK/a.o"
	picture "$HOME/.cache/ccache" >"$WORK/before"
	CC='ccache cc' run -- sh -c 'CCACHE_LOGFILE=log $CC -c a.c -o a.o && cat log; sed -i s/41/43/ a.c; $CC -c a.c -o b.o && echo compiled'
	out_has direct_cache_hit
	out_has compiled
	picture "$HOME/.cache/ccache" | diff "$WORK/before" -
	CC='sccache cc' run -- sh -c 'echo "$CC"; $CC -c a.c -o a.o && echo compiled'
	out_is $'cc\ncompiled'
	err_has "wrapper sccache is switched off for this command: it cannot run in the arm landlock"
	CC='sccache cc' run --set network.mode=host -- sh -c 'echo "$CC"; $CC -c a.c -o a.o && echo compiled'
	out_is $'cc\ncompiled'
	err_has "wrapper sccache is switched off for this command"
}

sources_on_standard_input_compile_through_a_wrapper_or_without_it() {
	needs ccache cc
	run -- sh -c 'echo "int x;" | ccache cc -c -xc - -o x.o && ls x.o'
	out_is x.o
	CC='ccache cc' run -- sh -c 'echo "int x;" | $CC -c -xc - -o x.o && ls x.o'
	out_is x.o
}

two_trees_that_differ_in_a_header_get_an_object_each_from_one_cache() {
	needs ccache cc
	mkdir -p "$HOME/.cache/ccache" "$WORK/second"
	export CC='ccache cc -g'
	echo 'int main(void) { return VALUE; }' | sed '1i #include "value.h"' | tee a.c >"$WORK/second/a.c"
	echo '#define VALUE 41' >value.h
	echo '#define VALUE 42' >"$WORK/second/value.h"
	$CC -c a.c -o "$WORK/a.o"
	local build='$CC -c a.c -o a.o && cc a.o -o a && ./a; echo $?; env | grep -c BASEDIR'
	run -- sh -c "$build"
	out_is $'41\n0'
	run -C "$WORK/second" -- sh -c "$build"
	out_is $'42\n0'
	run -- sh -c "sed -i s/41/43/ value.h; $build"
	out_is $'43\n0'
}

# --- whole projects -------------------------------------------------------------------------------------
# A rustup that belongs to the caller works from another home as well.
use_rust() {
	local home
	home=$(getent passwd "$EUID" | cut -d : -f 6) || home=
	[[ ${RUSTUP_HOME:-} || ! -d $home/.rustup ]] || export RUSTUP_HOME=$home/.rustup
	needs cargo rustc sccache cc
	cargo --version >/dev/null 2>&1 || skip "cargo does not work for this user"
}

make_workspace() {
	mkdir -p value/src shown/src
	printf '[workspace]\nmembers = ["value", "shown"]\nresolver = "2"\n' >Cargo.toml
	printf '[package]\nname = "value"\nversion = "0.1.0"\nedition = "2021"\n' >value/Cargo.toml
	printf '[package]\nname = "shown"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nvalue = { path = "../value" }\n' >shown/Cargo.toml
	echo 'pub fn value() -> u32 { 41 }' >value/src/lib.rs
	echo 'pub fn shown() -> String { format!("value {}", value::value()) }' >shown/src/lib.rs
	echo 'fn main() { println!("{}", shown::shown()); }' >shown/src/main.rs
}

a_cargo_workspace_is_served_from_the_hosts_cache_and_compiled_from_the_copys_sources() {
	only_confined
	use_rust
	make_workspace
	sccache=$(command -v sccache)
	export RUSTC_WRAPPER=sccache CARGO_INCREMENTAL=0 SCCACHE_DIR=$WORK/cache SCCACHE_IDLE_TIMEOUT=120
	mkdir "$SCCACHE_DIR"
	start_outside
	at_end "'$sccache' --stop-server >/dev/null 2>&1 || :"
	cargo build -q --offline
	eventually 5 find_entry
	rm -rf target
	picture "$SCCACHE_DIR" >"$WORK/before"
	"$sccache" -s | sort >"$WORK/stats"
	served run -- sh -c 'echo "$RUSTC_WRAPPER" && cargo build -q --offline && target/debug/shown && sccache -s && sed -i s/41/42/ value/src/lib.rs &&
		cargo build -q --offline && target/debug/shown'
	status_is 0
	out_has 'value 41'
	out_has 'value 42'
	(($(count_of 'Cache hits' "$WORK/out") >= 2))
	"$sccache" -s | sort | diff "$WORK/stats" -
	picture "$SCCACHE_DIR" | diff "$WORK/before" -
	[[ ! -e target && $(<value/src/lib.rs) == *41* ]]
}

a_project_of_make_is_served_from_the_hosts_cache_and_compiled_from_the_copys_sources() {
	only_confined
	needs ccache cc make
	local i
	for i in {1..9}; do echo '#include "value.h"' >"f$i.c"; echo "int f$i(void) { return VALUE; }" >>"f$i.c"; done
	echo '#define VALUE 41' >value.h
	printf '#include <stdio.h>\nint f9(void);\nint main(void) { return printf("value %%d\\n", f9()) < 0; }\n' >main.c
	printf '%s\n' 'shown: $(patsubst %.c,%.o,$(wildcard *.c)); $(CC) -o $@ $^' '%.o: %.c value.h; $(CC) -c -o $@ $<' >Makefile
	export CC='ccache cc'
	mkdir -p "$HOME/.cache/ccache"
	make -s
	rm -f ./*.o shown
	picture "$HOME/.cache/ccache" >"$WORK/before"
	run -- sh -c 'ccache -z >/dev/null; make -s && ./shown && ccache --print-stats && echo "#define VALUE 42" >value.h && make -s && ./shown'
	status_is 0
	out_has 'value 41'
	out_has 'value 42'
	(($(count_of direct_cache_hit "$WORK/out") + $(count_of preprocessed_cache_hit "$WORK/out") == 10))
	picture "$HOME/.cache/ccache" | diff "$WORK/before" -
	[[ ! -e shown && $(<value.h) == *41* ]]
}

# --- others ---------------------------------------------------------------------------------------------
distcc_compiles_inside_and_sends_nothing_away() {
	needs distcc cc
	source_of 41 >a.c
	export CC='distcc cc' DISTCC_HOSTS='127.0.0.1:9' DISTCC_VERBOSE=1
	run -- sh -c '$CC -c a.c -o a.o && ls a.o; echo "$CC"'
	out_has a.o
	! confined || { out_has 'distcc cc' && err_lacks 127.0.0.1:9; }
}

# pinfold's words, on a network with two compile servers: each run has one of its own.
among_hosts() {
	printf '#!/bin/sh\nexec "%s/two_hosts" "%s" "%s" "$@"\n' "$here" "$WORK" "$PINFOLD" >"$WORK/among"
	chmod 0755 "$WORK/among" "$WORK"
	"$here/two_hosts" "$WORK" true >"$WORK/why" 2>&1 ||
		skip "no network of two hosts can be made here: $(tail -n 1 "$WORK/why")"
	PINFOLD=$WORK/among
}
compiled_there() { echo "$(grep -c COMPILE_OK "$WORK/compiled1") $(grep -c COMPILE_OK "$WORK/compiled2")"; }

servers_of_distcc_compile_the_copys_sources_where_they_are_allowed_and_their_port_is_open() {
	only_confined
	needs distcc distccd ip nsenter unshare cc bash
	local i only='--set network.mode=ports --set network.connect=3632' allowed='--set wrapper:distcc.remote=yes'
	for i in {1..8}; do echo "int f$i(void) { return 41; }" >"f$i.c"; done
	echo 'int f8(void); int main(void) { return f8(); }' >main.c
	export CC='distcc cc' DISTCC_HOSTS='10.77.1.2/2 10.77.2.2/2' DISTCC_FALLBACK=0
	[[ $(pf explain $only -- true; cat "$WORK/out") != *'gap'*ports* ]] || skip "this kernel holds no ports"
	among_hosts
	run $only $allowed -- bash -c 'echo "$CC"; sed -i s/41/42/ f8.c; for i in {1..8}; do $CC -c f$i.c & done; wait
		cc main.c f?.o -o m && ./m; echo $?; (: </dev/tcp/10.77.1.2/3633) 2>/dev/null && echo open; :'
	status_is 0
	out_is $'distcc cc\n42'
	read -r first second <<<"$(compiled_there)"
	((first >= 1 && second >= 1 && first + second >= 8))
	unset DISTCC_FALLBACK
	run $only -- sh -c 'echo "$CC"; $CC -c f1.c && ls f1.o'
	out_is $'distcc cc\nf1.o'
	equal "$(compiled_there)" '0 0'
	run $allowed -- sh -c '$CC -c f1.c; ls f1.o'
	out_has f1.o
	equal "$(compiled_there)" '0 0'
}

# A daemon outside is known by a port and a word in a file that the same user can read.
a_build_daemon_outside_cannot_be_attached_to() {
	only_confined
	[[ -x /usr/bin/python3 ]] || skip "no /usr/bin/python3"
	mkdir -p "$HOME/.gradle/daemon"
	/usr/bin/python3 -c '
import socket, sys
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
open(sys.argv[1] + "/registry", "w").write(f"{s.getsockname()[1]} secret")
while True:
    peer, _ = s.accept(); open(sys.argv[1] + "/attached", "w").write("x"); peer.sendall(b"attached"); peer.close()' "$HOME/.gradle/daemon" &
	at_end "kill $!"
	eventually 5 test -s "$HOME/.gradle/daemon/registry"
	run -- /usr/bin/python3 -c '
import os, socket
port, token = open(os.path.expanduser("~/.gradle/daemon/registry")).read().split()
print(token)
try: print(socket.create_connection(("127.0.0.1", int(port)), 3).recv(99))
except OSError as why: print("cannot")'
	out_is $'secret\ncannot'
	[[ ! -e $HOME/.gradle/daemon/attached ]]
}

a_file_called_git_in_a_cache_is_written_like_any_other() {
	only_confined
	mkdir -p "$HOME/.cache/uv/sdists-v9" "$WORK/open/sdists-v9"
	local place
	for place in "$HOME/.cache/uv" "$WORK/open"; do
		run -q --set "filesystem.writable=$WORK/open" -- sh -c ': >"$0/sdists-v9/.git" && mkdir "$0/sdists-v10" && : >"$0/sdists-v10/.git" && echo written' "$place"
		out_is written
	done
	[[ -e $WORK/open/sdists-v9/.git && ! -e $HOME/.cache/uv/sdists-v9/.git ]]
}

toolchains_lock_and_fill_the_places_that_they_have_in_a_home() {
	only_confined
	mkdir -p "$HOME/.rustup" "$HOME/.cargo/registry" "$HOME/go/pkg/mod" "$HOME/.cache/go-build"
	echo 'version = "12"' >"$HOME/.rustup/settings.toml"
	run -q -- sh -c 'flock -x ~/.rustup/settings.toml -c "echo x >>~/.rustup/settings.toml" &&
		for d in .cargo/registry go/pkg/mod .cache/go-build; do mkdir ~/$d/new && : >~/$d/new/file || exit 1; done; echo filled'
	out_is filled
	equal "$(<"$HOME/.rustup/settings.toml")" 'version = "12"'
	[[ ! -e $HOME/.cargo/registry/new ]]
	pf explain -- sh -c true
	out_has "$HOME/.cache"
}

# Where each tool keeps what it has fetched or built, as of its current version and with nothing configured.
default_caches='
	cargo .cargo/registry/cache
	cargo .cargo/git/db
	rustup .rustup/toolchains
	go-build .cache/go-build/00
	go-modules go/pkg/mod/cache/download
	ccache .cache/ccache/0
	sccache .cache/sccache/0
	pip .cache/pip/http-v2
	uv .cache/uv/wheels-v5
	uv-python .local/share/uv/python
	poetry .cache/pypoetry/cache
	pipenv .local/share/virtualenvs
	npm .npm/_cacache/content-v2
	pnpm .local/share/pnpm/store/v10
	yarn-classic .cache/yarn/v6
	yarn-berry .yarn/berry/cache
	bun .bun/install/cache
	deno .cache/deno/npm
	node-gyp .cache/node-gyp
	gradle .gradle/caches/modules-2
	gradle-wrapper .gradle/wrapper/dists
	maven .m2/repository
	coursier .cache/coursier/v1
	ivy .ivy2/cache
	gem .local/share/gem/ruby
	bundler .bundle/cache
	composer .cache/composer/files
	nuget .nuget/packages
	nuget-http .local/share/NuGet/http-cache
	cabal .cache/cabal/packages
	cabal-store .local/state/cabal/store
	stack .stack/pantry
	opam .opam/download-cache
	hex .hex/packages
	conan .conan2/p
	vcpkg .cache/vcpkg/archives
	bazel .cache/bazel/_bazel_root
	zig .cache/zig/p
	dart .pub-cache/hosted
	swift .cache/org.swift.swiftpm/repositories
	julia .julia/packages
	nim .nimble/pkgs2
	dub .dub/packages
'
what_every_tool_keeps_by_default_is_hit_inside_and_what_it_adds_ends_with_the_run() {
	only_confined
	local tool place
	while read -r tool place; do
		[[ $tool ]] || continue
		mkdir -p "$HOME/$place"
		echo "of $tool" >"$HOME/$place/kept"
	done <<<"$default_caches"
	run -q --env CACHES="$default_caches" -- sh -c 'echo "$CACHES" | while read -r tool place; do
		[ ! "$tool" ] || { grep -qx "of $tool" ~/"$place/kept" && echo more >>~/"$place/kept" &&
			mv ~/"$place/kept" ~/"$place/moved" && mkdir ~/"$place/made" && : >~/"$place/made/file"; } || echo "$tool"
	done 2>&1'
	status_is 0
	out_is ""
	while read -r tool place; do
		[[ ! $tool ]] || equal "$tool: $(ls -A "$HOME/$place") $(<"$HOME/$place/kept")" "$tool: kept of $tool"
	done <<<"$default_caches"
}

# Yarn 1 puts it there for root.
roots_cache_beside_what_is_installed_is_hit_inside_and_what_is_added_ends_with_the_run() {
	only_confined
	as_root_only
	status=0
	unshare -m --propagation private bash -c 'mount -t tmpfs -o mode=0755 tmpfs /usr/local/share &&
		cd /usr/local/share && mkdir -p .cache/yarn && echo kept >.cache/yarn/kept && cd - >/dev/null &&
		"$PINFOLD" run -q --arm namespaces -- sh -c "cd /usr/local/share/.cache/yarn && cat kept && echo more >new && ls" &&
		ls /usr/local/share/.cache/yarn' >"$WORK/out" 2>"$WORK/err" || status=$?
	show
	status_is 0
	out_is $'kept\nkept\nnew\nkept'
}

go_builds_with_its_default_cache() {
	only_confined
	needs go
	printf 'module m\n' >go.mod
	printf 'package main\nfunc main() { println("built") }\n' >main.go
	run -q -- sh -c 'GOFLAGS=-mod=mod go build -o m . && ./m' 
	err_has built
	[[ ! $(ls -A "$HOME/.cache/go-build" 2>/dev/null) ]]
}

what_is_switched_off_is_named_with_its_reason_and_with_what_to_do() {
	make_cargo
	make_wrapper broken <<<'echo "error: no such cache" >&2; exit 1'
	RUSTC_WRAPPER=broken wrun -- sh -c "$settings"
	err_has 'the compiler wrapper broken is switched off for this command: it cannot run in the arm'
	err_has '`pinfold wrappers --measure`'
	err_lacks 'time'
}

the_hosts_cache_is_not_shown_where_the_policy_says_what_may_be_read() {
	only_confined
	needs ccache cc
	mkdir "$HOME/elsewhere"
	echo secret >"$HOME/elsewhere/kept"
	source_of 41 >a.c
	mkdir -p "$HOME/.config/ccache"
	echo "cache_dir = $HOME/elsewhere" >"$HOME/.config/ccache/ccache.conf"
	CC='ccache cc' run --set 'filesystem.readable=/usr, /bin, /lib, /lib64, /etc' -- sh -c 'cat ~/elsewhere/kept; $CC -c a.c -o a.o && echo compiled'
	[[ $err != *'cannot enforce all that was asked for'* ]] || skip "this arm does not limit what may be read here"
	out_is compiled
}
