# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# A published machine for a test: machine_start SPEC, or trapped_machine_start SPEC where no write to
# memory may be lost; machine_say FAULT, machine_stop. Its files are below $ROOT, the log of its
# register accesses is $LOG.
# shellcheck source=tests/integration/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# machine_start SPEC [OPTION...]: of cxlmon-platform
machine_start() {
	[ "$(id -u)" = 0 ] || skip "needs root"
	[ -c /dev/fuse ] || skip "this machine has no /dev/fuse"
	ROOT=$TMP/root LOG=$TMP/accesses
	# what the test runs may be trapped; the machine answers for it
	coproc MACHINE { exec env -u LD_PRELOAD "${BUILD:-build}/cxlmon-platform" "--sim=$1" "--log=$LOG" "${@:2}" "$ROOT"; }
	read -r MACHINE_OWNER _ </proc/self/stat
	MACHINE_INPUT=${MACHINE[1]} MACHINE_OUTPUT=${MACHINE[0]} MACHINE_PROCESS=$MACHINE_PID
	trap machine_stop EXIT
	read -r -t 60 -u "$MACHINE_OUTPUT" line || fail "the machine does not start"
	[ "$line" = ready ] || fail "the machine said '$line'"
}

# Each load and store of a register in memory, by programs that the test starts from here on, reaches
# the simulator (tests/platform/trap).
trapped_machine_start() {
	machine_start "$1" --trap
	LD_PRELOAD=$(realpath "${BUILD:-build}/cxlmon-trap.so")
	export LD_PRELOAD
	# the sanitizer runtime need not be the first library
	export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
}

# A command in the background begins as a fork of the shell, whose traps it still has: a signal that it
# gets before it is executed must not stop the machine.
machine_stop() {
	local self
	read -r self _ </proc/self/stat # $BASHPID is still the shell's then
	[ "$self" = "$MACHINE_OWNER" ] || return 0
	kill "$MACHINE_PROCESS" 2>/dev/null || true
	wait "$MACHINE_PROCESS" || true
}

# machine_say COMMAND: one of tests/platform/faults.c; what it answers is in $answer
machine_say() {
	echo "$*" >&"$MACHINE_INPUT"
	read -r -t 60 -u "$MACHINE_OUTPUT" answer || fail "no answer to '$*'"
	[[ $answer == ok* ]] || fail "'$*': $answer"
}

# machine_refuses WHY COMMAND
machine_refuses() {
	echo "${@:2}" >&"$MACHINE_INPUT"
	read -r -t 60 -u "$MACHINE_OUTPUT" answer || fail "no answer to '${*:2}'"
	[ "$answer" = "error: $1" ] || fail "'${*:2}': $answer"
}

# on_machine COMMAND...: with the machine's device and proc files where other programs look for them
on_machine() {
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare -m sh -c '
		mount --bind "$0/dev/cpu" /dev/cpu && mount --bind "$0/proc/bus/pci" /proc/bus/pci 2>/dev/null
		exec "$@"' "$ROOT" "$@"
}

# the value of an MSR, as rdmsr has it
msr() {
	on_machine rdmsr -p "$1" -0 "$2"
}

# expect_msr CPU MSR VALUE: asserts what the MSR holds; VALUE is hexadecimal
expect_msr() {
	local value
	value=$(msr "$1" "$2") || fail "rdmsr cannot read $2"
	[ $((0x$value)) = $((0x$3)) ] || fail "cpu $1 msr $2 is $value, expected $3"
}

# Registers that cxlmon writes, one a line, as other programs read them. Counters in memory (0x58 and
# on) are not among them: a published machine loses a write of the value that they show at that moment.
registers() {
	local cpu msr
	for cpu in 0 4; do
		for msr in 0x186 0x187 0xc1 0x309 0x30a 0x30b 0x38d 0x38f 0x2ff0 \
			0x2000 0x2002 0x2003 0x2004 0x2005 0x2008; do
			echo "$cpu $msr $(msr $cpu $msr)"
		done
	done
	od -An -v -tx8 -w8 -N 0x58 "$ROOT/sys/bus/pci/devices/0000:1e:00.0/resource2"
	od -An -v -tx8 -w8 -j 4096 -N 0x58 "$ROOT/sys/bus/pci/devices/0000:1e:00.0/resource2"
}

