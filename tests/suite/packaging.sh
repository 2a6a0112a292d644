# tests/suite/packaging.sh - the files for packages of other distributions, as far as they can be checked here.

begin() {
	top=$(readlink -f -- "${BASH_SOURCE[0]%/*}/../..") prefix=${PINFOLD%/bin/pinfold}
	[[ -e $top/packaging && -e $top/debian ]] || skip "the packages' files are not there"
	[[ $prefix != /usr && $prefix != /usr/local ]] || skip "pinfold shares its prefix with others"
	(cd "$prefix" && find . \( -type f -o -type l \) ! -name '*.la' | sed 's,^\.,,' | sort) >"$WORK/installed"
}

# every_file_once PATTERN…: in lines of a file, "PACKAGE PATTERN"; a directory stands for all in it.
every_file_once() {
	local -A owner=() used=()
	local file package pattern faults=0
	while read -r file; do
		while read -r package pattern; do
			[[ $file == $pattern || $file == $pattern/* ]] || continue
			used[$pattern]=yes
			[[ ! ${owner[$file]:-} || ${owner[$file]} == "$package" ]] || { echo "$file is in ${owner[$file]} and $package"; faults=1; }
			owner[$file]=$package
		done <"$1"
		[[ ${owner[$file]:-} ]] || { echo "$file is in no package"; faults=1; }
	done <"$WORK/installed"
	while read -r package pattern; do
		[[ ${used[$pattern]:-} ]] || { echo "$package: $pattern is not installed"; faults=1; }
	done <"$1"
	((faults == 0))
}

every_installed_file_is_in_one_package_of_debian() {
	begin
	sed -i '/pinfold-whole$/d' "$WORK/installed"	# of a program that Debian does not link so
	local list
	for list in "$top"/debian/*.install; do
		sed "s,^,$(basename "$list" .install) /," "$list"
	done | sed 's, /usr/lib/\*/pinfold/pinfold-init$, /libexec/pinfold/pinfold-init,; s, /usr/lib/\*/, /lib/,; s, /usr/, /,' >"$WORK/patterns"
	every_file_once "$WORK/patterns"
}

every_installed_file_is_in_one_package_of_fedora() {
	command -v rpmspec >/dev/null || skip "needs rpmspec"
	begin
	rpmspec -P --define '_prefix /' --define '_bindir /bin' --define '_libdir /lib' --define '_libexecdir /libexec' --define '_includedir /include' \
		--define '_datadir /share' --define '_mandir /share/man' "$top/packaging/fedora/pinfold.spec" >"$WORK/spec"
	awk '/^%files/ { on = $2 == "" ? "pinfold" : $2; next } /^%[a-z]*$/ { on = "" } /^%(dir|doc|license)/ { next } on && $1 { print on, $1 }' \
		"$WORK/spec" >"$WORK/patterns"
	(($(wc -l <"$WORK/patterns") > 20))
	every_file_once "$WORK/patterns"
	# What configure asks for is asked for.
	local library
	for library in $(sed -nE 's/.*PKG_CHECK_MODULES\(\[[A-Z0-9]+\], \[([a-z0-9]+).*/\1/p' "$top/configure.ac" 2>/dev/null); do
		grep -q "pkgconfig($library)" "$WORK/spec" || { echo "the spec lacks $library"; return 1; }
	done
}

the_package_of_arch_is_a_script_that_makes_sense() {
	begin
	bash -n "$top/packaging/arch/PKGBUILD"
	# As makepkg would: with a source and a place, and with programs that only tell.
	mkdir -p "$WORK/src/pinfold-0.1.0/examples" "$WORK/src/pinfold-0.1.0/tests/outside" "$WORK/pkg"
	touch "$WORK/src/pinfold-0.1.0"/{COPYING,README.md,CHANGELOG.md,SECURITY.md,examples/one}
	(
		set -eu
		. "$top/packaging/arch/PKGBUILD"
		pkgdir=$WORK/pkg
		make() { echo "make $*" >>"$WORK/told"; mkdir -p "$pkgdir/usr/lib"; touch "$pkgdir/usr/lib/x.la"; }
		cd "$WORK/src"
		printf '#!/bin/sh\necho "configure $*" >>"%s/told"\n' "$WORK" >"pinfold-$pkgver/configure"
		chmod +x "pinfold-$pkgver/configure"
		for step in build check package; do (cd "$WORK/src" && $step); done
		[[ $pkgname == pinfold && ${#depends[@]} -gt 3 && ${#source[@]} == "${#sha256sums[@]}" ]]
	)
	grep -q '^configure --prefix=/usr ' "$WORK/told"
	grep -q "^make DESTDIR=$WORK/pkg install" "$WORK/told"
	[[ ! -e $WORK/pkg/usr/lib/x.la && -e $WORK/pkg/usr/share/doc/pinfold/examples/one && -e $WORK/pkg/usr/share/licenses/pinfold/COPYING ]]
}

the_packages_of_all_have_one_version() {
	begin
	local version
	version=$("$PINFOLD" --version | sed 's/.* //')
	grep -qx "pkgver=$version" "$top/packaging/arch/PKGBUILD"
	grep -qE "^Version: +$version$" "$top/packaging/fedora/pinfold.spec"
	grep -qE "^pinfold \($version-" "$top/debian/changelog"
}
