# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What --help says, for tests of what is written about it elsewhere. "" stands for the monitor.

subcommands() {
	"$CXLMON" help all | sed -n '/^Subcommands/,/^$/s/^      \([a-z][a-z]*\)  .*/\1/p'
}

help_of() {
	if [ -n "$1" ]; then
		"$CXLMON" "$1" --help
	else
		"$CXLMON" help all
	fi || fail "no help of '$1'"
}

# Succeeds if the help of a subcommand refers to the monitor's options. Its lines are wrapped.
refers_to_monitor() {
	help_of "$1" | tr '\n' ' ' | grep -q 'cxlmon help all'
}

# The lines that explain an option, as "-f --format FMT", "- --csv" or "-h --help".
option_rows() {
	help_of "$1" | sed -nE '/^ {2,6}(-[A-Za-z], )?--[A-Za-z]/ {
		s/^ +(-[A-Za-z]), /\1 /
		s/^ +--/- --/
		s/\[=[A-Z]+\]//
		s/^(-[^ ]* --[A-Za-z-]+)=?([^ ]*) .*/\1 \2/
		s/ *$//p
	}'
}

# The same as words that can be typed: -f --format= --csv
option_words() {
	option_rows "$1" |
		awk '{ if ($1 != "-") print $1; print $2 ($3 == "" ? "" : "=") }' | sort -u
}

# Every option that is named, in explanations of others, too; the monitor's where it is sent there.
options_named() {
	{
		help_of "$1"
		[ -z "$1" ] || ! refers_to_monitor "$1" || help_of ''
	} | grep -oE -- '(^|[ [|])--?[A-Za-z][A-Za-z-]*' | sed 's/^[^-]//' | sort -u
}

# Keys of a simulated processor.
sim_keys() {
	sed -n 's/^key|\([^|]*\)|.*/\1/p' "${BUILD:-build}/options"
}
