# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Pages of "cxlmon report", for tests. After lib.sh.

SEPARATOR=$'\xe2\x80\xaf' # U+202F between groups of three digits, in any locale

# make_report ARGS...: of a run on a simulated machine; $TMP/recording and $TMP/page.html
make_report() {
	rm -f "$TMP/recording"
	expect_status 0 "$CXLMON" record "$TMP/recording" "$@"
	expect_status 0 "$CXLMON" report "$TMP/recording" -o "$TMP/page.html"
}

# figure METRIC PLACE NAME: a cell of the page's table
figure() {
	awk -v separator="$SEPARATOR" -v metric="data-metric=\"$1\"" -v place=">$2<" -v name="data-of=\"$3\">" '
		/^<tbody/ { inside = index($0, metric) }
		inside && index($0, place) {
			at = index($0, name)
			if (at) {
				split(substr($0, at + length(name)), rest, "<")
				gsub(separator, "", rest[1])
				print rest[1]
			}
		}' "$TMP/page.html"
}
