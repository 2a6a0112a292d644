# tests/suite/inside.sh - what the statement of the arm `namespaces` promises, tried from inside.
# arm namespaces

python=/usr/bin/python3

secrets_of_the_environment_are_nowhere_inside() {
	export X_TOKEN=hunter2a AWS_SECRET_ACCESS_KEY=hunter2b MY_PASSWORD=hunter2c GITHUB_API_KEY=hunter2d PLAIN=visible
	run -q --receipt "$WORK/receipt" -- sh -c 'env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null'
	out_has PLAIN=visible
	out_lacks hunter2
	grep -q '"X_TOKEN"' "$WORK/receipt"
	grep -q '"MY_PASSWORD"' "$WORK/receipt"
	never grep -q hunter2 "$WORK/receipt"
	run -q --env X_TOKEN --env EXTRA=given -- sh -c 'echo "$X_TOKEN $EXTRA"'
	out_is "hunter2a given"
}

loader_variables_act_on_nothing() {
	export LD_PRELOAD=$WORK/none.so LD_LIBRARY_PATH=$WORK GLIBC_TUNABLES=x=y LTDL_LIBRARY_PATH=$WORK
	run -q -- env
	out_lacks LD_PRELOAD
	out_lacks LD_LIBRARY_PATH
	out_lacks GLIBC_TUNABLES
	out_lacks LTDL
}

an_empty_allow_list_allows_nothing() {
	export PLAIN=visible
	run -q --set environment.mode=allowlist --set environment.allow= -- env
	status_is 0
	out_lacks PLAIN
}

hidden_paths_cannot_be_read() {
	mkdir -p "$HOME/.ssh" "$HOME/.gnupg" "$HOME/.aws" "$WORK/private"
	local file
	for file in "$HOME/.ssh/id_ed25519" "$HOME/.gnupg/key" "$HOME/.aws/credentials" "$HOME/.bash_history" \
		"$HOME/.netrc" "$HOME/.npmrc" "$HOME/.pypirc" "$HOME/.git-credentials" "$WORK/private/file"; do
		echo hunter2 >"$file"
	done
	run -q --set "filesystem.hidden=$WORK/private" -- sh -c 'cat ~/.ssh/id_ed25519 ~/.gnupg/key ~/.aws/credentials ~/.bash_history \
		~/.netrc ~/.npmrc ~/.pypirc ~/.git-credentials "$0/file"; ls "$0" ~/.ssh; grep -rs hunter2 ~ "$0"' "$WORK/private"
	out_lacks hunter2
	err_lacks hunter2
}

a_hidden_file_of_the_tree_stays_hidden_and_the_tree_works() {
	echo hunter2 >.env
	echo hunter2 >other
	keep_tree
	run -q --set "filesystem.hidden=$TREE/.env" --set "filesystem.hidden=$TREE/other" -- sh -c 'cat .env other; cat one'
	out_lacks hunter2
	out_has one
}

a_hidden_file_of_the_tree_is_hidden_also_in_its_first_copy() {
	local again
	echo hunter2 >.env
	mkdir -p deep/er
	echo hunter2 >deep/er/key
	for again in 1 2; do
		run -q --set "filesystem.hidden=$TREE/.env" --set "filesystem.hidden=$TREE/deep/er" -- cat .env deep/er/key one
		out_lacks hunter2
		out_has one
	done
}

a_tree_that_changed_is_shown_as_it_is_to_every_command() {
	local round
	for round in 1 2 3 4; do
		echo "$round" >one
		echo "$round" >"new$round"
		run -q -- cat one "new$round"
		out_is "$round"$'\n'"$round"
	done
	rm one
	run -q -- cat one
	never status_is 0
}

a_hidden_path_that_is_not_there_does_not_matter() {
	run -q --set filesystem.hidden=/run/containerd/containerd.sock --set "filesystem.hidden=$WORK/none/deeper" -- echo ran
	status_is 0
	out_is ran
}

nothing_outside_can_be_written() {
	keep_tree
	run -q -- sh -c 'for d in "$0" "$HOME" /etc /usr /var/tmp /opt /root /; do echo x >"$d/suite-was-here" && echo "wrote $d"; done 2>/dev/null
		rm -f "$0/kept"; chmod 0777 "$0/kept"; touch "$0/kept"; mv "$0/kept" "$0/moved"; ln "$0/kept" linked && echo x >>linked' "$WORK"
	local place
	for place in "$WORK" "$HOME" /etc /usr /var/tmp /opt /root /; do [[ ! -e $place/suite-was-here ]]; done
}

a_file_outside_cannot_be_changed_in_any_way() {
	echo kept >"$WORK/kept"
	local before
	before=$(stat -c '%a %u %s %y %z %h' "$WORK/kept")
	run -q -- sh -c 'echo x >"$0"; chmod 0777 "$0"; touch "$0"; mv "$0" "$0.moved"; ln "$0" linked && echo x >linked
		rm -f "$0"; truncate -s 0 "$0"; setfattr -n user.x -v y "$0"; chown 1 "$0"; exec 3>>"$0"' "$WORK/kept"
	equal "$(stat -c '%a %u %s %y %z %h' "$WORK/kept")" "$before"
	equal "$(<"$WORK/kept")" kept
}

