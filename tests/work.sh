# tests/work.sh - a place for installed files, and a user without privileges. Sourced.

# Where things are installed, tested and measured: outside of the checkout, which may lie where no
# other user can look, and outside of /tmp, which is private inside and open to others.
choose_work() {	# PURPOSE
	as_user=()
	work=$1-$(printf %s "$top" | cksum | cut -d ' ' -f 1)
	((EUID == 0)) || { work=${XDG_CACHE_HOME:-$HOME/.cache}/pinfold-$work; return 0; }
	work=/var/cache/pinfold-$work
	user=64123
	while getent passwd "$user" >/dev/null; do user=$((user + 1)); done
	# A number without a name: nothing is added to the machine, and no file of anyone is theirs.
	as_user=(setpriv "--reuid=$user" "--regid=$user" --clear-groups --inh-caps=-all
		env -i "HOME=$work/home" "TMPDIR=$work/home/tmp" "USER=$user" LC_ALL=C.UTF-8)
	as_user+=("PATH=$(reachable_path)")
}

# Root's PATH without what the unprivileged user cannot reach.
reachable_path() {
	local place places reached=
	IFS=: read -ra places <<<"$PATH"
	for place in "${places[@]}" /usr/local/bin /usr/bin /bin; do
		[[ :$reached: != *":$place:"* ]] && "${as_user[@]}" /usr/bin/test -x "$place" && reached+=${reached:+:}$place
	done
	echo "$reached"
}

clear_work() {
	[[ ! -d $work ]] || chmod -R u+rwX -- "$work" 2>/dev/null || :
	rm -rf -- "$work"
}
