# tests/suite/examples.sh - the examples, used as their first lines say.

begin() {
	examples=$(readlink -f -- "${BASH_SOURCE[0]%/*}/../../examples")
	[[ -x $examples/agent-shell ]] || skip "the examples are not there"
	mkdir "$WORK/bin"
	ln -s "$PINFOLD" "$WORK/bin/pinfold"
	export PATH=$WORK/bin:$PATH
}

an_agent_s_shell_keeps_its_changes_in_a_session() {
	begin
	keep_tree
	"$examples/agent-shell" -c 'echo changed >one; echo new >two'
	equal "$("$examples/agent-shell" -c 'cat one two; exit 0')" $'changed\nnew'
	status=0
	AGENT_SESSION=other "$examples/agent-shell" -c 'cat two; exit 7' >"$WORK/out" 2>&1 || status=$?
	status_is 7
	equal "$("$PINFOLD" diff --session agent --name-only)" $'one\ntwo'
	# An interactive program does not know that it is another shell.
	equal "$(SHELL=$examples/agent-shell /usr/bin/python3 -c 'import os, subprocess; print(subprocess.run(["cat one"], shell=True, executable=os.environ["SHELL"], capture_output=True, text=True).stdout)')" changed
}

an_agent_applies_what_succeeded_and_discards_the_rest() {
	begin
	/usr/bin/python3 "$examples/agent_command.py" sh -c 'echo better >one' >"$WORK/out"
	equal "$(<one)" better
	grep -qx applied "$WORK/out"
	keep_tree
	status=0
	/usr/bin/python3 "$examples/agent_command.py" sh -c 'echo worse >one; exit 3' >"$WORK/out" || status=$?
	status_is 3
	grep -qx discarded "$WORK/out"
	status=0
	/usr/bin/python3 "$examples/agent_command.py" sh -c 'mkdir .github; mkdir .github/workflows; echo x >.github/workflows/ci.yml' >"$WORK/out" 2>&1 || status=$?
	status_is 1
	grep -q 'risky: a workflow' "$WORK/out"
	status=0
	/usr/bin/python3 "$examples/agent_command.py" no-such-program >"$WORK/out" 2>&1 || status=$?
	status_is 1
	grep -q 'refused: run the program' "$WORK/out"
	[[ $("$PINFOLD" sessions) == 'no sessions'* ]]
}

an_agent_asks_one_server_for_many_commands() {
	begin
	keep_tree
	/usr/bin/python3 "$examples/agent_serve.py" 'echo 1 >made' 'cat made; exit 4' 'echo out; echo err >&2' >"$WORK/out"
	cat "$WORK/out"
	grep -qx 'changed: made' "$WORK/out"
	grep -qx '\[4\]' "$WORK/out"
	[[ $("$PINFOLD" sessions) == 'no sessions'* ]]
}

# A project with a check that also tries to do harm.
project() {
	printf 'all: made\nmade: one\n\tcat one >made\n\techo line >>"$(OUTSIDE)" || true\ncheck:\n\ttouch left-behind\n\tgrep -q "$(WANT)" one\n' >Makefile
}

a_git_hook_tests_on_a_copy() {
	command -v git >/dev/null && command -v make >/dev/null || skip "needs git and make"
	begin
	project
	git init -q . && git config user.email a@b && git config user.name n
	cp "$examples/pre-commit" .git/hooks/pre-commit
	git add .
	WANT=one git commit -qm first
	[[ ! -e left-behind ]]
	equal "$(git log --oneline | wc -l)" 1
	echo two >one
	! WANT=one git commit -qam second 2>"$WORK/err" || { echo "it was committed"; return 1; }
	equal "$(git log --oneline | wc -l)" 1
	equal "$(git status --porcelain)" ' M one'
}

make_runs_its_recipes_confined_in_the_tree() {
	command -v make >/dev/null || skip "needs make"
	begin
	project
	printf 'include %s/make.mk\n%s\n' "$examples" "$(<Makefile)" >confined.mk
	make -s -f confined.mk OUTSIDE="$WORK/home/outside" 2>"$WORK/err" || { cat "$WORK/err"; return 1; }
	equal "$(<made)" one
	touch one
	make -s -j4 -f Makefile SHELL="$examples/make-shell" OUTSIDE="$WORK/home/outside" 2>"$WORK/err"
	if "$PINFOLD" probe --require writes >/dev/null; then
		[[ ! -e $WORK/home/outside ]] || { echo "a recipe wrote outside of the tree"; return 1; }
	fi
}

