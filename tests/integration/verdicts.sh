# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What "cxlmon selftest" has found, for tests. After lib.sh.

# The words of a line's verdict: verdict BACKEND METRIC SOURCE NODE
verdict() {
	awk -v backend="$1" -v metric="$2" -v source="$3" -v node="$4" '
		$1 == "node" { at = $2; next }
		at == node && $1 == backend && $2 == metric && (source == "" || $3 == source) {
			match($0, / of +[0-9.]+ (MB\/s|ns) +/); print substr($0, RSTART + RLENGTH)
		}' "$TMP/out"
}

expect_verdict() {
	local found
	found=$(verdict "$1" "$2" "$3" "$4")
	[[ $found == "$5"* ]] || fail "$1 $2 $3 of node $4: '$found', expected '$5'"
}
