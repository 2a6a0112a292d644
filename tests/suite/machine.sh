# tests/suite/machine.sh - the scope of the machine: all of it can be written, below layers that are kept.
# arm namespaces

machine() { run -q --scope machine "$@"; }

make_package() {
	mkdir -p "$WORK/deb/DEBIAN" "$WORK/deb/usr/bin" "$WORK/deb/opt/thing"
	printf 'Package: pinfold-thing\nVersion: 1\nArchitecture: all\nMaintainer: t <t@example.org>\nDescription: thing\n' >"$WORK/deb/DEBIAN/control"
	printf '#!/bin/sh\necho thing\n' >"$WORK/deb/usr/bin/pinfold-thing"
	printf '#!/bin/sh\nset -e\necho configured >/opt/thing/state\nchown nobody:nogroup /opt/thing/state\nchmod 4755 /opt/thing/state\n' >"$WORK/deb/DEBIAN/postinst"
	chmod 0755 "$WORK/deb/DEBIAN/postinst" "$WORK/deb/usr/bin/pinfold-thing"
	dpkg-deb --root-owner-group -b "$WORK/deb" "$TREE/thing.deb" >/dev/null
}
not_on_the_machine() {
	[[ ! -e /opt/thing && ! -e /usr/bin/pinfold-thing ]]
	never dpkg -s pinfold-thing
}

a_package_is_installed_in_a_session_and_the_machine_does_not_have_it() {
	as_root_only
	command -v dpkg-deb >/dev/null || skip "dpkg is not installed"
	make_package
	keep_tree
	machine --session s -- sh -c 'dpkg -i thing.deb && pinfold-thing && stat -c "%U %a" /opt/thing/state'
	status_is 0
	out_has $'thing\nnobody 4755'
	not_on_the_machine
	machine --session s -- sh -c 'pinfold-thing; dpkg -s pinfold-thing | grep Status'
	equal "$out" $'thing\nStatus: install ok installed'
	machine --session other -- sh -c 'pinfold-thing || dpkg -s pinfold-thing'
	never status_is 0
	pf diff --session s --summary
	out_has /usr/bin/pinfold-thing
	out_has /opt/thing/
	not_on_the_machine
	same_manifest
}

apt_installs_and_removes_a_package_of_a_file() {
	as_root_only
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || skip "apt is not installed"
	make_package
	machine -- sh -c 'apt-get install -y -q ./thing.deb && pinfold-thing && apt-get remove -y -q pinfold-thing && ! pinfold-thing'
	status_is 0
	out_has thing
	not_on_the_machine
}

