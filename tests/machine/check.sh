# tests/machine/check.sh - `./dev check --machine`: this checkout, installed on virtual machines with a Debian as it is.
# Sourced by dev. The Debian is made once, in build/machine, and anew when its packages or its release change.

machine_packages=(mmdebstrap=mmdebstrap qemu-system-x86=qemu-system-x86_64 qemu-utils=qemu-img fakeroot=fakeroot
	e2fsprogs=/usr/sbin/mkfs.ext4 debian-archive-keyring)
((EUID == 0)) || machine_packages+=(uidmap=newuidmap)

# What a base is of: its packages, and the release that the mirror has.
base_wanted() {	# CODENAME PACKAGES
	local release=$build/machine/InRelease
	printf '%s\n' "$1" "$2" "$(cksum <"$top/tests/machine/base")" "$(cksum <"$top/tests/machine/machine.service")"
	if /usr/lib/apt/apt-helper download-file "http://deb.debian.org/debian/dists/$1/InRelease" "$release" >/dev/null 2>&1; then
		sed -n 's/^Version: //p' "$release"
	elif [[ -e $build/machine/base/made-as ]]; then
		say "the mirror cannot be asked; the release is taken for the one that was there"
		tail -n 1 "$build/machine/base/made-as"
	fi
	rm -f -- "$release"
}

machine_base() {
	local codename wanted packages base=$build/machine/base
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	packages=$(dpkg-query -W -f '${Package} ' 'libgit2-[0-9]*')
	wanted=$(base_wanted "$codename" "$packages")
	[[ ! -e $base/disk || $(cat "$base/made-as" 2>/dev/null) != "$wanted" ]] || return 0
	((EUID == 0)) || grep -qE "^($(id -un)|$EUID):" /etc/subuid ||
		die "whoever is not root makes a Debian with a range of ids; as root: usermod --add-subuids 700000-765535" \
			"--add-subgids 700000-765535 $(id -un)"
	say "making a Debian $codename in $base"
	rm -rf -- "$base"
	mkdir -p -- "$base"
	quietly "$build/machine/base.log" "$top/tests/machine/base" "$base" "$codename" $packages || return
	printf '%s\n' "$wanted" >"$base/made-as"
}

machine_stage() {
	configured machine/build --prefix=/opt/pinfold || return
	quietly "$build/machine/make.log" make_in machine/build all || return
	rm -rf -- "$build/machine/stage"
	quietly "$build/machine/install.log" make_in machine/build install-strip "DESTDIR=$build/machine/stage"
}

check_machine() {	# [FILTER]
	local log=$build/machine/log
	grep -q '^ID=debian$' /etc/os-release && [[ $(uname -m) == x86_64 ]] ||
		die "the machines are for programs that were built on Debian on x86-64; this is another system"
	need "${build_packages[@]}" "${machine_packages[@]}"
	prepare_sources
	mkdir -p -- "$build/machine"
	exec {lock}>"$build/machine/lock"
	flock -n "$lock" || die "another check of machines of this checkout is running"
	if machine_base && machine_stage; then
		"$top/tests/machine/run" "$build/machine/base" "$build/machine/stage" "$@" | tee "$log"
	else
		printf '0 passed, 1 failed, 0 skipped\n'
		return 1
	fi
}
