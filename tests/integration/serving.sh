# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# A running cxlmon serve for a test, and what it answers. After lib.sh, or what includes it.

export TRAFFIC=read=20,write=8,cache_d2h=1,cache_h2d=1,dram_read=60,dram_write=20,full=5,crc=1,retry=1

# until_true SECONDS COMMAND...: tried again and again
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || fail "never: $*: $(tail -n 3 "$TMP/err")"
		sleep 0.05
	done
}

# get PATH [CURL OPTION]...
get() {
	local path=$1
	shift
	curl -sSg --max-time 60 "$@" "$url$path"
}

has_sample() {
	get /metrics -f -o /dev/null 2>/dev/null
}

# whatever a test has started ends with it
clean_up() {
	kill ${server:+$server} ${prometheus:+$prometheus} ${manager:+$manager} 2>/dev/null || true
	[ -z "${MACHINE_PROCESS:-}" ] || machine_stop
	wait || true
}

# http_process: the number of the HTTP server
http_process() {
	pgrep -P "$server" -x cxlmon-http
}

# serve_begin COMMAND...: in the background; its number is $server, and where it listens $url
serve_begin() {
	: >"$TMP/err"
	"$@" 2>>"$TMP/err" </dev/null &
	server=$!
	trap clean_up EXIT
	until_true 60 grep -q 'serving http' "$TMP/err"
	url=$(sed -n 's|^cxlmon: serving \(http://[^ ]*\)/metrics, .*|\1|p' "$TMP/err")
}

# serve_start ARGS...: until the first sample is there
serve_start() {
	serve_begin "$CXLMON" serve --listen=127.0.0.1:0 "$@"
	until_true 60 has_sample
}

# serve_end SIGNAL STATUS
serve_end() {
	local status=0
	kill "-$1" "$server"
	wait "$server" || status=$?
	[ $status = "$2" ] || fail "ended with $status, expected $2: $(cat "$TMP/err")"
}
