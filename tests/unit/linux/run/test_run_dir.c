/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/run_dir.h"

#include <cap-ng.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "linux/run/journal.h"
#include "platform/guard.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define BOOT_ID "proc/sys/kernel/random/boot_id"

static struct run_dir *dir;
static struct undo undo;
static struct error err;
static struct journal_entry *found;
static size_t count;

static void set_up(void)
{
	const struct undo_step step = {.reg = {.space = REG_MSR, .bytes = 8, .address = 0x186},
				       .value = 0x1234,
				       .socket = UNDO_THIS_CPU,
				       .mask = UINT64_MAX};

	tree_file(BOOT_ID, "this-boot\n");
	ck_assert_int_eq(undo_add(&undo, &step, &err), 0);
	ck_assert_msg(!run_dir_open(tree_root(), &dir, &err), "%s", err.text);
}

static void tear_down(void)
{
	run_dir_free(found, count);
	run_dir_close(dir);
	undo_free(&undo);
}

/* A child shares the open files of its parent, and so the lock. */
static pid_t child(void)
{
	const pid_t pid = fork();

	if (pid == 0) {
		pause();
		_exit(0);
	}
	ck_assert_int_gt(pid, 0);
	return pid;
}

/*
 * Another process that keeps a journal, and lives until it is killed. left: its child, which goes
 * on; NULL: it has none.
 */
