# tests/macos/check.sh - `./dev check --macos`: builds for both kinds of Mac, and counts what was looked at.
# Sourced by dev. The compiler is a zig from PyPI: it carries the headers of macOS, and nothing else here does.

macos_compiler=0.17.1

get_compiler() {
	local where=$build/macos/zig
	[[ -x $where/ziglang/zig ]] && return
	say "fetching the compiler (100 MB)"
	rm -rf -- "$where"
	python3 -m pip download -q --no-deps -d "$where" "ziglang==$macos_compiler" ||
		die "no compiler for macOS: python3 -m pip download ziglang==$macos_compiler has failed"
	(cd -- "$where" && python3 -m zipfile -e ziglang-*.whl . && chmod +x ziglang/zig && rm ziglang-*.whl)
}

check_macos() {
	local log=$build/macos/log
	need "${build_packages[@]}" python3-pip=pip python3=python3
	prepare_sources
	mkdir -p -- "$build/macos"
	get_compiler
	local passed failed broken=0
	if ! "$top/tests/macos/build" "$build/macos/zig/ziglang/zig" "$build/macos" >"$log" 2>&1; then
		broken=1
		grep -E '^FAIL|error' "$log" || tail -n 30 -- "$log"
	fi
	if ! "$top/tests/macos/dry-run" >>"$log" 2>&1; then
		grep -A40 '^FAIL dry run' "$log" || :
	fi
	passed=$(grep -c '^ok ' "$log" || :) failed=$(grep -c '^FAIL' "$log" || :)
	# One kind of Mac may have been built before the other could not be.
	((failed > 0)) || failed=$broken
	printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
	((failed == 0))
}
