# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Page faults of programs, sampled by this very kernel, and the functions that they are in.
# shellcheck disable=SC2016,SC2034,SC2086 # programs of awk; for who sources this; several arguments
# shellcheck source=tests/integration/perf.sh
. "$(dirname "${BASH_SOURCE[0]}")/perf.sh"

export FAULTS=${BUILD:-build}/cxlmon-faults

# Page faults of COMMAND, by this kernel: hot ARGUMENT... -- COMMAND
faults() {
	expect_status 0 "$CXLMON" hot --node=0 --event=minor-faults --period=1 --csv "$@"
}

# A new cgroup in that of this test, of the hierarchy that perf knows: $CGROUP, until the test ends.
make_cgroup() {
	local hierarchy mount
	hierarchy=$(awk '$1 == "perf_event" { print $2 }' /proc/cgroups)
	mount=$(awk -v version="${hierarchy:-0}" '
		version == 0 ? $3 == "cgroup2" : $3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/mounts)
	[ -n "$mount" ] || skip "no cgroups are mounted, in one of which a program would be alone"
	CGROUP=$mount$(sed -n "s/^${hierarchy:-0}:[^:]*://p" /proc/self/cgroup)/cxlmon-test-$BASHPID
	mkdir "$CGROUP" 2>"$TMP/cgroup" || skip "no cgroup can be made: $(cat "$TMP/cgroup")"
	trap 'rmdir "$CGROUP"' EXIT
}

# faults_without_loss OPTION... -- COMMAND...: of the command alone, whose faults fit into a ring: however busy others are,
# and however long cxlmon waits for its CPU, none is lost. Addresses that the command prints go to $TMP/addresses.
faults_without_loss() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	[ -n "${CGROUP:-}" ] || make_cgroup
	faults "--cgroup=$CGROUP" "${options[@]}" -- sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$CGROUP" "$@"
	grep '^0x' "$TMP/out" >"$TMP/addresses" || true # it may print none
	sed -i '/^0x/d' "$TMP/out"
	[ "$(sum lost '$scope == "system"' <"$TMP/out")" = 0 ] || fail "samples are lost"
}

# sum NAME CONDITION: of a column of the rows where it holds, in which $NAME is a field of that name
sum() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		'"$(sed -E 's/\$([a-z_]+)/$at["\1"]/g' <<<"$2")"' { sum += $at[name] }
		END { print sum + 0 }'
}

# wait_for_line FILE N
wait_for_line() {
	for _ in $(seq 600); do
		[ "$(wc -l <"$1" 2>/dev/null || echo 0)" -lt "$2" ] || return 0
		sleep 0.1
	done
	fail "there is no line $2 in $1 after a minute"
}

# functions_in FILE INTERVAL COMMAND...: each function of the file and its samples, on lines of $TMP/functions
functions_in() {
	faults_without_loss --by=function "$2" -- "${@:3}"
	awk -F, -v program="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		index($at["name"], program) == 1 { print $at["command"], $at["function"], $at["cxl_samples"] }' \
		"$TMP/out" >"$TMP/functions"
}

# functions_of PROGRAM ARGUMENT...: in the program's own file
functions_of() {
	functions_in "$1" 60 "$@"
}

# expect_function TEXT: it starts one of these lines
expect_function() {
	grep -q "^$1" "$TMP/functions" || fail "no $1 among $(cat "$TMP/functions" "$TMP/err")"
}

# compile NAME OPTION...: $TMP/NAME, whose function touch_pages touches 1000 pages of new memory; with an
# argument, it removes that file before, and reads standard input to its end after that
compile() {
	chmod 755 "$ALL_TMP" "$TMP" # for cxlmon-opener, which is nobody
	cat >"$TMP/program.cc" <<-'END'
		#include <sys/mman.h>
		#include <unistd.h>
		__attribute__((noinline)) void touch_pages(volatile char *at)
		{
			for (int i = 0; i < 1000; i++)
				at[i * 4096] = 1;
		}
		int main(int, char **argv)
		{
			char *map = (char *)mmap(0, 1000 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			madvise(map, 1000 * 4096, MADV_NOHUGEPAGE);
			if (argv[1])
				unlink(argv[1]);
			touch_pages(map);
			while (argv[1] && read(0, map, 1) > 0)
				;
		}
	END
	g++ -O1 "${@:2}" -o "$TMP/$1" "$TMP/program.cc"
}
