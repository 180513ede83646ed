/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of cxlmon doctor: one for each thing that monitoring needs. They only read. */
#ifndef CXLMON_SHOW_DOCTOR_DOCTOR_H
#define CXLMON_SHOW_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "linux/run/run_dir.h"
#include "plan/plan.h"
#include "show/info/probe.h"
#include "table/table.h"
#include "uncore/units/unit.h"

enum check_verdict {
	VERDICT_NOT_RUN, /* an earlier check has found that no other makes sense */
	VERDICT_PASS,
	VERDICT_WARN,	 /* monitoring works, with limits that the user should know */
	VERDICT_FAIL,	 /* monitoring does not work */
	VERDICT_SKIP,	 /* not applicable here */
	VERDICT_BLOCKED, /* skipped because another check did not pass */
};

/* The result of one check. */
struct check_result {
	enum check_verdict verdict;
	struct error error; /* text: the reason; command: the remedy; kind: set by a FAIL */
};

/* Sets *out. The text is cut to the size of struct error's. */
__attribute__((format(printf, 4, 5))) void doctor_set(struct check_result *out,
						      enum check_verdict verdict,
						      const char *command, const char *format, ...);
#define doctor_pass(out, ...)	       doctor_set(out, VERDICT_PASS, "", __VA_ARGS__)
#define doctor_warn(out, command, ...) doctor_set(out, VERDICT_WARN, command, __VA_ARGS__)
#define doctor_skip(out, ...)	       doctor_set(out, VERDICT_SKIP, "", __VA_ARGS__)
#define doctor_block(out, ...)	       doctor_set(out, VERDICT_BLOCKED, "", __VA_ARGS__)
void doctor_fail(struct check_result *out,
		 const struct error *why); /* copies text, command and kind */

/*
 * Adapts the advice of a finding to a run as root. If root is not allowed something, as in a
 * container, sudo would change nothing: the advice is to inspect root's capabilities. Other
 * commands lose their sudo, unless the run was started by sudo: the shell that they are pasted into
 * then belongs to the user.
 */
void doctor_advise_root(struct check_result *finding, bool by_sudo);

struct doctor {
	const char *root;      /* "/", or the directory that has dev, sys and proc */
	const char *sim;       /* simulated machine; else NULL */
	bool as_root, by_sudo; /* decide on sudo in commands, see doctor_advise_root() */
	struct probe probe;
	bool msr_readable; /* set by check_msr_device() if it passes */

	/* Members that check_runs() sets. */
	struct journal_entry *runs; /* other runs; freed by run_dir_free() */
	size_t run_count;
	bool stale_run; /* a killed run left registers programmed */
};

#define DOCTOR_SCHEMA 1
#define DOCTOR_NEEDS  2

struct check {
	const char *name;
	const char *purpose;
	void (*run)(struct doctor *d, struct check_result *out);
	bool of_registers; /* not needed if only the kernel counts */
	bool host_only;	   /* checks files that a simulated machine does not have */
	/* Earlier checks; this one is skipped if one of them is not met. */
	const struct check *needs[DOCTOR_NEEDS];
	bool decides; /* if it finds nothing to monitor, later checks are not run */
};

/*
 * Checks, one per line: doctor_NAME. The most important come first, and needs before the checks
 * that need them.
 */
#define FOR_EACH_CHECK(DO)                                                                         \
	DO(processor)                                                                              \
	DO(virtual_machine)                                                                        \
	DO(container)                                                                              \
	DO(rights)                                                                                 \
	DO(sandbox)                                                                                \
	DO(cpus)                                                                                   \
	DO(pci_config)                                                                             \
	DO(discovery)                                                                              \
	DO(ports)                                                                                  \
	DO(cxl_devices)                                                                            \
	DO(cxl_links)                                                                              \
	DO(cxl_health)                                                                             \
	DO(memory_tiers)                                                                           \
	DO(regions)                                                                                \
	DO(msr_module)                                                                             \
	DO(msr_device)                                                                             \
	DO(cxl_units)                                                                              \
	DO(lockdown)                                                                               \
	DO(allow_writes)                                                                           \
	DO(msr_writes)                                                                             \
	DO(cpuid_device)                                                                           \
	DO(runs)                                                                                   \
	DO(units_free)                                                                             \
	DO(cpmus)                                                                                  \
	DO(freeze)                                                                                 \
	DO(core_counters)                                                                          \
	DO(watchdog)                                                                               \
	DO(perf_units)                                                                             \
	DO(perf_events)                                                                            \
	DO(core_events)                                                                            \
	DO(metrics)

