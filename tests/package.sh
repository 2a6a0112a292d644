# tests/package.sh - Debian packages of this checkout; sourced by ./dev.

package_packages=(debhelper=dh dpkg-dev=dpkg-source lintian=lintian mmdebstrap=mmdebstrap)

# package DIR [--test|--test-all]: source and binary packages of what is committed, in DIR.
package() {
	local dir=${1:-} trial=${2:-}
	[[ $dir && $dir != -* && ${trial:---test} =~ ^--test(-all)?$ ]] || die "usage: ./dev package DIR [--test|--test-all]"
	need "${build_packages[@]}" "${package_packages[@]}"
	prepare_sources
	mkdir -p -- "$dir"
	dir=$(readlink -f -- "$dir")
	[[ -z $(ls -A -- "$dir") ]] || die "$dir is not empty; name another directory"
	configured package
	quietly "$build/package/dist.log" make_in package dist-xz
	build_packages_in "$dir"
	say "in $dir: $(cd "$dir" && echo *.deb)"
	[[ ! $trial ]] || try_packages "$dir" "${trial#--test}"
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

# Nothing is fetched inside of the trial: what the packages need and recommend of Debian is there from the start.
needed_by_packages() {	# DIR
	local deb
	for deb in "$1"/*.deb; do dpkg-deb -f "$deb" Depends && dpkg-deb -f "$deb" Recommends; done | tr ',' '\n' |
		sed -E 's/^ *([^ ]+).*/\1/' | grep -vE '^(|(lib)?pinfold.*)$' | sort -u | paste -sd ,
}

# --- a machine of its own ---------------------------------------------------------------------------
# A Debian that nothing but `dpkg` has touched: installed part by part, used, upgraded, purged, and Debian's own tests.
try_packages() {	# DIR [-all]
	((EUID == 0)) || die "trying packages needs root"
	local root=$build/package-root codename tests=(runs outside) test
	[[ ! $2 ]] || tests+=(suite)
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	trap 'rm -rf --one-file-system -- "$build/package-root"' EXIT
	rm -rf -- "$root"
	say "making a Debian $codename below $root"
	quietly "$build/package-root.log" mmdebstrap --variant=minbase --include="$(needed_by_trial "$1")" "$codename" "$root"
	mkdir "$root/packages"
	cp -- "$1"/*.deb "$1"/*.dsc "$1"/*.tar.xz "$root/packages/"
	cp -- "$top/tests/package_inside" "$top/tests/package_stranger" "$root/packages/"
	quietly "$build/package-try.log" inside_root "$root" bash /packages/package_inside
	grep '^ok' "$build/package-try.log"
	for test in "${tests[@]}"; do
		quietly "$build/package-$test.log" inside_root "$root" sh -c "
			autopkgtest --no-built-binaries --test-name $test \$(ls /packages/*.deb | grep -v dbgsym) /packages/*.dsc -- null"
		echo "ok autopkgtest: $test"
	done
}

# What the packages, their trial and their tests ask for.
needed_by_trial() {	# DIR
	echo "build-essential,pkg-config,man-db,autopkgtest,$(needed_by_packages "$1")$(sed -n 's/^Depends: //p' "$top/debian/tests/control" |
		tr -d ' ' | tr ',' '\n' | grep -vE '^(@|(lib)?pinfold.*)$' | sort -u | sed 's/^/,/' | tr -d '\n')"
}

# Its own root rather than that of a chroot, in which the kernel refuses user namespaces.
inside_root() {	# ROOT COMMAND…
	unshare --mount --pid --fork --kill-child --propagation private sh -ec '
		root=$1
		shift
		mount --rbind "$root" "$root"
		mount -t proc proc "$root/proc"
		mount -t sysfs sysfs "$root/sys"
		mount --rbind /dev "$root/dev"
		cd "$root"
		pivot_root . .
		umount -l .
		cd /
		exec env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
	' sh "$@"
}
