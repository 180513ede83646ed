# SPDX-License-Identifier: BSD-3-Clause
"""hostile_elf.py KIND PROGRAM OUT: PROGRAM, which still runs, with sections that take long to read.

strings: a million functions, whose names are in 20 MB without a NUL
tables: forty tables of a million functions
"""
import struct
import sys

MILLION = 1000000
SYMTAB, STRTAB = 2, 3  # sh_type: elf(5)
kind, program, out = sys.argv[1:]
image = bytearray(open(program, "rb").read())


def append(content):
    """Returns where it is in the file."""
    at = len(image)
    image.extend(content)
    return at


def section(type, at, size, link=0, entry=0):
    return struct.pack("<IIQQQQIIQQ", 0, type, 0, 0, at, size, link, 0, 1, entry)


# st_name, st_info: a global function, st_other, st_shndx, st_value, st_size
symbol = struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1000, 16)
symbols = symbol * MILLION
symbols_at = append(symbols)
names = b"A" * 20 * MILLION if kind == "strings" else b"\0name\0"
names_at = append(names)
tables = 1 if kind == "strings" else 40
sections = section(0, 0, 0) + section(STRTAB, names_at, len(names))
sections += section(SYMTAB, symbols_at, len(symbols), 1, len(symbol)) * tables
image[0x28:0x30] = struct.pack("<Q", append(sections))  # e_shoff
image[0x3C:0x40] = struct.pack("<HH", 2 + tables, 0)  # e_shnum, e_shstrndx
open(out, "wb").write(image)
