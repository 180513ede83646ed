# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What every integration test needs. A test is a function test_*; it fails by `fail WHY`, is
# skipped by `skip WHY` where the machine lacks something, and passes otherwise. run_tests runs them
# all, each with an empty directory $TMP of its own; ONLY=PATTERN runs those whose names match,
# TIMES=1 prints the seconds of each.

# nothing of this machine is measured, also when somebody runs one test program alone
[ -s /dev/isolated ] || [ "${ISOLATED:-}" = by-rights ] ||
	exec "$(dirname "${BASH_SOURCE[0]}")/../isolated" "$0" "$@"
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
export BUILD=${BUILD:-build}
export CXLMON=$BUILD/cxlmon
ALL_TMP=$(mktemp -d "$TMPDIR/XXX")
trap 'rm -rf "$ALL_TMP"' EXIT
# a test alone has a $TMP: "$TMP/root" outside of one is an error, never /root
unset TMP
set -u

fail() {
	echo "$*" >"$TMP/why"
	exit 1
}

skip() {
	echo "$*" >"$TMP/skipped"
	exit 77 # as of automake
}

NOBODY=65534

# as_nobody COMMAND...: runs it as user nobody, without any capability
as_nobody() {
	setpriv --reuid=$NOBODY --regid=$NOBODY --clear-groups "$@"
}

# whether the program was built with sanitizers
instrumented() {
	grep -qs __asan_init "$CXLMON"
}

# expect_status N COMMAND...: standard output and error go to $TMP/out and $TMP/err
expect_status() {
	local expected=$1 status=0
	shift
	"$@" >"$TMP/out" 2>"$TMP/err" </dev/null || status=$?
	[ $status = "$expected" ] ||
		fail "$* ended with $status, expected $expected: $(head -n 3 "$TMP/err")"
}

# expect_text FILE PATTERN: an extended regular expression
expect_text() {
	grep -Eq -- "$2" "$1" || fail "no '$2' in: $(head -n 5 "$1")"
}

# Nothing on standard error, except that other programs kept this machine from reading counters in time.
expect_no_message() {
	! grep -v '^cxlmon: counters took longer to read than usual' "$TMP/err" >"$TMP/said" || fail "said: $(cat "$TMP/said")"
}

# expect_end_without_reader COMMAND...: standard output is a pipe that nobody reads any more
expect_end_without_reader() {
	local status=0
	rm -f "$TMP/pipe"
	mkfifo "$TMP/pipe"
	exec 8<>"$TMP/pipe" # a writer alone would wait for a reader
	exec 9>"$TMP/pipe"
	exec 8<&-
	timeout 120 "$@" >&9 9>&- 2>"$TMP/err" </dev/null || status=$?
	exec 9>&-
	[ $status = 141 ] || fail "$* ended with $status: $(head -n 3 "$TMP/err")"
	[ ! -s "$TMP/err" ] || fail "$* said: $(cat "$TMP/err")"
}

# column NAME: the fields of a CSV on standard input
column() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ print $at }'
}

run_tests() {
	local test status begin all=0
	for test in $(declare -F | sed -n 's/^declare -f \(test_.*\)$/\1/p' |
		grep -E "${ONLY:-}"); do
		TMP=$ALL_TMP/$test
		mkdir "$TMP"
		begin=$SECONDS
		# which command failed, for a test that ends without fail
		(set -eEu; trap 'echo "line $LINENO: $BASH_COMMAND" >"$ALL_TMP/failed"' ERR; "$test") >"$TMP/log" 2>&1
		status=$?
		[ ! -e "$TMP/skipped" ] || status=77 # also by a subshell, whose status may be nobody's
		case $status in
		0) echo "ok $test" ;;
		77) echo "skip $test: $(cat "$TMP/skipped")" ;;
		*)
			echo "not ok $test: $(cat "$TMP/why" 2>/dev/null || cat "$ALL_TMP/failed" 2>/dev/null)"
			sed 's/^/    /' "$TMP/log"
			all=1
			;;
		esac
		rm -rf "$TMP" "$ALL_TMP/failed"
		[ -z "${TIMES:-}" ] || echo "$((SECONDS - begin)) s $test"
	done
	return $all
}
