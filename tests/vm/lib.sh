# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What runs tests in a guest, and passes on what they print. The file that includes this says in WHAT
# what is tested.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
export BUILD=${BUILD:-build}
PATH=$PATH:/usr/sbin:/sbin
BEGIN='==== cxlmon tests begin ===='
END='==== cxlmon tests end ===='

vm=$BUILD/vm
# what is fetched; a build with sanitizers has nothing of its own
# shellcheck disable=SC2034 # for those who include this
fetched=$vm
# shellcheck disable=SC2034
if grep -qs __asan_init "$BUILD/cxlmon"; then fetched=build/vm; fi
mkdir -p "$vm"

skip() {
	echo "skip $WHAT: $*"
	exit 0
}

# fail WHY LOG: and how the log ends
fail() {
	echo "not ok $WHAT: $1; see $2"
	tail -n 15 "$2" | tr -d '\r' | sed 's/^/    /'
	exit 1
}

# need PROGRAM...
need() {
	local program
	for program; do
		command -v "$program" >/dev/null || skip "$program is not installed"
	done
}

# fetch PROGRAM ARGUMENT...: one that says in its last line why it can't
fetch() {
	local log=$vm/$1.log program=tests/vm/$1
	shift
	"$program" "$@" 2>"$log" || skip "$(tail -n 1 "$log")"
}

# make_part PROGRAM ARGUMENT...: of the guest
make_part() {
	local log=$vm/$1.log program=tests/vm/$1
	shift
	"$program" "$@" 2>"$log" || fail "$program has failed" "$log"
}

# run_guest PREFIX CONSOLE LIMIT BOOT_ARGUMENT...: what its tests print follows, with the prefix in
# front of their names. Fails where one of them has, or the guest before its last.
run_guest() {
	local prefix=$1 console=$2 limit=$3 status output lines
	shift 3
	: >"$console"
	tests/vm/boot "$@" 2>"$vm/qemu.log"
	status=$?
	output=$(tr -d '\r' <"$console" | sed -n "/^$BEGIN\$/,/^$END\$/p")
	lines=$(grep -E '^(ok |not ok |skip |    )' <<<"$output")
	[ -z "$lines" ] || sed -E "s/^(ok|not ok|skip) /&$prefix/" <<<"$lines"
	if ! grep -qx "$END" <<<"$output"; then
		case $status in
		0) fail "the guest ended before its tests did" "$console" ;;
		124) fail "the guest has not finished within $limit seconds" "$console" ;;
		*) fail "qemu ended with status $status" "$vm/qemu.log" ;;
		esac
	fi
	grep -q '^ok ' <<<"$lines" || fail "the guest ran no test" "$console"
	! grep -q '^not ok ' <<<"$lines"
}