a_writable_path_is_written_and_only_it() {
	mkdir "$WORK/open"
	run -q --set "filesystem.writable=$WORK/open" -- sh -c 'echo x >"$0/open/new"; echo x >"$0/new"' "$WORK"
	equal "$(<"$WORK/open/new")" x
	[[ ! -e $WORK/new ]]
}

caches_take_writes_in_a_layer_that_ends_with_the_run() {
	mkdir -p "$HOME/.npm" "$HOME/.cargo/registry"
	echo kept >"$HOME/.npm/kept"
	run -q -- sh -c 'cat ~/.npm/kept; echo x >~/.npm/new && echo y >>~/.npm/kept && echo wrote; echo x >~/.cargo/registry/new && cat ~/.npm/new'
	equal "$out" $'kept\nwrote\nx'
	[[ ! -e $HOME/.npm/new && ! -e $HOME/.cargo/registry/new ]]
	equal "$(<"$HOME/.npm/kept")" kept
	run -q -- ls "$HOME/.npm"
	out_is kept
}

tmp_is_private_and_starts_empty() {
	local outside
	outside=$(mktemp /tmp/suite-XXXXXX)
	at_end "rm -f '$outside'"
	run -q -- sh -c 'ls /tmp | grep "^suite-" | grep -v "$(basename "$0")"; cat "$1"; echo x >/tmp/suite-was-here && cat /tmp/suite-was-here' "$SUITE" "$outside"
	out_is x
	[[ ! -e /tmp/suite-was-here ]]
	run -q -- ls /tmp/suite-was-here
	never status_is 0
}

listen() {	# PYTHON-ADDRESS FAMILY: a server outside; its answer is "reached"
	rm -f "$WORK/port"
	"$python" -c "
import socket, sys
s = socket.socket(socket.$2, socket.SOCK_STREAM)
s.bind($1); s.listen(8)
print(s.getsockname()[1] if s.family == socket.AF_INET else '', flush=True)
while True:
	c = s.accept()[0]; c.send(b'reached'); c.close()" >"$WORK/port" 2>/dev/null &
	at_end "kill $!"
	eventually 5 test -s "$WORK/port"
}
try_connect() {	# PYTHON-ADDRESS FAMILY [OPTION…]
	local address=$1 family=$2
	shift 2
	run -q "$@" -- "$python" -c "
import socket
s = socket.socket(socket.$family, socket.SOCK_STREAM)
s.settimeout(3)
s.connect($address)
print(s.recv(99).decode())"
}

no_server_outside_can_be_reached_through_a_unix_socket() {
	mkdir -p "$HOME/.run"
	local place outside
	outside=$(mktemp -d /tmp/suite-XXXXXX)
	at_end "rm -rf '$outside'"
	for place in "'$outside/s'" "'$WORK/s'" "'$HOME/.run/s'" "'$TREE/s'" "'\\0$SUITE_MARK'"; do
		listen "$place" AF_UNIX
		equal "$("$python" -c "import socket; s = socket.socket(socket.AF_UNIX); s.connect($place); print(s.recv(9).decode())")" reached
		try_connect "$place" AF_UNIX
		never status_is 0
		out_lacks reached
	done
}

the_machines_own_sockets_cannot_be_reached() {
	local path tried=0
	while read -r path; do
		[[ -S $path && -w $path ]] || continue
		tried=$((tried + 1))
		try_connect "'$path'" AF_UNIX
		never status_is 0
	done < <(awk '$8 ~ "^/" { print $8 }' /proc/net/unix | sort -u | head -n 20)
	((tried > 0)) || skip "no service listens on a unix socket that this user could reach"
}

no_server_outside_can_be_reached_over_the_network() {
	listen "('127.0.0.1', 0)" AF_INET
	local port
	port=$(<"$WORK/port")
	try_connect "('127.0.0.1', $port)" AF_INET
	never status_is 0
	try_connect "('127.0.0.1', $port)" AF_INET --set network.mode=loopback
	never status_is 0
	try_connect "('127.0.0.1', $port)" AF_INET --set network.mode=host
	out_is reached
	run -q -- cat /proc/net/dev
	out_lacks eth
}

a_server_on_loopback_inside_can_be_reached_inside() {
	run -q --set network.mode=loopback -- "$python" -c "
import socket, threading
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()
threading.Thread(target=lambda: s.accept()[0].send(b'reached')).start()
c = socket.create_connection(s.getsockname(), 5); print(c.recv(99).decode())
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind(('127.0.0.1', 0)); u.sendto(b'x', u.getsockname()); print(u.recv(9).decode())"
	equal "$out" $'reached\nx'
}

a_unix_socket_of_its_own_works() {
	run -q -- "$python" -c "
import os, socket
for path in os.environ['TMPDIR'] + '/s', 's', '\0own':
	s = socket.socket(socket.AF_UNIX); s.bind(path); s.listen()
	c = socket.socket(socket.AF_UNIX); c.connect(path); s.accept()[0].send(b'reached'); print(c.recv(99).decode())
a, b = socket.socketpair(); a.send(b'pair'); print(b.recv(9).decode())"
	equal "$out" $'reached\nreached\nreached\npair'
}

