# SPDX-License-Identifier: BSD-3-Clause
"""replace_in_header.py FROM TO OLD NEW...: copies a recording, and replaces texts in its header."""
import os
import struct
import sys
import zlib

source, target, *texts = map(os.fsencode, sys.argv[1:])
with open(source, "rb") as file:
    data = file.read()
length, kind = struct.unpack_from("<IB", data, 10)
header = zlib.decompress(data[19:15 + length]) if kind & 0x80 else data[15:15 + length]
for old, new in zip(texts[::2], texts[1::2]):
    header = header.replace(old, new)
block = struct.pack("<IB", len(header), ord("H")) + header
with open(target, "wb") as file:
    file.write(data[:10] + block + struct.pack("<I", zlib.crc32(block)) + data[19 + length:])