static pid_t other_run(pid_t *left)
{
	pid_t grandchild = 0;
	int ready[2];

	run_dir_unlock(dir);
	ck_assert_int_eq(pipe(ready), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		struct run_dir *own;

		if (run_dir_open(tree_root(), &own, &err) ||
		    run_dir_save_journal(own, "spr", false, &undo, &err))
			_exit(1);
		run_dir_unlock(own);
		if (left)
			grandchild = child();
		if (write(ready[1], &grandchild, sizeof(grandchild)) == sizeof(grandchild))
			pause();
		_exit(0);
	}
	ck_assert_int_eq(read(ready[0], &grandchild, sizeof(grandchild)), sizeof(grandchild));
	close(ready[0]);
	close(ready[1]);
	if (left)
		*left = grandchild;
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

static const struct journal_entry *only(void)
{
	ck_assert_msg(!run_dir_list(dir, &found, &count, &err), "%s", err.text);
	ck_assert_uint_eq(count, 1);
	return &found[0];
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	ck_assert_int_eq(lstat(tree_path(name), &st), 0);
	return st.st_mode & 07777;
}

static void set_mode(const char *name, mode_t mode)
{
	ck_assert_int_eq(chmod(tree_path(name), mode), 0);
}

static void open_again(void)
{
	struct run_dir *again;

	run_dir_unlock(dir);
	ck_assert_msg(!run_dir_open(tree_root(), &again, &err), "%s", err.text);
	run_dir_close(dir);
	dir = again;
}

TREE_FIXTURE(set_up, tear_down)

/* Who may open a file for reading may lock it, and stop every run. */
TEST(test_nobody_else_can_open_what_is_locked)
{
	umask(0);
	ck_assert_int_eq(run_dir_save_journal(dir, "spr", false, &undo, &err), 0);
	ck_assert_int_eq(mode_of("run/cxlmon"), 0700);
	ck_assert_int_eq(mode_of("run/cxlmon/lock"), 0600);
	ck_assert_msg(!run_dir_list_unlocked(tree_root(), &found, &count, &err), "%s", err.text);
	ck_assert_uint_eq(count, 1);
	ck_assert_int_eq(mode_of(tree_name("run/cxlmon/%s", found[0].name)), 0600);
	tree_file("run/cxlmon/1-1.journal", "as an earlier version left it");
	set_mode("run/cxlmon/1-1.journal", 0644);
	set_mode("run/cxlmon/lock", 0666);
	set_mode("run/cxlmon", 0755);
	open_again();
	ck_assert_int_eq(mode_of("run/cxlmon"), 0700);
	ck_assert_int_eq(mode_of("run/cxlmon/lock"), 0600);
	ck_assert_int_eq(mode_of("run/cxlmon/1-1.journal"), 0600);
}

/* The journal of a run that was killed before it was on disk: the run has programmed nothing. */
TEST(test_what_never_became_a_journal_is_cleared)
{
	const char *path;

	tree_file("run/cxlmon/1-1.journal.new", "{\"cxlmon jour");
	tree_file("run/cxlmon/other.new", "of somebody else");
	open_again();
	path = tree_path("run/cxlmon/1-1.journal.new");
	ck_assert_int_ne(access(path, F_OK), 0);
	path = tree_path("run/cxlmon/other.new");
	ck_assert_int_eq(access(path, F_OK), 0);
}

TEST(test_a_listing_without_the_lock_changes_nothing)
{
	set_mode("run/cxlmon", 0755);
	ck_assert_int_eq(run_dir_list_unlocked(tree_root(), &found, &count, &err), 0);
	ck_assert_int_eq(mode_of("run/cxlmon"), 0755);
}

TEST(test_nothing_is_found_where_nobody_was)
{
	ck_assert_int_eq(run_dir_list_unlocked("/nonexistent", &found, &count, &err), 0);
	ck_assert_uint_eq(count, 0);
	ck_assert_int_eq(run_dir_list(dir, &found, &count, &err), 0);
	ck_assert_uint_eq(count, 0);
}

TEST(test_a_run_that_lives_is_named_and_one_that_was_killed_is_left)
{
	const pid_t pid = other_run(NULL);
	const struct journal_entry *one = only();

	ck_assert_int_eq(one->state, JOURNAL_RUNNING);
	ck_assert_int_eq(one->running_pid, pid);
	end(pid);
	run_dir_free(found, count);
	one = only();
	ck_assert_int_eq(one->state, JOURNAL_STALE);
	ck_assert_uint_eq(one->journal.undo.count, 1);
	ck_assert_uint_eq(one->journal.undo.steps[0].value, 0x1234);
	ck_assert_uint_gt(one->journal.process.started, 0);
}

TEST(test_a_second_run_of_the_same_process_is_another)
{
	struct run_dir *second;

	ck_assert_int_eq(run_dir_save_journal(dir, "spr", false, &undo, &err), 0);
	run_dir_unlock(dir);
	ck_assert_int_eq(run_dir_open(tree_root(), &second, &err), 0);
	ck_assert_int_eq(run_dir_list(second, &found, &count, &err), 0);
	ck_assert_uint_eq(count, 1);
	ck_assert_int_eq(found[0].state, JOURNAL_RUNNING);
	ck_assert_int_eq(found[0].running_pid, getpid());
	ck_assert_int_eq(run_dir_save_journal(second, "spr", false, &undo, &err), 0);
	ck_assert_int_eq(run_dir_delete_journal(second, &err), 0);
	run_dir_close(second);
	ck_assert_int_eq(run_dir_delete_journal(dir, &err), 0);
}

TEST(test_a_journal_of_an_earlier_boot_is_old)
{
	struct run_dir *later;

	end(other_run(NULL));
	tree_file(BOOT_ID, "next-boot\n");
	ck_assert_int_eq(run_dir_open(tree_root(), &later, &err), 0);
	run_dir_close(dir);
	dir = later;
	ck_assert_int_eq(only()->state, JOURNAL_OTHER_BOOT);
}

/* As a run does that has dropped its rights, or is killed before it can remove the file. */
TEST(test_an_empty_journal_has_nothing_to_restore)
{
	char path[512];
	const pid_t pid = other_run(NULL);

	strcpy(path, tree_path("run/cxlmon"));
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%s", only()->name);
	ck_assert_int_eq(truncate(path, 0), 0);
	run_dir_free(found, count);
	ck_assert_int_eq(only()->state, JOURNAL_RESTORED); /* also while its run still ends */
	end(pid);
	run_dir_free(found, count);
	ck_assert_int_eq(only()->state, JOURNAL_RESTORED);
	ck_assert_int_eq(run_dir_remove(dir, found[0].name, &err), 0);
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert_int_eq(run_dir_remove(dir, found[0].name, &err), 0);
}

/* Ends a run of its own as nobody, who may remove nothing. */
static int end_as_nobody(void)
{
	struct run_dir *own;

	if (run_dir_open(tree_root(), &own, &err) ||
	    run_dir_save_journal(own, "spr", false, &undo, &err))
		return 1;
	run_dir_unlock(own);
	return setresuid(65534, 65534, 65534) || run_dir_delete_journal(own, &err) ? 2 : 0;
}

ROOT_TEST(test_a_journal_is_closed_without_the_right_to_remove_it)
{
	int status;

	run_dir_unlock(dir);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(end_as_nobody());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(only()->state, JOURNAL_RESTORED);
}

/* However long a busy machine keeps the one that has the lock waiting. */
static int open_once_unlocked(struct run_dir **out)
{
	int rc;

	do
		rc = run_dir_open(tree_root(), out, &err);
	while (rc == -EBUSY);
	return rc;
}

/* While one looks at registers and programs them, the next one waits. */
TEST(test_one_at_a_time)
{
	int status, ready[2];
	char byte;

	ck_assert_int_eq(pipe(ready), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		run_dir_close(dir); /* the parent's lock is its own */
		if (write(ready[1], "r", 1) != 1)
			_exit(1);
		_exit(open_once_unlocked(&dir) != 0);
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	ck_assert_int_eq(waitpid(pid, &status, WNOHANG), 0);
	run_dir_unlock(dir);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}

TEST(test_a_child_does_not_keep_the_journal_of_a_killed_run)
{
	pid_t left;

	end(other_run(&left));
	const struct journal_entry *one = only();

	ck_assert_int_eq(one->state, JOURNAL_STALE);
	ck_assert_uint_eq(one->journal.undo.count, 1);
	kill(left, SIGKILL);
}

TEST(test_a_child_does_not_keep_the_journal_of_a_run_that_could_not_restore)
{
	struct run_dir *other;

	ck_assert_int_eq(run_dir_save_journal(dir, "spr", false, &undo, &err), 0);
	const pid_t pid = child();
	run_dir_close(dir);
	ck_assert_int_eq(run_dir_open(tree_root(), &other, &err), 0);
	dir = other;
	ck_assert_int_eq(only()->state, JOURNAL_STALE);
	end(pid);
}

/* The process that a locked journal names, compared with this one. */
enum said { SAME, OTHER, NOTHING };

static const struct {
	enum said started, namespace;
	enum journal_state state;
	bool known; /* its process id is one of ours */
} owners[] = {
	{SAME, SAME, JOURNAL_RUNNING, true},
	{OTHER, SAME, JOURNAL_STALE, false}, /* the id is another process's by now */
	{SAME, OTHER, JOURNAL_RUNNING, true},
	{OTHER, OTHER, JOURNAL_RUNNING, false}, /* in another container */
	{SAME, NOTHING, JOURNAL_RUNNING, true}, /* written by earlier versions */
	{OTHER, NOTHING, JOURNAL_RUNNING, false},
	{NOTHING, NOTHING, JOURNAL_RUNNING, false},
};

static uint64_t say(enum said what, uint64_t same)
{
	return what == SAME ? same : what == OTHER ? same + 1 : 0;
}

TEST_LOOP(test_a_process_id_is_believed_only_with_its_start_time, COUNT_OF(owners))
{
	struct journal journal = {.process = process_self(), .boot = "this-boot", .undo = undo};
	char path[512], *text;
	size_t size;

	journal.process.started = say(owners[_i].started, journal.process.started);
	journal.process.namespace = say(owners[_i].namespace, journal.process.namespace);
	ck_assert_int_eq(journal_encode(&journal, &text, &size, &err), 0);
	tree_file("run/cxlmon/1-1.journal", "%s", text);
	free(text);
	strcpy(path, tree_path("run/cxlmon/1-1.journal"));
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	const struct journal_entry *one = only();
	ck_assert_int_eq(one->state, owners[_i].state);
	ck_assert_int_eq(one->running_pid, owners[_i].known ? getpid() : 0);
	close(fd);
}

TEST(test_who_keeps_the_lock_is_named_after_two_seconds)
{
	const uint64_t start = clock_monotonic();
	struct run_dir *other;
	char holder[64];

	ck_assert_int_eq(run_dir_open(tree_root(), &other, &err), -EBUSY);
	const uint64_t took = clock_monotonic() - start;
	ck_assert_uint_ge(took, 2 * NS_PER_S);
	ck_assert_uint_lt(took, 50 * NS_PER_S); /* a busy machine */
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	snprintf(holder, sizeof(holder), "by pid %d (unit-tests), ", (int)getpid());
	assert_contains(err.text, "run/cxlmon/lock: locked for more than 2 s");
	assert_contains(err.text, holder);
	snprintf(holder, sizeof(holder), "sudo kill %d", (int)getpid());
	assert_contains(err.text, holder);
	run_dir_unlock(dir);
	ck_assert_int_eq(run_dir_open(tree_root(), &other, &err), 0);
	run_dir_close(other);
}

TEST(test_a_child_does_not_keep_the_lock_that_its_parent_gives_up)
{
	struct run_dir *other;
	const pid_t pid = child();

	run_dir_unlock(dir);
	ck_assert_msg(!run_dir_open(tree_root(), &other, &err), "%s", err.text);
	run_dir_close(other);
	end(pid);
}

TEST(test_a_child_that_keeps_the_lock_is_told_from_its_parent)
{
	struct run_dir *other;
	int status, ready[2];
	pid_t grandchild;

	run_dir_unlock(dir);
	ck_assert_int_eq(pipe(ready), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		if (run_dir_open(tree_root(), &other, &err))
			_exit(1);
		grandchild = child();
		_exit(write(ready[1], &grandchild, sizeof(grandchild)) != sizeof(grandchild));
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(read(ready[0], &grandchild, sizeof(grandchild)), sizeof(grandchild));
	ck_assert_int_eq(run_dir_open(tree_root(), &other, &err), -EBUSY);
	kill(grandchild, SIGKILL);
	/* in a namespace of process ids, the kernel does not list the lock of one that has ended */
	if (!strstr(err.text, "an unknown process")) {
		assert_contains(err.text, ", which has ended, but another process");
		assert_contains(err.text, "sudo fuser -v");
	}
	ck_assert_msg(!open_once_unlocked(&other), "%s", err.text);
	run_dir_close(other);
}

TEST(test_a_kept_journal_is_replaced_as_a_whole_and_forgotten_once)
{
	const struct undo_step more = {.reg = {.space = REG_MSR, .bytes = 8, .address = 0x2FF0},
				       .mask = 1};
	struct run_dir *other;

	ck_assert_int_eq(run_dir_save_journal(dir, "spr", false, &undo, &err), 0);
	ck_assert_int_eq(undo_add(&undo, &more, &err), 0);
	ck_assert_int_eq(run_dir_save_journal(dir, "spr", false, &undo, &err), 0);
	ck_assert_int_eq(run_dir_delete_journal(dir, &err), 0);
	ck_assert_int_eq(run_dir_delete_journal(dir, &err), 0);
	run_dir_unlock(dir);
	ck_assert_int_eq(run_dir_open(tree_root(), &other, &err), 0);
	ck_assert_int_eq(run_dir_list(other, &found, &count, &err), 0);
	ck_assert_uint_eq(count, 0);
	run_dir_close(other);
}

/* Files that somebody else could have written there are not trusted. */
static void assert_broken(const char *why)
{
	const struct journal_entry *one = only();

	ck_assert_int_eq(one->state, JOURNAL_INVALID);
	assert_contains(one->why, why);
}

/* The service has its own user, who gets into root's directory by CAP_DAC_OVERRIDE. */
#define SERVICE	 4242
#define STRANGER 4243

static void become_service(void)
{
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setresgid(SERVICE, SERVICE, SERVICE) ||
	    setresuid(SERVICE, SERVICE, SERVICE))
		_exit(98);
	capng_clear(CAPNG_SELECT_CAPS);
	capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, CAP_DAC_OVERRIDE);
	if (capng_apply(CAPNG_SELECT_CAPS))
		_exit(97);
}

static void add_user(const char *name, unsigned uid)
{
	tree_file("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n%s:x:%u:%u::/:/bin/false\n", name,
		  uid, uid);
}

/* Leaves a journal of the service, which was killed, and the directory opened again by root. */
static void killed_service(void)
{
	struct run_dir *own;
	int status;

	run_dir_unlock(dir);
	const pid_t pid = fork();
	if (pid == 0) {
		become_service();
		if (run_dir_open(tree_root(), &own, &err) ||
		    run_dir_save_journal(own, "spr", false, &undo, &err))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFSIGNALED(status), "%d", WEXITSTATUS(status));
	open_again();
}

ROOT_TEST(test_root_trusts_a_journal_of_the_service)
{
	add_user("cxlmon", SERVICE);
	killed_service();
	ck_assert_int_eq(only()->state, JOURNAL_STALE);
	ck_assert_uint_eq(found[0].journal.undo.count, 1);
}

/* Owners and modes of the directory before root opens it. */
static const struct {
	const char *name;
	unsigned uid;
	mode_t directory, file;
} untrusted[] = {
	{"other", SERVICE, 0700, 0600},	     {"cxlmon", STRANGER, 0700, 0600},
	{"cxlmon", SERVICE, 0755, 0600},     {"cxlmon", SERVICE, 0711, 0600},
	{"cxlmon", SERVICE, 0700, 0620},     {"cxlmon", SERVICE, 0700, 0602},
	{"cxlmonitor", SERVICE, 0700, 0600},
};

ROOT_TEST_LOOP(test_root_trusts_no_other_users_journal, COUNT_OF(untrusted))
{
	char name[128];

	add_user("cxlmon", SERVICE);
	killed_service();
	snprintf(name, sizeof(name), "run/cxlmon/%s", only()->name);
	run_dir_free(found, count);
	add_user(untrusted[_i].name, untrusted[_i].uid);
	set_mode("run/cxlmon", untrusted[_i].directory);
	set_mode(name, untrusted[_i].file);
	open_again();
	ck_assert_int_eq(only()->state, JOURNAL_INVALID);
	assert_contains(found[0].why, "only root can write");
}

ROOT_TEST(test_root_does_not_use_a_directory_of_the_service)
{
	struct run_dir *other = NULL;

	add_user("cxlmon", SERVICE);
	run_dir_unlock(dir);
	ck_assert_int_eq(chown(tree_path("run/cxlmon"), SERVICE, SERVICE), 0);
	ck_assert_int_eq(run_dir_open(tree_root(), &other, &err), -EPERM);
	assert_contains(err.text, "sudo chown root");
}

static int restore_as_service(void)
{
	struct run_dir *own;

	become_service();
	if (run_dir_open(tree_root(), &own, &err))
		return 1;
	if (run_dir_list(own, &found, &count, &err) || count != 1)
		return 2;
	if (found[0].state != JOURNAL_STALE || run_dir_remove(own, found[0].name, &err))
		return 3;
	return 0;
}

/* Also one that an earlier version has left readable, whose mode is not the service's to change. */
ROOT_TEST(test_the_service_trusts_a_journal_of_root)
{
	char name[128];
	int status;

	end(other_run(NULL));
	snprintf(name, sizeof(name), "run/cxlmon/%s", only()->name);
	set_mode(name, 0644);
	run_dir_unlock(dir);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(restore_as_service());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

TEST(test_a_torn_journal_is_broken)
{
	tree_file("run/cxlmon/1-1.journal", "{\"cxlmon journal\":1,");
	assert_broken("truncated or damaged");
}

TEST(test_a_journal_that_others_may_write_is_broken)
{
	tree_file("run/cxlmon/1-1.journal", "{}");
	set_mode("run/cxlmon/1-1.journal", 0666);
	assert_broken("only root can write");
}

TEST(test_a_link_is_no_journal)
{
	tree_file("elsewhere", "something");
	tree_link("run/cxlmon/1-1.journal", "../../elsewhere");
	assert_broken("symbolic links");
}

TEST(test_a_pipe_is_no_journal_and_nobody_waits_for_it)
{
	ck_assert_int_eq(mkfifo(tree_path("run/cxlmon/1-1.journal"), 0600), 0);
	assert_broken("only root can write");
}

TEST(test_a_directory_that_others_may_write_or_a_link_to_one_is_refused)
{
	struct run_dir *other = NULL;

	run_dir_unlock(dir);
	const char *path = tree_path("run/cxlmon");
	ck_assert_int_eq(chmod(path, 0777), 0);
	ck_assert_int_eq(run_dir_open(tree_root(), &other, &err), -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, "sudo chmod 700");
	ck_assert_int_eq(chmod(path, 0755), 0);
	ck_assert_int_eq(rename(path, tree_path("elsewhere")), 0);
	tree_link("run/cxlmon", "../elsewhere");
	ck_assert_int_eq(run_dir_open(tree_root(), &other, &err), -ENOTDIR);
}
