# SPDX-License-Identifier: BSD-3-Clause
"""stalling_fuse.py open|read|FLAG FILE DIRECTORY: DIRECTORY has a copy of FILE, as a file system that
never answers user nobody, who opens the file, or reads of it more than its first page. With a path
FLAG, it is FILE as it is when its first byte is read, and such a read waits, and is printed, while
there is no FLAG.

Requests and answers: the kernel's include/uapi/linux/fuse.h.
"""
import ctypes
import errno
import os
import struct
import sys
import time

NOBODY = 65534
LOOKUP, FORGET, GETATTR, OPEN, READ, STATFS, RELEASE, INIT, OPENDIR, INTERRUPT, BATCH_FORGET = (
    1, 2, 3, 14, 15, 17, 18, 26, 27, 36, 42)
ROOT, FILE = 1, 2
DIRECT_IO = 1  # nothing is cached
stalled, program, directory = sys.argv[1:]
flagged = stalled not in ("open", "read")
content = open(program, "rb").read()

device = os.open("/dev/fuse", os.O_RDWR)
libc = ctypes.CDLL(None, use_errno=True)
options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
if libc.mount(b"stalling", directory.encode(), b"fuse", 0, options.encode()):
    sys.exit(f"cannot mount: {os.strerror(ctypes.get_errno())}")
print("mounted", flush=True)


def attributes(node):
    size, mode = (0, 0o40755) if node == ROOT else (len(content), 0o100755)
    return struct.pack("<QQQQQQIIIIIIIIII", node, size, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer(code, node, body):
    """Returns the answer's bytes, or an errno."""
    if code == INIT:
        return struct.pack("<IIIIHHIIHHI7I", 7, 31, 0, 0, 0, 0, 4096, 1, 0, 0, 0, *[0] * 7)
    if code == LOOKUP:
        return struct.pack("<QQQQII", FILE, 0, 3600, 3600, 0, 0) + attributes(FILE)
    if code == GETATTR:
        return struct.pack("<QII", 3600, 0, 0) + attributes(node)
    if code in (OPEN, OPENDIR):
        return struct.pack("<QII", 0, DIRECT_IO if flagged and code == OPEN else 0, 0)
    if code == READ:
        _, offset, size = struct.unpack_from("<QQI", body)
        if flagged and offset == 0:
            read_flagged()
        return content[offset:offset + size]
    return b"" if code == RELEASE else errno.ENOSYS


def read_flagged():
    global content
    if not os.path.exists(stalled):
        print("a read waits", flush=True)
    while not os.path.exists(stalled):
        time.sleep(0.01)
    content = open(program, "rb").read()


def is_stalled(code, user, body):
    if user != NOBODY or flagged:
        return False
    if stalled == "open":
        return code == OPEN
    return code == READ and struct.unpack_from("<QQ", body)[1] > 0


while True:
    try:
        request = os.read(device, 1 << 20)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EINTR):
            continue
        break
    _, code, unique, node, user = struct.unpack_from("<IIQQI", request)
    body = request[40:]
    if code in (FORGET, BATCH_FORGET, INTERRUPT) or is_stalled(code, user, body):
        continue
    reply = answer(code, node, body)
    if isinstance(reply, int):
        os.write(device, struct.pack("<IiQ", 16, -reply, unique))
    else:
        os.write(device, struct.pack("<IiQ", 16 + len(reply), 0, unique) + reply)