processes_outside_can_neither_be_seen_nor_signalled() {
	sleep 60 &
	local pid=$!
	at_end "kill $pid"
	run -q -- sh -c 'kill -0 "$0" && printf "sig%s" nalled; ls /proc | grep -c "^[0-9]" >&2; cat /proc/*/cmdline | tr "\0" " "' "$pid"
	out_lacks signalled
	out_lacks "sleep 60"
	(($(tail -n 1 "$WORK/err") < 12))
	kill -0 "$pid"
}

the_command_has_no_privileges_to_raise() {
	run -q -- cat /proc/self/status
	echo "$out" | grep -Eq '^NoNewPrivs:\s1$'
	echo "$out" | grep -Eq '^CapEff:\s0+$'
	echo "$out" | grep -Eq '^CapPrm:\s0+$'
	echo "$out" | grep -Eq '^CapBnd:\s0+$' || echo "$out" | grep -Eq '^CapInh:\s0+$'
	echo "$out" | grep -Eq '^Seccomp:\s2$'
	run -q -- sh -c 'unshare -Ur true && echo made; mount -t tmpfs none /mnt && echo mounted; chroot / true && echo chrooted
		mknod "$TMPDIR/m" b 8 0 && echo device; hostname other && echo renamed; umount -l /tmp && echo unmounted
		mount -o remount,rw / && echo remounted; nsenter -t 1 -m true && echo entered'
	out_is ""
}

the_supervisor_cannot_be_hurt_from_inside() {
	run -q -- sh -c 'kill -9 1; kill -STOP 1; kill -9 -1; exit 0'
	[[ $status == 0 || $status == 137 ]]
	run -q -- sh -c 'kill -9 1; kill -STOP 1; head -c 1 /proc/1/mem; ls /proc/1/fd /proc/1/root; cat /proc/1/maps /proc/1/environ; exit 7' 
	status_is 7
	out_is ""
}

the_kernels_switches_cannot_be_turned() {
	run -q -- sh -c 'for f in /proc/sys/kernel/core_pattern /proc/sys/vm/drop_caches /proc/sys/kernel/hostname /proc/sysrq-trigger \
		/sys/power/state /sys/kernel/uevent_helper /proc/sys/kernel/modprobe; do { echo x >"$f"; } 2>/dev/null && echo "wrote $f"; done; dmesg 2>/dev/null | head -n 1; cat /proc/kcore 2>/dev/null | head -c 1'
	out_is ""
}

devices_that_builds_need_work_and_no_other_is_there() {
	run -q -- sh -c 'echo x >/dev/null && head -c 4 /dev/zero | wc -c && head -c 4 /dev/urandom | wc -c && echo x >/dev/full; echo y | cat /dev/stdin /dev/fd/0; ls /dev'
	status_is 0
	out_has $'4\n4\ny'
	out_lacks sda
	out_lacks vda
	out_lacks mem
	out_lacks kvm
}

shared_memory_semaphores_and_terminals_work() {
	run -q -- "$python" -c "
import multiprocessing as m, os, pty
m.Semaphore().acquire(); q = m.Queue(); p = m.Process(target=q.put, args=('queue',)); p.start(); print(q.get()); p.join()
open('/dev/shm/own', 'w').write('x'); print(os.listdir('/dev/shm'))
a, b = pty.openpty(); os.write(a, b'pty\n'); print(os.read(b, 9).decode().strip()); print(os.ttyname(b).startswith('/dev/pts/'))"
	status_is 0
	equal "$out" $'queue\n[\'own\']\npty\nTrue'
	[[ ! -e /dev/shm/own ]]
}

a_tracer_works_on_its_own_children() {
	command -v strace >/dev/null || skip "strace is not installed"
	quick 10 run -q -- strace -f -o /dev/null sh -c 'true; echo traced'
	status_is 0
	out_is traced
}

descriptors_of_this_run_lead_nowhere_outside() {
	run -q -- sh -c 'for p in /proc/[0-9]*/fd/*; do readlink "$p"; done; ls /proc/1/cwd/ /proc/self/root/..' 
	out_lacks "$WORK/home"
	run -q -- sh -c 'cd /proc/self/cwd/.. && echo x >suite-was-here'
	[[ ! -e $WORK/suite-was-here ]]
}

copies_of_other_trees_are_out_of_sight() {
	mkdir "$WORK/other"
	echo other-secret >"$WORK/other/file"
	run -q -C "$WORK/other" -- true
	rm -r "$WORK/other"
	run -q -- grep -rs other-secret "$HOME"
	status_is 1
}

the_statement_is_what_the_arm_promises() {
	run -q --receipt "$WORK/receipt" -- true
	grep -q 'namespaces: it guarantees that writes through the working directory land on a copy or a layer' "$WORK/receipt"
	grep -q 'does not guarantee' "$WORK/receipt"
}
