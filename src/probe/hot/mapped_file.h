/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file that a process has mapped. A path does not say which one that is: it leads elsewhere in
 * another mount namespace, and to another file once that is replaced, whose inode may be that of
 * the old one.
 */
#ifndef CXLMON_PROBE_HOT_MAPPED_FILE_H
#define CXLMON_PROBE_HOT_MAPPED_FILE_H

#include "probe/hot/symbol_messages.h"

/*
 * Opens the kernel's link to the file of that mapping, which needs CAP_CHECKPOINT_RESTORE; else its
 * path, if the file has not changed since it was mapped, or the program of the process. Each must
 * have the mapping's inode. -1: it is not there, or is not an ELF file.
 */
int mapped_file_open(const struct symbol_question *question, struct file_identity *out);

/* Opens debugging information where distributions install it. -1: it is not there. */
int debug_file_open(const struct elf_build_id *id);

#endif
