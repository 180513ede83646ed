# shellcheck shell=dash
# SPDX-License-Identifier: BSD-3-Clause
# Functions of the guest's tests, for busybox's shell, as in tests/integration/lib.sh. Tests run in the order
# of their file, because the state of the kernel outlives a test. READ and WRITE in the environment are the
# traffic of each simulated port in GB/s.

fail() {
	echo "$*" >"$TMP/why"
	exit 1
}

skip() {
	echo "$*" >"$TMP/why"
	exit 77 # automake's status of a skipped test
}

# note TEXT: sets a remark that is printed if the test passes
note() {
	echo "$*" >"$TMP/note"
}

# expect_status N COMMAND...: checks the status; standard output and error go to $TMP/out and $TMP/err
expect_status() {
	local expected=$1 status=0
	shift
	"$@" >"$TMP/out" 2>"$TMP/err" </dev/null || status=$?
	[ $status = "$expected" ] ||
		fail "$* ended with $status, expected $expected: $(head -n 3 "$TMP/err")"
}

# expect_error PATTERN...: checks that each extended regular expression matches the last command's messages
expect_error() {
	local pattern
	for pattern; do
		grep -Eq -- "$pattern" "$TMP/err" || fail "no '$pattern' in: $(head -n 5 "$TMP/err")"
	done
}

# expect_same WHAT VALUE EXPECTED: checks a value, which WHAT names in the reason of a failure
expect_same() {
	[ "$2" = "$3" ] || fail "$1 is '$2', expected '$3'"
}

# with_capability NAME COMMAND...: runs it as a user who has only this capability
with_capability() {
	local name=$1
	shift
	/bin/setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all,+"$name" \
		--ambient-caps=-all,+"$name" --bounding-set=-all,+"$name" "$@"
}

# clock: prints the seconds since the guest started
clock() {
	cut -d ' ' -f 1 /proc/uptime
}

# Seconds that `pass` adds at once in tests that compare counts. A busy host can stop the guest for seconds
# between two registers, or between a register and the clock; compared with these counts, that is little.
# MOMENT, after a run of 2 s, moves no clock by more than a run can: more is taken for another program's
# write. AGES fill less than half of any counter that is compared.
# shellcheck disable=SC2034 # some tests use it
MOMENT=4 AGES=100000

# while_time_passes COMMAND...: runs it for at least 24 s, of which 16 s pass at once: as much as clocks can
# count in the other 8 s. Half a second is 2 % of the time.
while_time_passes() {
	"$@" -- sh -c "sleep 8; pass 16"
}

# expect_bytes METRIC GBPS ELAPSED: checks that each port has transferred the bytes of MOMENT, and of at most
# ELAPSED seconds more
expect_bytes() {
	awk -v metric="cxlmon_$1_bytes_total" -v rate="$2" -v least=$MOMENT -v elapsed="$3" '
		index($1, metric "{") == 1 {
			seconds = $2 / rate / 1e9
			ports++
			wrong += seconds < least - 0.01 || seconds > least + elapsed + 0.01
		}
		END { exit !ports || wrong }' "$TMP/out" ||
		fail "$1 is not $2 GB/s for $MOMENT to +$3 s: $(grep "$1" "$TMP/out")"
}

# expect_traffic COMMAND...: checks that a cxlmon, given without operands, counts READ and WRITE
expect_traffic() {
	local begin elapsed
	begin=$(clock)
	expect_status 0 "$@" 3600 --format=openmetrics -- sh -c "sleep 2; pass $MOMENT"
	elapsed=$(awk "BEGIN { print $(clock) - $begin + 0.02 }")
	expect_bytes cxl_mem_read "$READ" "$elapsed"
	expect_bytes cxl_mem_write "$WRITE" "$elapsed"
}

# expect_rate COLUMN GBPS PERCENT: checks the median of all ports' rows
expect_rate() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		$4 == "port" { print $at }' "$TMP/out" | sort -g |
		awk -v expected="$2" -v percent="$3" '
			{ rates[NR] = $1 }
			END {
				off = (rates[int((NR + 1) / 2)] / expected / 1000 - 1) * 100
				exit !NR || off < -percent || off > percent
			}' ||
		fail "$1 is not $2 GB/s within $3 %: $(cut -d , -f 4,6,10,11 "$TMP/out" | tr '\n' ' ')"
}

rates() {
	local percent=$1
	shift
	expect_status 0 "$@" 1 2 --csv
	expect_rate cxl_mem_read_MBps "$READ" "$percent"
	expect_rate cxl_mem_write_MBps "$WRITE" "$percent"
}

# expect_rates PERCENT COMMAND...: checks the rates of READ and WRITE by the guest's clock. A busy host can
# stop the guest between starting counters and reading the clock, but not each time. Registers need 5 %,
# because emulating them takes long; the kernel reads its clock with each counter.
expect_rates() {
	in_one_of 50 rates "$@"
}

# uptime_s: prints the seconds since the guest was booted
uptime_s() {
	cut -d . -f 1 /proc/uptime
}

# wait_for COMMAND...: waits until the command succeeds, for at most 10 minutes, whatever the command takes
wait_for() {
	local end
	end=$(($(uptime_s) + 600))
	until "$@"; do
		[ "$(uptime_s)" -lt $end ] || fail "waited in vain for: $*"
		sleep 0.1
	done
}

# start_run [OPTION]...: starts a run of GROUP, which needs no counter; the run ends with the test
start_run() {
	cxlmon -v -m "${GROUP:-tiering}" "$@" "${INTERVAL:-0.2}" >"$TMP/run" 2>"$TMP/err" &
	run=$!
	trap 'kill -TERM $run; wait $run || true' EXIT
	wait_for test -s "$TMP/run"
}