# expect_registers_as_before: asserts that registers hold what $TMP/before has
expect_registers_as_before() {
	registers >"$TMP/after"
	diff "$TMP/before" "$TMP/after" >"$TMP/diff" || fail "registers are not as before: $(cat "$TMP/diff")"
}

expect_registers_changed() {
	registers >"$TMP/during"
	! cmp -s "$TMP/before" "$TMP/during" || fail "nothing was programmed"
}

# the state of every control and counter of the machine, as one number
state() {
	machine_say state
	STATE=${answer#ok }
}

expect_state() {
	local before=$1
	state
	[ "$STATE" = "$before" ] || fail "registers are not as before${2:+ $2}"
}

# start_monitor OPTION...: runs in the background as process $MONITOR until its counters run; its output
# is in $TMP/live and $TMP/live.err
start_monitor() {
	rm -f "$TMP/live"
	# in the background of a script SIGINT and SIGQUIT are ignored
	env --default-signal=INT,QUIT "$CXLMON" "--root=$ROOT" "$@" >"$TMP/live" 2>"$TMP/live.err" &
	MONITOR=$!
	until [ -s "$TMP/live" ]; do
		kill -0 $MONITOR 2>/dev/null || fail "it ended early: $(cat "$TMP/live.err")"
		sleep 0.01
	done
}

# wait_until COMMAND...: until it succeeds, as long as the monitor runs, whose COUNT is the limit
wait_until() {
	until "$@"; do
		kill -0 "$MONITOR" 2>/dev/null || fail "it ended early: $(cat "$TMP/live.err")"
		sleep 0.01
	done
}

has_rows() {
	[ "$(wc -l <"$TMP/live")" -ge "$1" ]
}

# wait_for_rows N: until the monitor has printed as many
wait_for_rows() {
	wait_until has_rows "$1"
}

# wait_for_more_rows N
wait_for_more_rows() {
	wait_for_rows $(($(wc -l <"$TMP/live") + $1))
}

# wait_for_message PATTERN: until the monitor has said it
wait_for_message() {
	wait_until grep -Eq -- "$1" "$TMP/live.err"
}

# was_held_up: whether the monitor said so: on a busy machine it leaves values empty for that
was_held_up() {
	grep -q 'counters took longer to read' "$TMP/err"
}

# stop_monitor SIGNAL: ends the monitor, and ignores its status
stop_monitor() {
	kill -s "$1" "$MONITOR"
	wait "$MONITOR" || true
}

# end_monitor: as Ctrl-C does; its output is in $TMP/out and $TMP/err then
end_monitor() {
	local status=0
	kill -INT "$MONITOR"
	wait "$MONITOR" || status=$?
	[ $status = 0 ] || fail "it ended with $status: $(cat "$TMP/live.err")"
	mv "$TMP/live" "$TMP/out"
	mv "$TMP/live.err" "$TMP/err"
}

KILLS=${KILLS:-50} # how many times a test ends runs at random moments; test-all has more

# end_at_random SIGNAL WINDOW [OPTION...]: a run, of all metrics without OPTION, that is ended at any moment
# of its first WINDOW ms
end_at_random() {
	local signal=$1 delay=$((RANDOM % $2))
	shift 2
	[ $# != 0 ] || set -- -m all
	"$CXLMON" "$@" "--root=$ROOT" 0.002 --csv >"$TMP/out" 2>"$TMP/err" &
	local monitor=$!
	sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
	kill -s "$signal" $monitor 2>/dev/null || true
	wait $monitor || true
}

# expect_restored_after_kills OPTION...: of runs at random moments, a quarter of them while registers were
# programmed
expect_restored_after_kills() {
	local before window=100 i left=0
	state
	before=$STATE
	for ((i = 1; i <= KILLS || 4 * left < KILLS; i++)); do
		end_at_random KILL $window "$@"
		state
		[ "$STATE" = "$before" ] || left=$((left + 1))
		# where the machine is busy it takes longer until registers are programmed
		[ $((3 * left)) -ge "$i" ] || window=$((window * 11 / 10))
		expect_status 0 "$CXLMON" restore "--root=$ROOT"
		expect_state "$before" "after SIGKILL $i"
		[ $i -lt $((20 * KILLS)) ] || fail "only $left were killed while registers were programmed"
	done
}
