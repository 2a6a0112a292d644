# tests/package.sh - Debian packages of this checkout; sourced by ./dev.

package_packages=(debhelper=dh dpkg-dev=dpkg-source lintian=lintian mmdebstrap=mmdebstrap)

# package DIR [--test]: source and binary packages of what is committed, in DIR.
package() {
	local dir=${1:-} trial=${2:-}
	[[ $dir && $dir != -* && ${trial:---test} == --test ]] || die "usage: ./dev package DIR [--test]"
	need "${build_packages[@]}" "${package_packages[@]}"
	prepare_sources
	mkdir -p -- "$dir"
	dir=$(readlink -f -- "$dir")
	[[ -z $(ls -A -- "$dir") ]] || die "$dir is not empty; name another directory"
	configured package
	quietly "$build/package/dist.log" make_in package dist-xz
	build_packages_in "$dir"
	say "in $dir: $(cd "$dir" && echo *.deb)"
	[[ ! $trial ]] || try_packages "$dir"
}

build_packages_in() {	# DIR
	local version source
	version=$(sed -n '1s/.*(\(.*\)-.*/\1/p' "$top/debian/changelog")
	source=$1/pinfold-$version
	cp -- "$build/package/pinfold-$version.tar.xz" "$1/pinfold_$version.orig.tar.xz"
	tar -xf "$1/pinfold_$version.orig.tar.xz" -C "$1"
	cp -R -- "$top/debian" "$source/debian"
	(cd "$source" && quietly "$1/build.log" env DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck parallel=$(nproc)}" \
		dpkg-buildpackage -us -uc)
	rm -rf -- "$source"
	lintian --fail-on error,warning --suppress-tags "$(lintian_accepts)" -- "$1"/*.changes ||
		die "lintian has complaints, above"
}

# A first version closes no report, and nobody has signed for it.
lintian_accepts() { echo initial-upload-closes-no-bugs,bogus-mail-host,bogus-mail-host-in-debian-changelog; }

# Nothing is fetched inside of the trial: what the packages need of Debian is there from the start.
needed_by_packages() {	# DIR
	local deb
	for deb in "$1"/*.deb; do dpkg-deb -f "$deb" Depends; done | tr ',' '\n' |
		sed -E 's/^ *([^ ]+).*/\1/' | grep -vE '^(|(lib)?pinfold.*)$' | sort -u | paste -sd ,
}

# --- a machine of its own ---------------------------------------------------------------------------
# A Debian that nothing but `dpkg` has touched: installed part by part, used, upgraded, purged.
try_packages() {
	((EUID == 0)) || die "trying packages needs root"
	local root=$build/package-root codename
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	trap 'rm -rf --one-file-system -- "$build/package-root"' EXIT
	rm -rf -- "$root"
	say "making a Debian $codename below $root"
	quietly "$build/package-root.log" mmdebstrap --variant=minbase \
		--include="make,gcc,libc6-dev,pkg-config,$(needed_by_packages "$1")" "$codename" "$root"
	mkdir "$root/packages"
	cp -- "$1"/*.deb "$root/packages/"
	cp -- "$top/tests/package_inside" "$root/packages/inside"
	quietly "$build/package-try.log" unshare --mount --pid --fork --mount-proc="$root/proc" \
		chroot "$root" /bin/bash /packages/inside
	grep '^ok' "$build/package-try.log"
}
