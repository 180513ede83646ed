/* SPDX-License-Identifier: BSD-3-Clause */
/* Other processes, as procfs shows them. A process id alone names one process after another. */
#ifndef CXLMON_PROCESS_H
#define CXLMON_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t pid;
	uint64_t started;   /* clock ticks since boot: field 22 of /proc/PID/stat; 0: not known */
	uint64_t namespace; /* in which pid counts: inode of /proc/self/ns/pid; 0: not known */
};

struct process process_self(void);

enum process_state {
	PROCESS_RUNS,
	PROCESS_ENDED,
	PROCESS_UNKNOWN, /* it may be in another namespace, where pid is another process */
};

enum process_state process_state(const struct process *process);

/* Whether there is a process of this id, in our namespace; a zombie is none. */
bool process_exists(pid_t pid);

/* Writes "pid 123 (cxlmon)"; "pid 123" if there is no such process. Returns text. */
#define PROCESS_TEXT_SIZE 64
const char *process_text(pid_t pid, char text[PROCESS_TEXT_SIZE]);

#endif
