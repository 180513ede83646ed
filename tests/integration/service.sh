# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# How systemd starts cxlmon.service, as far as it can be had without systemd: commands that begin with
# "${AS_SERVICE[@]}" have the unit's capabilities, a user of their own ($SERVICE), no network, and a
# listening socket of 127.0.0.1. As arrays, so that $! is the command's.
# shellcheck source=tests/integration/platform.sh
. "$(dirname "${BASH_SOURCE[0]}")/platform.sh"

export SERVICE=4242

# Executes a command with that many sockets, as in sd_listen_fds(3).
# shellcheck disable=SC2016 # python's
ACTIVATE='
import os, socket, sys
count = int(sys.argv[1])
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
numbers = [os.dup2(s.fileno(), 100 + n) for n, s in enumerate(sockets)]
for n, number in enumerate(numbers):
    os.dup2(number, 3 + n, inheritable=True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(count), LISTEN_FDNAMES="x")
os.closerange(3 + count, 200)
os.execvp(sys.argv[2], sys.argv[2:])
'

unit_capabilities() {
	sed -n "s/^$1=//p" packaging/cxlmon.service | tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g'
}

export WITH_SOCKET=(/usr/bin/python3 -c "$ACTIVATE" 1)
export AS_SERVICE=("${WITH_SOCKET[@]}" unshare --net setpriv "--reuid=$SERVICE" "--regid=$SERVICE"
	--clear-groups --no-new-privs "--inh-caps=-all,$(unit_capabilities AmbientCapabilities)"
	"--ambient-caps=-all,$(unit_capabilities AmbientCapabilities)"
	"--bounding-set=-all,$(unit_capabilities CapabilityBoundingSet)")
