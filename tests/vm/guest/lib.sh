# shellcheck shell=dash
# SPDX-License-Identifier: BSD-3-Clause
# What the guest's tests need, in the shell that busybox has. As tests/integration/lib.sh, but the
# tests run in the order of their file, since what one does to the kernel outlives it.

fail() {
	echo "$*" >"$TMP/why"
	exit 1
}

skip() {
	echo "$*" >"$TMP/why"
	exit 77 # as of automake
}

# note TEXT: what a test that passes has to say
note() {
	echo "$*" >"$TMP/note"
}

# expect_status N COMMAND...: standard output and error go to $TMP/out and $TMP/err
expect_status() {
	local expected=$1 status=0
	shift
	"$@" >"$TMP/out" 2>"$TMP/err" </dev/null || status=$?
	[ $status = "$expected" ] ||
		fail "$* ended with $status, expected $expected: $(head -n 3 "$TMP/err")"
}

# expect_error PATTERN...: each, an extended regular expression, is in what the last command said
expect_error() {
	local pattern
	for pattern; do
		grep -Eq -- "$pattern" "$TMP/err" || fail "no '$pattern' in: $(head -n 5 "$TMP/err")"
	done
}

# expect_same WHAT VALUE EXPECTED
expect_same() {
	[ "$2" = "$3" ] || fail "$1 is '$2', expected '$3'"
}

# expect_rate COLUMN MBPS: in the middle one of all ports' rows, within 5 %. Emulation makes the guest's
# clock coarse, and where the host is busy, a tenth of a second can pass between the write that
# starts counters and the look at the clock after it
expect_rate() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		$4 == "port" { print $at }' "$TMP/out" | sort -g |
		awk -v expected="$2" '
			{ rates[NR] = $1 }
			END {
				middle = rates[int((NR + 1) / 2)]
				exit !NR || middle < expected * 0.95 || middle > expected * 1.05
			}' ||
		fail "$1 is not $2 within 5 %: $(cut -d , -f 4,6,10,11 "$TMP/out" | tr '\n' ' ')"
}

# wait_for SECONDS COMMAND...: until the command succeeds
wait_for() {
	local tenths=$(($1 * 10))
	shift
	until "$@"; do
		tenths=$((tenths - 1))
		[ $tenths -gt 0 ] || fail "waited in vain for: $*"
		sleep 0.1
	done
}

test_names() {
	sed -n 's/^\(test_[a-z0-9_]*\)() {$/\1/p' "$1"
}

# run_tests FILE [PATTERN]: the functions test_* of the file, which has been read already, or those of
# them whose names match
run_tests() {
	local test status
	for test in $(test_names "$1" | grep -E -- "${2-}"); do
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