a_ci_job_leaves_what_is_to_be_kept() {
	begin
	status=0
	"$examples/ci-job" "$WORK/kept" sh -c 'echo built >artifact; exit 3' || status=$?
	status_is 3
	[[ ! -e artifact ]]
	equal "$(json "$WORK/kept/receipt.json" 'd["exit_code"]')" 3
	grep -q '^+built' "$WORK/kept/changes.patch"
	grep -q '"settled"' "$WORK/kept/events.jsonl"
	/usr/bin/python3 "${BASH_SOURCE%/*}/page.py" "$WORK/kept/report.html" 'exit status 3' '+built'
	git apply "$WORK/kept/changes.patch" 2>/dev/null || patch -sp1 <"$WORK/kept/changes.patch"
	equal "$(<artifact)" built
	status=0
	"$examples/ci-job" "$WORK/refused" no-such-program 2>/dev/null || status=$?
	status_is 127
	/usr/bin/python3 "${BASH_SOURCE%/*}/page.py" "$WORK/refused/report.html" 'refused: E_NOT_FOUND'
}

parallel_jobs_have_a_copy_each() {
	parallel --version 2>/dev/null | grep -q '^GNU parallel' || skip "needs GNU parallel"
	begin
	local i
	mkdir jobs
	for i in 1 2 3 4; do
		printf '#!/bin/sh\n[ ! -e mark ] || exit 9\necho %s >mark\nsleep 0.2\ncat mark\n' "$i" >"jobs/$i"
		chmod +x "jobs/$i"
	done
	keep_tree
	"$examples/parallel-tests" "$WORK/receipts" jobs/* >"$WORK/out"
	equal "$(sort "$WORK/out" | tr '\n' ' ')" '1 2 3 4 '
	equal "$(ls "$WORK/receipts" | wc -l)" 4
	equal "$(json "$WORK/receipts/3.json" 'd["argv"], d["exit_code"]')" "['jobs/3'] 0"
	! "$examples/parallel-tests" "$WORK/receipts" jobs/1 false jobs/2 >/dev/null 2>&1
}

a_task_of_a_batch_system_leaves_its_receipt_where_it_was_submitted() {
	begin
	mkdir "$WORK/submitted"
	SLURM_SUBMIT_DIR=$WORK/submitted SLURM_JOB_ID=7 SLURM_PROCID=2 "$examples/slurm-task" sh -c 'cat one' >"$WORK/out"
	equal "$(<"$WORK/out")" one
	equal "$(json "$WORK/submitted/receipt-7-2.json" 'd["exit_code"]')" 0
}

# A Slurm of one machine and one node, for this test alone: nobody else is let in, and nobody is asked who he is.
slurm_of_its_own() {
	local place=$WORK/slurm port=$((20000 + RANDOM % 20000))
	mkdir -p "$place/state" "$place/spool"
	cat >"$place/slurm.conf" <<-END
		ClusterName=one
		SlurmctldHost=localhost(127.0.0.1)
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthType=auth/none
		CredType=cred/none
		MpiDefault=none
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SwitchType=switch/none
		SelectType=select/linear
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SlurmctldPidFile=$place/ctld.pid
		SlurmdPidFile=$place/d.pid
		SlurmctldPort=$port
		SlurmdPort=$((port + 1))
		StateSaveLocation=$place/state
		SlurmdSpoolDir=$place/spool
		SlurmctldLogFile=$place/ctld.log
		SlurmdLogFile=$place/d.log
		NodeName=localhost CPUs=2 State=UNKNOWN NodeAddr=127.0.0.1
		PartitionName=one Nodes=ALL Default=YES State=UP
	END
	export SLURM_CONF=$place/slurm.conf
	slurmctld -D >"$place/ctld.out" 2>&1 &
	at_end "kill $! 2>/dev/null; wait $! 2>/dev/null"
	slurmd -D -N localhost >"$place/d.out" 2>&1 &
	at_end "kill $! 2>/dev/null; wait $! 2>/dev/null"
	eventually 15 eval '[[ $(sinfo -h -o %t 2>/dev/null) == idle ]]' ||
		skip "Slurm does not start here: $(cat "$place"/*.out "$place"/*.log 2>/dev/null | tail -n 1)"
}
a_step_of_a_slurm_job_is_confined_on_its_host() {
	command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v srun >/dev/null || skip "needs Slurm"
	as_root_only
	begin
	slurm_of_its_own
	timeout 30 srun -n2 "$examples/slurm-task" sh -c 'cat one; echo x >made-$SLURM_PROCID' >"$WORK/out"
	equal "$(tr '\n' ' ' <"$WORK/out")" 'one one '
	equal "$(echo receipt-1-?.json)" 'receipt-1-0.json receipt-1-1.json'
	[[ ! -e made-0 && ! -e made-1 ]]
}
