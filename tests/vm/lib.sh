# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs tests in a guest, and passes on their output. The file that includes this names the tested
# thing in WHAT; a file in guest has its tests. Several guests may run at the same time.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
export BUILD=${BUILD:-build}
PATH=$PATH:/usr/sbin:/sbin
# Traffic of each simulated port, in GB/s: so little that hardware could move the traffic of the
# time that tests let pass at once.
READ=0.002 WRITE=0.0008
LIMIT=1700 # seconds for a guest, also on a busy host: less than for a test program
BEGIN='==== cxlmon tests begin ===='
END='==== cxlmon tests end ===='

vm=$BUILD/vm
# directory of fetched and built parts of guests; builds with sanitizers share it
fetched=$vm
if grep -qs __asan_init "$BUILD/cxlmon"; then fetched=build/vm; fi
mkdir -p "$vm" "$fetched"

skip() {
	echo "skip $WHAT: $*"
	exit 0
}

# fail WHY LOG: also prints the end of the log
fail() {
	echo "not ok $WHAT: $1; see $2"
	tail -n 15 "$2" | tr -d '\r' | sed 's/^/    /'
	exit 1
}

# need PROGRAM...: skips the tests without these programs
need() {
	local program
	for program; do
		command -v "$program" >/dev/null || skip "$program is not installed"
	done
}

# fetch PROGRAM ARGUMENT...: runs a program whose last line gives the reason of a failure
fetch() {
	local log=$vm/$1.log program=tests/vm/$1
	shift
	"$program" "$@" 2>"$log" || skip "$(tail -n 1 "$log")"
}

# make_part PROGRAM ARGUMENT...: makes a part of the guest, or fails
make_part() {
	local log=$vm/$1.log program=tests/vm/$1
	shift
	"$program" "$@" 2>"$log" || fail "$program has failed" "$log"
}

# begin_parts, end_parts: only one guest at a time makes the parts between them, which the others
# also use
begin_parts() {
	exec {parts}>"$fetched/lock"
	flock "$parts"
}

end_parts() {
	exec {parts}>&-
}

# make_small_guest: the kernel of Debian's release, which has the msr, cpuid and CXL drivers
make_small_guest() {
	need qemu-system-x86_64 busybox cpio depmod modprobe xz zstd rdmsr wrmsr setpriv lspci jq
	kernel=$fetched/kernel initramfs=$vm/initramfs
	begin_parts
	fetch fetch-kernel "$kernel" linux-image-cloud-amd64
	make_part make-initramfs "$kernel" "$BUILD" "$initramfs"
	end_parts
}

# make_newest_guest: uses the kernel of Debian's backports instead, if it can be fetched
make_newest_guest() {
	local newest=$fetched/kernel-backports log=$vm/fetch-backports.log status=0
	make_small_guest
	begin_parts
	SUITE=trixie-backports tests/vm/fetch-kernel "$newest" linux-image-cloud-amd64 2>"$log" || status=$?
	if [ $status = 0 ]; then
		kernel=$newest initramfs=$vm/initramfs-backports
		make_part make-initramfs "$kernel" "$BUILD" "$initramfs"
	fi
	end_parts
}

# make_uncore_guest uncore | cpmu: Linux 6.12 and perf with a simulated processor; cpmu also has the
# driver of CPMUs
make_uncore_guest() {
	local perf=$fetched/perf module=$fetched/module driver=$fetched/driver modules
	need qemu-system-x86_64 busybox cpio depmod modprobe xz zstd rdmsr wrmsr setpriv lspci jq make gcc
	qemu-system-x86_64 -device x-pci-proxy-dev,help >/dev/null 2>&1 ||
		skip "this qemu has no x-pci-proxy-dev"
	kernel=$fetched/kernel-6.12 initramfs=$vm/initramfs-$1
	modules=$module/remote_uncore.ko
	begin_parts
	fetch fetch-kernel "$kernel" linux-image-6.12-cloud-amd64 linux-headers-6.12-cloud-amd64
	fetch fetch-perf "$perf"
	make_part make-module "$kernel" "$module" remote_uncore tests/vm/uncore/{Kbuild,*.[ch]} \
		tests/vm/remote/device.h
	if [ "$1" = cpmu ]; then
		fetch fetch-driver "$driver" "$kernel"
		# the driver includes ../cxl/...
		make_part make-module "$kernel" "$driver/module" cxl_pmu tests/vm/cpmu/{Kbuild,*.c} \
			"$driver/perf/cxl_pmu.c"
		modules+=" $driver/module/remote_cpmu.ko $driver/module/cxl_pmu.ko"
	fi
	make_part make-initramfs "$kernel" "$BUILD" "$initramfs" "$modules" "$perf"
	end_parts
}

# make_events_guest: Linux 6.12, with the modules that let a device report health and errors
make_events_guest() {
	local driver=$fetched/driver
	need qemu-system-x86_64 busybox cpio depmod modprobe xz zstd rdmsr wrmsr setpriv lspci jq make gcc
	kernel=$fetched/kernel-6.12 initramfs=$vm/initramfs-events
	begin_parts
	fetch fetch-kernel "$kernel" linux-image-6.12-cloud-amd64 linux-headers-6.12-cloud-amd64
	fetch fetch-driver "$driver" "$kernel"
	make_part make-module "$kernel" "$driver/events" mock_link tests/vm/events/{Kbuild,*.c}
	make_part make-initramfs "$kernel" "$BUILD" "$initramfs" \
		"$driver/events/mock_device.ko $driver/events/mock_link.ko"
	end_parts
}

# run_guest TESTS PREFIX [OPTION] [NAME=VALUE...]: boots the guest that was made last, with these
# options of boot. The output of the file guest/TESTS follows, with the prefix before the tests'
# names. Fails if a test has failed, or if the guest ended before its last test.
run_guest() {
	local tests=$1 prefix=$2 console=$vm/console-$WHAT.log log=$vm/qemu-$WHAT.log status output lines
	shift 2
	: >"$console"
	tests/vm/boot $LIMIT "$kernel/vmlinuz" "$initramfs" "$console" "$@" \
		"TESTS=$tests" "READ=$READ" "WRITE=$WRITE" 2>"$log"
	status=$?
	output=$(tr -d '\r' <"$console" | sed -n "/^$BEGIN\$/,/^$END\$/p")
	lines=$(grep -E '^(ok |not ok |skip |    )' <<<"$output")
	[ -z "$lines" ] || sed -E "s/^(ok|not ok|skip) /&$prefix/" <<<"$lines"
	if ! grep -qx "$END" <<<"$output"; then
		case $status in
		0) fail "the guest ended before its tests did" "$console" ;;
		124) fail "the guest has not finished within $LIMIT seconds" "$console" ;;
		*) fail "qemu ended with status $status" "$log" ;;
		esac
	fi
	grep -q '^ok ' <<<"$lines" || fail "the guest ran no test" "$console"
	! grep -q '^not ok ' <<<"$lines"
}
