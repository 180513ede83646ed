# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# The PMUs of a published machine, and events of this machine's kernel: cxlmon sees the published
# machine's files as its own, and cxlmon-clock.so makes a clock of each event, which counts 10^9 a second
# on any machine.
# shellcheck source=tests/integration/platform.sh
. "$(dirname "${BASH_SOURCE[0]}")/platform.sh"

CLOCK=$(realpath "${BUILD:-build}/cxlmon-clock.so")

# counting COMMAND...: with the published machine's files as this one's, and cxlmon-clock.so
counting() {
	"${ON_THIS_KERNEL[@]}" "$@"
}

# kernel_machine_start SPEC; what "${ON_THIS_KERNEL[@]}" begins with is as by counting, and $! the command's
kernel_machine_start() {
	local status=0
	machine_start "$1"
	# shellcheck disable=SC2016 # the inner shell expands it
	ON_THIS_KERNEL=(unshare -m sh -c '
		mkdir -p /dev/cpu
		mount --bind "$0/dev/cpu" /dev/cpu && mount --bind "$0/proc/bus/pci" /proc/bus/pci &&
			mount --bind "$0/sys" /sys || exit
		exec "$@"' "$ROOT" env "LD_PRELOAD=$CLOCK" ASAN_OPTIONS=verify_asan_link_order=0)
	chmod 755 "$ALL_TMP" "$TMP" "$ROOT"
	# a build directory that only its owner may enter
	cp "$CXLMON" "$TMP/cxlmon"
	counting "$TMP/cxlmon" --backend=perf 0.01 1 --csv >"$TMP/out" 2>"$TMP/err" || status=$?
	[ $status != 4 ] || skip "this kernel does not let root count: $(tail -n 1 "$TMP/err")"
	[ $status = 0 ] || fail "status $status: $(head -n 3 "$TMP/err")"
}

# Where this very kernel samples page faults, and sysfs is its own: another machine has other CPUs and nodes.
needs_page_faults() {
	local status=0
	[ -d /sys/devices/system/node/node0/memory0 ] || skip "this kernel has no memory blocks"
	"$CXLMON" hot --node=0 --event=minor-faults 0.01 1 >"$TMP/probe" 2>&1 || status=$?
	case $status in
	0) ;;
	3 | 4) skip "page faults are not sampled here: $(tail -n 1 "$TMP/probe")" ;;
	*) fail "it ended with $status: $(tail -n 1 "$TMP/probe")" ;;
	esac
}

# make_load_events: what the kernel is asked for to sample loads on AMD (cnt_ctl=1,l3missonly=1), or on Intel
# (event=0xd1,umask=0x20 and mem-loads), are page faults: enum perf_sw_ids, 5 or 2
make_load_events() {
	local pmus=/sys/bus/event_source/devices status=0
	[ "$(id -u)" = 0 ] || skip "needs root"
	[ -s /dev/isolated ] || skip "these are the machine's own files"
	mkdir -p $pmus/ibs_op/format $pmus/cpu/{format,events}
	echo 1 | tee $pmus/ibs_op/type >$pmus/cpu/type # PERF_TYPE_SOFTWARE
	echo config:0 >$pmus/ibs_op/format/cnt_ctl
	echo config:2 >$pmus/ibs_op/format/l3missonly
	echo config1:0-7 >$pmus/cpu/format/event
	echo config:10-14,1 >$pmus/cpu/format/umask
	echo config1:0-15 >$pmus/cpu/format/ldlat
	echo umask=0x20 >$pmus/cpu/events/mem-loads
	"$CXLMON" hot --node=0 0.01 1 >"$TMP/probe" 2>&1 || status=$?
	[ $status = 0 ] || skip "nothing is sampled here: $(tail -n 1 "$TMP/probe")"
}