#define DECLARE_CHECK(name) extern const struct check doctor_##name;
FOR_EACH_CHECK(DECLARE_CHECK)

/* All checks; ends with NULL. */
extern const struct check *const doctor_checks[];

/* Permission to write registers. */
enum doctor_writes {
	DOCTOR_WRITES_UNTESTED,
	DOCTOR_WRITES_REFUSED,
	DOCTOR_WRITES_PERMITTED,
};

/* The conclusion from all findings. */
struct doctor_verdict {
	enum error_kind kind;	 /* kind of error that a run with registers would end with */
	bool supports_processor; /* false: .kind is the processor check's */
	bool kernel_alone;	 /* without registers: .kind is for a run through the kernel */
	bool perf_works;	 /* the kernel can count (--backend=perf) */
	bool perf_is_complete;	 /* the kernel can count all that registers could */
	bool uses_perf;		 /* --backend=auto would use the kernel: see session_open_on() */
	bool core_works;	 /* -m core works, by registers or through the kernel */
	enum doctor_writes writes;
};

/* Runs every check; findings has room for all. */
struct doctor_verdict doctor_run(struct doctor *d, struct check_result *findings);

#define DOCTOR_WORKS_SIZE 256

/*
 * Lists commands that work where a run without options cannot measure: "cxlmon -m tiering,core,
 * cxlmon who". "": none is known.
 */
void doctor_find_works(struct doctor *d, const struct doctor_verdict *verdict,
		       char works[DOCTOR_WORKS_SIZE]);

#define DOCTOR_NO_UNCORE "no uncore unit of this processor is known"

#define DOCTOR_RUN_NAME_SIZE 64

/* Writes "cxlmon (pid 12)" for a run in progress. Returns name. */
const char *doctor_run_name(const struct journal_entry *run, char name[DOCTOR_RUN_NAME_SIZE]);

/*
 * Reports a running service; now_ns is since 1970. Its units are rightly in use: ending it is
 * advised only if it hangs. If it does not, *out keeps a warning about another run.
 */
void doctor_report_service(const struct journal_entry *run, uint64_t now_ns,
			   struct check_result *out);

/* Tells if only the kernel can count on the processor. */
bool doctor_kernel_alone(const struct doctor *d);

/* Tells if the processor has no units that cxlmon supports, so that only CPMUs are counted. */
bool doctor_only_cpmus(const struct doctor *d);

#define DOCTOR_NAMES_SIZE 512

/* Names of several units in a message: "socket 0 cha 0-3,7, imc 2, socket 1 cha 0". */
struct doctor_names {
	size_t count;	/* units that were added */
	size_t omitted; /* units whose names had no room */
	size_t used;	/* bytes used in .text */
	bool range;	/* .text ends in a range that .last ends */
	const struct unit *last;
	char text[DOCTOR_NAMES_SIZE];
};

/*
 * Adds a unit, which must not be freed before the last doctor_names_add(). Units are added by
 * socket, die, type and id; consecutive ids become a range.
 */
void doctor_names_add(struct doctor_names *names, const struct unit *unit);

#define DOCTOR_NO_RESPONSE "no response (reads as all ones): powered down or not present"

/*
 * Ends the list with "and 12 more" if it is longer than the text. Returns the list; "" if it is
 * empty.
 */
const char *doctor_names_end(struct doctor_names *names);

#endif
