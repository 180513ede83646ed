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

# with_capability NAME COMMAND...: run by a user who has no other one
with_capability() {
	local name=$1
	shift
	/bin/setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all,+"$name" \
		--ambient-caps=-all,+"$name" --bounding-set=-all,+"$name" "$@"
}

# expect_rate COLUMN MBPS PERCENT: in the middle one of all ports' rows. Of registers 5 are needed:
# emulation makes the guest's clock coarse, and where the host is busy, a tenth of a second can pass
# between the write that starts counters and the look at the clock after it. The kernel looks at its
# clock with each counter.
expect_rate() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		$4 == "port" { print $at }' "$TMP/out" | sort -g |
		awk -v expected="$2" -v percent="$3" '
			{ rates[NR] = $1 }
			END {
				off = (rates[int((NR + 1) / 2)] / expected - 1) * 100
				exit !NR || off < -percent || off > percent
			}' ||
		fail "$1 is not $2 within $3 %: $(cut -d , -f 4,6,10,11 "$TMP/out" | tr '\n' ' ')"
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

# publish SPEC: a simulated machine as files below $TMP/machine, until the test ends
publish() {
	[ -x /bin/cxlmon-platform ] || skip "cxlmon-platform has not been built"
	modprobe fuse
	mkdir "$TMP/machine"
	mount -t tmpfs tmpfs "$TMP/machine"
	cxlmon-platform --sim="$1" "$TMP/machine" >"$TMP/ready" 2>&1 &
	publisher=$!
	trap withdraw EXIT
	wait_for 60 grep -qx ready "$TMP/ready"
}

withdraw() {
	kill -TERM "$publisher" 2>/dev/null
	wait "$publisher"
	umount "$TMP/machine"
}

# in_one_of N COMMAND...: it succeeds in one of N attempts, which a busy host can spoil; what is wrong
# is so in each of them
in_one_of() {
	local attempts=$1
	shift
	until ("$@"); do
		attempts=$((attempts - 1))
		[ $attempts -gt 0 ] || exit 1 # with the last one's reason
	done
}

test_names() {
	sed -n 's/^\(test_[a-z0-9_]*\)() {$/\1/p' "$1"
}

# run_tests FILE: the functions test_* of the file, which has been read already
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