a_python_package_is_installed_for_the_user() {
	/usr/bin/python3 -m pip --version >/dev/null 2>&1 || skip "pip is not installed"
	/usr/bin/python3 - "$TREE" <<-'END'
		import sys, zipfile
		with zipfile.ZipFile(sys.argv[1] + "/thing-1-py3-none-any.whl", "w") as wheel:
		    wheel.writestr("thing.py", "print('thing')\n")
		    wheel.writestr("thing-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1\n")
		    wheel.writestr("thing-1.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
		    wheel.writestr("thing-1.dist-info/RECORD", "thing.py,,\nthing-1.dist-info/METADATA,,\nthing-1.dist-info/WHEEL,,\nthing-1.dist-info/RECORD,,\n")
	END
	keep_tree
	machine --session s -- /usr/bin/python3 -m pip install --user --no-index --break-system-packages ./thing-1-py3-none-any.whl
	status_is 0
	machine --session s -- sh -c 'cd / && /usr/bin/python3 -m thing'
	out_is thing
	[[ ! $(find "$WORK/home" -path "$WORK/home/.cache" -prune -o -name 'thing*' -print) ]]
	same_manifest
}

make_install_lands_in_a_layer() {
	local prefix=/usr/local
	((EUID == 0)) || prefix=$HOME/.local
	printf 'install:\n\tmkdir -p %s/bin\n\tcp src/say %s/bin/pinfold-say\n' "$prefix" "$prefix" >Makefile
	machine -- sh -c "make -s install && $prefix/bin/pinfold-say done"
	status_is 0
	out_is done
	[[ ! -e $prefix/bin/pinfold-say ]]
	pf diff --summary
	if ((EUID == 0)); then out_has "$prefix/bin/pinfold-say"; else out_has "$prefix"; fi
}

the_root_itself_and_what_is_owned_by_others_can_be_changed_by_root_alone() {
	local owner
	owner=$(stat -c %u /etc/passwd)
	keep_tree
	machine -- sh -c 'touch /made; chown 1234:4321 /etc/hostname; stat -c "%u %g" /etc/hostname; stat -c %u /etc/passwd; rm -rf /etc/skel; ls -d /made /etc/skel; :'
	if ((EUID == 0)); then
		equal "$out" $'1234 4321\n'"$owner"$'\n/made'
	else
		out_lacks 1234
		out_lacks /made
		out_has /etc/skel
	fi
	[[ ! -e /made && -e /etc/skel ]]
	equal "$(stat -c %u /etc/passwd)" "$owner"
}

it_has_the_power_over_files_and_ids_and_no_other() {
	machine -- sh -c 'grep -E "^(CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp):" /proc/self/status | tr -s "\t\n" " "
		mknod /tmp/null c 1 3 2>/dev/null && echo made a device
		mount -t tmpfs none /mnt 2>/dev/null && echo mounted
		umount /proc 2>/dev/null && echo unmounted
		unshare -m true 2>/dev/null && echo unshared
		echo 1 2>/dev/null >/proc/sys/kernel/sysrq && echo set
		ip link add d type dummy 2>/dev/null && echo linked
		hostname other 2>/dev/null && echo named; :'
	local all=0000000000000000
	((EUID != 0)) || all=00000000800000fb
	out_has "CapPrm: $all CapEff: $all CapBnd: "
	out_has "CapAmb: 0000000000000000 NoNewPrivs: 1 Seccomp: 2"
	out_lacks made
	out_lacks mounted
	out_lacks unshared
	out_lacks set
	out_lacks linked
	out_lacks named
}

what_is_hidden_stays_hidden_and_its_cover_stays_on() {
	mkdir -p "$WORK/home/keys/in"
	echo secret >"$WORK/home/keys/in/token"
	echo secret >"$WORK/home/token"
	machine --set "filesystem.hidden=$WORK/home/keys, $WORK/home/token" -- sh -c 'cat ~/token ~/keys/in/token; umount ~/keys; umount -l ~/token; mv ~/keys ~/other; rm -rf ~/token ~/keys; ln ~/token ~/link; cat ~/token ~/other/in/token ~/link; mv ~ /elsewhere; cat /elsewhere/token
		cp -a ~ /tmp/copy; grep -rs secret /tmp/copy ~ /elsewhere; :'
	out_lacks secret
	machine -- sh -c 'ls -A ~/.cache/pinfold; find "$HOME/.." -name upper; :'
	out_is ""
	equal "$(<"$WORK/home/keys/in/token")" secret
}

other_file_systems_have_layers_of_their_own_and_the_kernels_stay_read_only() {
	as_root_only
	mkdir "$WORK/mnt"
	mount -t tmpfs none "$WORK/mnt"
	at_end "umount -l '$WORK/mnt'"
	allowed_mount=$WORK/mnt
	echo old >"$WORK/mnt/old"
	mkdir "$WORK/mnt/inner"
	mount -t tmpfs none "$WORK/mnt/inner"
	at_end "umount -l '$WORK/mnt/inner'"
	allowed_mount="$WORK/mnt"
	echo deep >"$WORK/mnt/inner/deep"
	machine --session s -- sh -c "cat '$WORK/mnt/old' '$WORK/mnt/inner/deep'; echo new >'$WORK/mnt/old'; rm '$WORK/mnt/inner/deep'; echo x >/sys/kernel/x; :"
	equal "$out" $'old\ndeep'
	machine --session s -- sh -c "cat '$WORK/mnt/old'; ls '$WORK/mnt/inner'"
	out_is new
	equal "$(<"$WORK/mnt/old")" old
	equal "$(<"$WORK/mnt/inner/deep")" deep
}

where_no_layer_can_be_laid_or_kept_it_is_refused() {
	pf run --arm copytree --scope machine -- echo ran
	refused E_SANDBOX_DENIED
	run --view direct --scope machine -- echo ran
	refused E_SANDBOX_DENIED
	[[ ! -x /usr/bin/bwrap ]] || {
		run --set arm:namespaces.wrapper=/usr/bin/bwrap --scope machine -- echo ran
		refused E_SANDBOX_DENIED
	}
	run --scope planet -- echo ran
	refused E_CONFIG
}
