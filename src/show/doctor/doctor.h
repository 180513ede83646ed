/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon doctor: one check for each thing that monitoring needs. They only read. */
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
	VERDICT_NOT_RUN, /* a check before it has found that no other makes sense */
	VERDICT_PASS,
	VERDICT_WARN,	 /* monitoring works, with limits that the user should know */
	VERDICT_FAIL,	 /* monitoring does not work */
	VERDICT_SKIP,	 /* not applicable here */
	VERDICT_BLOCKED, /* skipped because another check did not pass */
};

/* The result of one check. */
struct check_result {
	enum check_verdict verdict;
	struct error error; /* text: the reason; command: what to run; kind: of a FAIL */
};

/* Sets *out. The text is cut to the size of that of a struct error. */
__attribute__((format(printf, 4, 5))) void doctor_set(struct check_result *out,
						      enum check_verdict verdict,
						      const char *command, const char *format, ...);
#define doctor_pass(out, ...)	       doctor_set(out, VERDICT_PASS, "", __VA_ARGS__)
#define doctor_warn(out, command, ...) doctor_set(out, VERDICT_WARN, command, __VA_ARGS__)
#define doctor_skip(out, ...)	       doctor_set(out, VERDICT_SKIP, "", __VA_ARGS__)
#define doctor_block(out, ...)	       doctor_set(out, VERDICT_BLOCKED, "", __VA_ARGS__)
void doctor_fail(struct check_result *out, const struct error *why); /* text, command and kind */

/*
 * For a run as root. Where root is not allowed something, as in a container, sudo would change
 * nothing: the advice is to look at root's capabilities. Other commands lose their sudo, unless
 * the run was started by sudo: the user's shell, which they are pasted into, is not root's then.
 */
void doctor_advise_root(struct check_result *finding, bool by_sudo);

struct doctor {
	const char *root;      /* "/", or the directory where dev, sys and proc are */
	const char *sim;       /* of a simulated machine; else NULL */
	bool as_root, by_sudo; /* decide on sudo in commands, see doctor_advise_root() */
	struct probe probe;
	bool msr_readable; /* set by check_msr_device() where it passes */

	/* set by check_runs() */
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
	bool of_registers; /* not needed where the kernel alone counts */
	bool host_only;	   /* checks files that a simulated machine does not have */
	/* earlier checks; it is skipped where one is not met */
	const struct check *needs[DOCTOR_NEEDS];
	bool decides; /* where it finds nothing to monitor, no check after it is run */
};

/* Each check, a line each: doctor_NAME. The most important first; those that others need before
 * them. */
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

/* Ends with NULL. */
extern const struct check *const doctor_checks[];

/* Whether registers can be written. */
enum doctor_writes {
	DOCTOR_WRITES_UNTESTED,
	DOCTOR_WRITES_REFUSED,
	DOCTOR_WRITES_PERMITTED,
};

/* What all findings say together. */
struct doctor_verdict {
	enum error_kind kind;	 /* a run with registers would end with such an error */
	bool supports_processor; /* false: it is that */
	bool kernel_alone;	 /* the processor has no registers: .kind is that of the kernel */
	bool perf_works;	 /* the kernel can count (--backend=perf), */
	bool perf_is_complete;	 /* all that registers could */
	bool uses_perf;		 /* --backend=auto would: see session_open_on() */
	bool core_works;	 /* -m core does, by registers or through the kernel */
	enum doctor_writes writes;
};

/* Runs every check; findings has room for as many. */
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

/* "cxlmon (pid 12)": a run in progress. Returns name. */
const char *doctor_run_name(const struct journal_entry *run, char name[DOCTOR_RUN_NAME_SIZE]);

/*
 * A service that runs, with now_ns after 1970: what it holds is in use as it should be, and nobody
 * is to end it unless it hangs. Where it is well, *out keeps a warning of another run.
 */
void doctor_report_service(const struct journal_entry *run, uint64_t now_ns,
			   struct check_result *out);

/* Whether the processor is one that the kernel alone can count on. */
bool doctor_kernel_alone(const struct doctor *d);

/* Whether the processor has no units that cxlmon knows, so that only CPMUs are counted. */
bool doctor_only_cpmus(const struct doctor *d);

#define DOCTOR_NAMES_SIZE 512

/* The names of several units in a message: "socket 0 cha 0-3,7, imc 2, socket 1 cha 0". */
struct doctor_names {
	size_t count;	/* units that were added */
	size_t omitted; /* of these, those that had no room */
	size_t used;	/* bytes of text */
	bool range;	/* text ends in the range that last is the end of */
	const struct unit *last;
	char text[DOCTOR_NAMES_SIZE];
};

/*
 * Adds a unit, which must not be freed before the last doctor_names_add(). Units come by socket,
 * die, type and id; consecutive ids become a range.
 */
void doctor_names_add(struct doctor_names *names, const struct unit *unit);

#define DOCTOR_NO_RESPONSE "no response (reads as all ones): powered down or not present"

/* The list, ending in "and 12 more" if it is longer than the text; "" if it is empty. */
const char *doctor_names_end(struct doctor_names *names);

#endif