# start_recording, end_recording: record links and errors
start_recording() {
	cxlmon record "$TMP/recording" -m port "${INTERVAL:-0.2}" >"$TMP/out" 2>"$TMP/err" &
	run=$!
	trap 'kill -TERM $run; wait $run || true' EXIT
	wait_for test -s "$TMP/recording"
}

end_recording() {
	kill -TERM "$run"
	wait "$run" || true
	trap - EXIT
}

# has_ended PID: tells if a process is gone or a zombie, which this guest's init does not reap
has_ended() {
	! grep -q '^State:.[^Z]' "/proc/$1/status" 2>/dev/null
}

# said PATTERN: tells if a message of the run matches
said() {
	grep -q "$1" "$TMP/err"
}

# marks: prints the recording's marks, each with its number of times
marks() {
	cxlmon replay "$TMP/recording" --json | jq -r '.marks[]?.text' | sort | uniq -c | sed 's/^ *//'
}

# column NAME FILE: prints a column of CSV
column() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ print $at }' "$2"
}

load_cxl_drivers() {
	modprobe -a cxl_acpi cxl_pci cxl_mem
	wait_for test -e /sys/bus/cxl/devices/mem0
}

PCI=/sys/bus/pci/devices
# shellcheck disable=SC2034 # some tests use it
LINKS=/sys/module/mock_link/parameters

# find_again FUNCTION: removes it and all below it, and lets the kernel find them again
find_again() {
	echo 1 >"$PCI/$1/remove"
	echo 1 >/sys/bus/pci/rescan
}

# link_bits SPEED WIDTH: prints the bits of a link's registers; SPEED is the number of the speed
link_bits() {
	echo $(($1 | $2 << 4))
}

# numbers FILE...: prints "16.0 GT/s PCIe" and "8" as 16 and 8
numbers() {
	awk '{ printf "%s%g", separator, $1; separator = " " }' "$@"
}

# link FUNCTION current | max: prints its speed and width by the kernel
link() {
	numbers $PCI/"$1"/"$2"_link_speed $PCI/"$1"/"$2"_link_width
}

# seen_by_lspci FUNCTION LnkSta | LnkCap: prints its speed and width by lspci
seen_by_lspci() {
	lspci -vvv -s "$1" | sed -n "s|.*$2:.*Speed \([0-9.]*\)GT/s.*Width x\([0-9]*\).*|\1 \2|p"
}

# possible ABOVE BELOW: prints the highest speed and width that both ends of a link support
possible() {
	{ link "$1" max && echo && link "$2" max; } |
		awk 'NR == 1 { speed = $1; width = $2 }
		     NR == 2 { print $1 < speed ? $1 : speed, $2 < width ? $2 : width }'
}

# expect_links ABOVE BELOW...: checks that info agrees with the kernel and lspci on each link
expect_links() {
	local expected=
	while [ $# != 0 ]; do
		expected="$expected$1 $2 $(link "$2" current) $(possible "$1" "$2");"
		expect_same "the link of $2 by lspci" "$(seen_by_lspci "$2" LnkSta)" "$(link "$2" current)"
		shift 2
	done
	cxlmon info --json >"$TMP/info" 2>&1 || true
	expect_same "the links" "$(jq -j '.links[] | "\(.above) \(.below) \(.speed_GTps) \(.width) \(.possible_speed_GTps) \(.possible_width);"' "$TMP/info")" \
		"$expected"
}

# publish SPEC: shows a simulated machine as files below $TMP/machine until the test ends
publish() {
	local line
	modprobe fuse
	mkdir "$TMP/machine"
	mount -t tmpfs tmpfs "$TMP/machine"
	mkfifo "$TMP/commands" "$TMP/answers"
	exec 8<>"$TMP/commands" 9<>"$TMP/answers" # keeps a reader and a writer of both open
	cxlmon-platform --sim="$1" "$TMP/machine" <&8 >&9 &
	publisher=$!
	trap withdraw EXIT
	# shellcheck disable=SC3045 # busybox has it
	read -r -t 600 line <&9 || fail "the machine does not start"
	expect_same "what the machine says" "$line" ready
	export MACHINE="$TMP"
}

withdraw() {
	kill -TERM "$publisher" 2>/dev/null
	wait "$publisher"
	umount "$TMP/machine"
}

# in_one_of N COMMAND...: checks that it succeeds in one of N attempts. A busy host can spoil some; an error
# spoils all.
in_one_of() {
	local attempts=$1
	shift
	until ("$@"); do
		attempts=$((attempts - 1))
		[ $attempts -gt 0 ] || exit 1 # keeps the last attempt's reason
	done
}

test_names() {
	sed -n 's/^\(test_[a-z0-9_]*\)() {$/\1/p' "$1"
}

# run_tests FILE: runs the functions test_* of the file, which the shell has read already
run_tests() {
	local test status
	for test in $(test_names "$1"); do
		TMP=/tmp/$test
		mkdir "$TMP"
		(set -eu; "$test") >"$TMP/log" 2>&1
		status=$?
		case $status in
		0) echo "ok $test$(sed 's/^/: /' "$TMP/note" 2>/dev/null)" ;;
		77) echo "skip $test: $(cat "$TMP/why")" ;;
		*)
			echo "not ok $test: $(cat "$TMP/why" 2>/dev/null)"
			sed 's/^/    /' "$TMP/log"
			;;
		esac
		rm -rf "$TMP"
	done
}
