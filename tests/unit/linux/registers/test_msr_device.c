/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/registers/msr_device.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "linux/kernel/limits.h"
#include "unit.h"

EACH_IN_A_PROCESS

static struct msr_handle handle = {.fd = -1};

static void close_handle(void)
{
	if (handle.fd >= 0)
		close(handle.fd);
	handle = (struct msr_handle){.fd = -1};
}

TREE_FIXTURE(NULL, close_handle)

static const uint32_t numbers[] = {0, 0x10, 0x38F, 0x2FF0, 0x7FFFFFFF, 0xC0000080, 0xFFFFFFFF};

TEST_LOOP(test_a_register_is_8_bytes_at_its_offset_in_the_cpus_device, COUNT_OF(numbers))
{
	const uint64_t stored = UINT64_C(0xFEDCBA9876543210);
	uint64_t value = 0;

	tree_bytes("dev/cpu/12/msr", numbers[_i], &stored, sizeof(stored));
	ck_assert_int_eq(msr_open(&handle, tree_root(), 12), 0);
	ck_assert(!handle.safe);
	ck_assert_int_eq(fcntl(handle.fd, F_GETFL) & O_ACCMODE, O_RDWR);
	ck_assert_int_eq(fcntl(handle.fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(msr_read(handle.fd, numbers[_i], &value), 0);
	ck_assert_uint_eq(value, stored);
	ck_assert_int_eq(msr_write(handle.fd, numbers[_i], UINT64_C(0x8000000100000002)), 0);
	ck_assert_uint_eq(tree_word("dev/cpu/12/msr", numbers[_i]), UINT64_C(0x8000000100000002));
}

TEST(test_a_root_too_long_for_a_path_opens_nothing)
{
	char root[2048];

	memset(root, 'x', sizeof(root) - 1);
	root[sizeof(root) - 1] = '\0';
	ck_assert_int_eq(msr_open(&handle, root, 0), -ENAMETOOLONG);
	ck_assert_int_eq(handle.fd, -1);
}

TEST(test_without_a_device_the_handle_stays_closed)
{
	ck_assert_int_eq(msr_open(&handle, tree_root(), 12), -ENOENT);
	ck_assert_int_eq(handle.fd, -1);
}

TEST(test_where_there_is_no_device_msr_safe_is_opened)
{
	tree_file("dev/cpu/12/msr_safe", "12345678");
	ck_assert_int_eq(msr_open(&handle, tree_root(), 12), 0);
	ck_assert(handle.safe);
	close_handle();
	tree_file("dev/cpu/12/msr", "12345678");
	ck_assert_int_eq(msr_open(&handle, tree_root(), 12), 0);
	ck_assert(!handle.safe);
}

/* The error of an offline CPU, produced by opening a socket. */
TEST(test_msr_safe_does_not_stand_in_for_a_cpu_that_is_offline)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	tree_file("dev/cpu/12/msr_safe", "12345678");
	ck_assert_int_eq(chdir(tree_root()), 0);
	strcpy(address.sun_path, "dev/cpu/12/msr");
	ck_assert_int_eq(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(msr_open(&handle, tree_root(), 12), -ENXIO);
	ck_assert_int_eq(handle.fd, -1);
	close(fd);
}

TEST(test_an_error_of_reading_or_writing_is_passed_on)
{
	uint64_t value;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(msr_read(ends[0], 0x10, &value), -ESPIPE);
	ck_assert_int_eq(msr_write(ends[1], 0x10, 1), -ESPIPE);
	close(ends[0]);
	close(ends[1]);
}

TEST_LOOP(test_a_short_count_is_no_register, 8)
{
	uint64_t value;

	tree_bytes("dev/cpu/12/msr", 0, "12345678", (size_t)_i);
	ck_assert_int_eq(msr_open(&handle, tree_root(), 12), 0);
	ck_assert_int_eq(msr_read(handle.fd, 0, &value), -EBADFD);
}

/* Devices that take a write of one byte: the driver rejects it after all other checks. */
static const struct {
	const char *device; /* device with this answer to one byte */
	int expected;
} permissions[] = {
	{"/proc/self/oom_score_adj", 0}, /* EINVAL */
	{"/dev/full", -ENOSPC},
	{"/dev/null", -EBADFD}, /* accepts it */
};

TEST_LOOP(test_whether_writes_are_permitted_is_asked_with_a_single_byte, COUNT_OF(permissions))
{
	handle.fd = open(permissions[_i].device, O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(handle.fd, 0);
	ck_assert_int_eq(msr_may_write(&handle), permissions[_i].expected);
	handle.safe = true;
	ck_assert_int_eq(msr_may_write(&handle), -ENOTSUP);
}

TEST(test_of_a_file_nothing_is_asked)
{
	tree_file("dev/cpu/12/msr", "12345678");
	ck_assert_int_eq(msr_open(&handle, tree_root(), 12), 0);
	ck_assert_int_eq(msr_may_write(&handle), -ENOTSUP);
	ck_assert_uint_eq(tree_word("dev/cpu/12/msr", 0), UINT64_C(0x3837363534333231));
}

/*
 * Meanings of errors, which depend on the files around the device. Without a list of CPUs that are
 * online, all are.
 */

#define LOCKDOWN     "sys/kernel/security/lockdown"
#define ALLOW_WRITES "sys/module/msr/parameters/allow_writes"
#define ONLINE	     "sys/devices/system/cpu/online"

enum { READ = false, WRITE = true };

static void assert_reason(bool write, int code, enum error_kind kind, const char *says)
{
	struct error reason = {.kind = ERROR_NONE};

	msr_explain(tree_root(), 5, false, write, code, &reason);
	assert_contains(reason.text, says);
	ck_assert_int_eq(reason.kind, kind);
}

static void assert_never_says(bool write, int code, const char *part)
{
	struct error reason = {.kind = ERROR_NONE};

	msr_explain(tree_root(), 5, false, write, code, &reason);
	assert_lacks(reason.text, part);
}

TREE_FIXTURE(NULL, NULL)

TEST(test_enoent_without_the_module_says_how_to_load_it)
{
	tree_file(ONLINE, "0-7\n");
	assert_reason(READ, -ENOENT, ERROR_PERMISSION, "modprobe msr");
	assert_reason(READ, -ENOENT, ERROR_PERMISSION, "/dev/cpu/5/msr");
}

TEST(test_enoent_with_the_module_loaded_says_that_the_node_is_missing)
{
	tree_file(ONLINE, "0-7\n");
	tree_directory("sys/module/msr");
	assert_reason(READ, -ENOENT, ERROR_PERMISSION, "/dev/cpu/5/msr does not exist");
	assert_never_says(READ, -ENOENT, "modprobe");
}

static const int offline_codes[] = {-ENOENT, -ENXIO};

TEST_LOOP(test_an_offline_cpu_is_named_with_the_way_to_bring_it_back, COUNT_OF(offline_codes))
{
	tree_file(ONLINE, "0-4,6-7\n");
	tree_directory("sys/module/msr");
	assert_reason(READ, offline_codes[_i], ERROR_FAILED, "CPU 5 is offline");
	assert_reason(READ, offline_codes[_i], ERROR_FAILED,
		      "echo 1 | sudo tee /sys/devices/system/cpu/cpu5/online");
}

TEST(test_a_long_list_of_online_cpus_is_read_to_its_end)
{
	char list[2048];
	struct error reason;
	int used = 0;

	/* every second CPU, as without hyper-threading */
	for (int cpu = 0; cpu < 512; cpu += 2)
		used += sprintf(list + used, "%s%d", cpu ? "," : "", cpu);
	tree_file(ONLINE, "%s\n", list);
	msr_explain(tree_root(), 510, false, READ, -ENOENT, &reason);
	assert_lacks(reason.text, "offline");
	assert_contains(reason.text, "modprobe msr");
}

TEST(test_eacces_says_sudo)
{
	assert_reason(READ, -EACCES, ERROR_PERMISSION, "sudo");
	assert_reason(WRITE, -EACCES, ERROR_PERMISSION, "/dev/cpu/5/msr");
}

static const struct {
	const char *line, *state;
} lockdowns[] = {
	{"none [integrity] confidentiality\n", "(integrity)"},
	{"none integrity [confidentiality]\n", "(confidentiality)"},
	{"[confidentiality]\n", "(confidentiality)"},
};

TEST_LOOP(test_eperm_on_a_write_under_lockdown_names_the_lockdown, COUNT_OF(lockdowns))
{
	struct error reason;

	tree_file(LOCKDOWN, "%s", lockdowns[_i].line);
	tree_file(ALLOW_WRITES, "off\n");
	assert_reason(WRITE, -EPERM, ERROR_PERMISSION, "lockdown");
	assert_reason(WRITE, -EPERM, ERROR_PERMISSION, lockdowns[_i].state);
	assert_never_says(WRITE, -EPERM, "allow_writes");
	msr_explain(tree_root(), 5, false, WRITE, -EPERM, &reason);
	ck_assert_str_eq(reason.command, LOCKDOWN_COMMAND);
}

TEST_LOOP(test_eperm_on_a_read_never_blames_lockdown_or_allow_writes, COUNT_OF(lockdowns))
{
	tree_file(LOCKDOWN, "%s", lockdowns[_i].line);
	tree_file(ALLOW_WRITES, "off\n");
	assert_reason(READ, -EPERM, ERROR_PERMISSION, "CAP_SYS_RAWIO");
	assert_never_says(READ, -EPERM, "lockdown");
	assert_never_says(READ, -EPERM, "allow_writes");
}

TEST(test_eperm_on_a_write_with_allow_writes_off_says_how_to_allow_it)
{
	tree_file(LOCKDOWN, "[none] integrity confidentiality\n");
	tree_file(ALLOW_WRITES, "off\n");
	assert_reason(WRITE, -EPERM, ERROR_PERMISSION,
		      "echo on | sudo tee /sys/module/msr/parameters/allow_writes");
	assert_never_says(WRITE, -EPERM, "lockdown");
}

static const char *const permissive[] = {"default\n", "on\n", NULL};

TEST_LOOP(test_eperm_that_nothing_else_explains_is_a_missing_capability, COUNT_OF(permissive))
{
	if (permissive[_i]) {
		tree_file(LOCKDOWN, "[none] integrity confidentiality\n");
		tree_file(ALLOW_WRITES, "%s", permissive[_i]);
	}
	assert_reason(WRITE, -EPERM, ERROR_PERMISSION, "CAP_SYS_RAWIO");
	assert_reason(WRITE, -EPERM, ERROR_PERMISSION, "sudo");
	assert_never_says(WRITE, -EPERM, "lockdown");
}

TEST(test_eio_is_the_processors_refusal)
{
	assert_reason(READ, -EIO, ERROR_FAILED, "no such register");
	assert_reason(WRITE, -EIO, ERROR_FAILED, "no such register");
	assert_reason(WRITE, -EIO, ERROR_FAILED, "reserved bit");
	assert_never_says(READ, -EIO, "reserved bit");
}

TEST(test_a_file_that_is_no_register_is_named)
{
	assert_reason(READ, -EBADFD, ERROR_FAILED, "/dev/cpu/5/msr is not the msr driver's");
}

TEST_RANGE(test_a_refusal_of_msr_safe_names_its_list_and_the_command_that_fills_it, READ, WRITE + 1)
{
	struct error reason;

	msr_explain(tree_root(), 5, true, _i, -EACCES, &reason);
	ck_assert_int_eq(reason.kind, ERROR_PERMISSION);
	assert_contains(reason.text, "/dev/cpu/5/msr_safe");
	assert_contains(reason.text, "cxlmon register allowlist | sudo tee /dev/cpu/msr_allowlist");
}

TEST(test_a_file_that_is_not_msr_safe_s_is_named)
{
	struct error reason;

	msr_explain(tree_root(), 5, true, READ, -EBADFD, &reason);
	assert_contains(reason.text, "/dev/cpu/5/msr_safe is not the msr-safe module's");
}

TEST(test_any_other_error_is_given_in_the_kernels_words)
{
	assert_reason(READ, -EMFILE, ERROR_FAILED, strerror(EMFILE));
}

static const struct {
	bool write;
	int code;
	const char *command;
} mended[] = {
	{READ, -ENOENT, "sudo modprobe msr"},
	{READ, -ENXIO, "echo 1 | sudo tee /sys/devices/system/cpu/cpu5/online"},
	{READ, -EACCES, "sudo cxlmon"},
	{READ, -EPERM, "sudo cxlmon"},
	{WRITE, -EPERM, "echo on | sudo tee /sys/module/msr/parameters/allow_writes"},
	{READ, -EIO, ""},
};

TEST_LOOP(test_the_command_that_mends_it_stands_by_itself, COUNT_OF(mended))
{
	struct error reason;

	if (mended[_i].write)
		tree_file(ALLOW_WRITES, "off\n");
	memset(&reason, '?', sizeof(reason));
	msr_explain(tree_root(), 5, false, mended[_i].write, mended[_i].code, &reason);
	ck_assert_str_eq(reason.command, mended[_i].command);
}
