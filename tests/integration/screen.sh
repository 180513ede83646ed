# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Programs in a real terminal: tmux's, which keys can be sent to, and which can be read. After lib.sh, or
# what includes it.

TRIES=600 # tenths of a second
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

terminal() {
	tmux -S "$TMP/socket$STARTED" -f /dev/null "$@"
}

# In it runs what stands in $TMP/run, with the pid of cxlmon in $TMP/pid and its status in
# $TMP/status; the terminal's mode is in $TMP/before and $TMP/after.
# screen_start COLUMNS ROWS VARIABLES ARGS...
screen_start() {
	local columns=$1 rows=$2 variables=$3
	shift 3
	command -v tmux >/dev/null || skip "tmux is not installed"
	[ $STARTED = 0 ] || terminal kill-server 2>/dev/null || true
	STARTED=$((STARTED + 1)) # one that ends takes its socket away, sooner or later
	rm -f "$TMP/status"
	cat >"$TMP/run" <<-END
		trap : INT # Ctrl-C is for cxlmon
		cd "${DIRECTORY:-.}" || exit
		stty -g >$TMP/before
		env LC_ALL=C.UTF-8 $variables sh -c 'echo \$\$ >$TMP/pid; exec "\$@"' - $WRAP $(realpath "$CXLMON") $*
		echo \$? >$TMP/status
		$AFTER
		stty -g >$TMP/after
		echo the-end
		exec cat
	END
	terminal new-session -d -x "$columns" -y "$rows" "${SHELL_OF_RUN:-sh} $TMP/run"
	trap screen_stop EXIT
}
WRAP='' AFTER='' STARTED=0

screen_stop() {
	terminal kill-server 2>/dev/null || true
	[ -z "${MACHINE_PROCESS:-}" ] || machine_stop
}

pane() {
	terminal capture-pane -p
}

# expect_screen PATTERN: an extended regular expression that some line has, soon
expect_screen() {
	local try
	for ((try = 0; try < TRIES; try++)); do
		pane >"$TMP/pane" 2>/dev/null && grep -Eq -- "$1" "$TMP/pane" && return
		sleep 0.1
	done
	head -n 30 "$TMP/pane"
	fail "no '$1' on the screen"
}

# expect_no_screen PATTERN: it goes away, soon
expect_no_screen() {
	local try
	for ((try = 0; try < TRIES; try++)); do
		pane >"$TMP/pane" 2>/dev/null && ! grep -Eq -- "$1" "$TMP/pane" && return
		sleep 0.1
	done
	head -n 30 "$TMP/pane"
	fail "still '$1' on the screen"
}

keys() {
	terminal send-keys "$@"
}

# expect_end STATUS: and the terminal is as it was
expect_end() {
	expect_screen '^the-end$'
	[ "$(cat "$TMP/status")" = "$1" ] || fail "ended with $(cat "$TMP/status"), expected $1"
	diff "$TMP/before" "$TMP/after" || fail "the terminal's mode has changed"
	[ "$(terminal display -p '#{alternate_on}#{cursor_flag}')" = 01 ] ||
		fail "the terminal was not left as it was"
}

# quit: presses q, and expects status 0
quit() {
	keys q
	expect_end 0
}
