/* SPDX-License-Identifier: BSD-3-Clause */
#include "msr/device.h"

#include <fcntl.h>

#include "platform/reason.h"
#include "unit.h"

/* The kernel as the handle sees it: what it was asked, and what it answers. */
static struct {
	char path[128];
	int flags;
	unsigned opened, closed, writes;
	int fd;
	size_t bytes;
	off_t offset;
	uint64_t value;
	ssize_t moved;
	off_t size;
	int error;     /* an errno: every call fails with it */
	int msr_error; /* an errno: opening a msr fails with it, but not msr_safe */
} kernel;

static int answer_open(const char *path, int flags)
{
	snprintf(kernel.path, sizeof(kernel.path), "%s", path);
	kernel.flags = flags;
	kernel.opened++;
	errno = kernel.error;
	if (kernel.msr_error && !strstr(path, "/msr_safe"))
		errno = kernel.msr_error;
	return errno ? -1 : 42;
}

static ssize_t answer(int fd, size_t bytes, off_t offset)
{
	kernel.fd = fd;
	kernel.bytes = bytes;
	kernel.offset = offset;
	errno = kernel.error;
	return kernel.error ? -1 : kernel.moved;
}

static ssize_t answer_pread(int fd, void *buffer, size_t bytes, off_t offset)
{
	memcpy(buffer, &kernel.value, sizeof(kernel.value));
	return answer(fd, bytes, offset);
}

static ssize_t answer_pwrite(int fd, const void *buffer, size_t bytes, off_t offset)
{
	memcpy(&kernel.value, buffer, bytes < sizeof(kernel.value) ? bytes : sizeof(kernel.value));
	kernel.writes++;
	return answer(fd, bytes, offset);
}

static int answer_fstat(int fd, struct stat *st)
{
	kernel.fd = fd;
	*st = (struct stat){.st_size = kernel.size};
	return 0;
}

static int answer_close(int fd)
{
	kernel.fd = fd;
	kernel.closed++;
	return 0;
}

static const struct msr_calls calls = {
	.open = answer_open,
	.pread = answer_pread,
	.pwrite = answer_pwrite,
	.fstat = answer_fstat,
	.close = answer_close,
};

static struct msr_handle handle;

static void open_cpu_12(void)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.moved = 8;
	ck_assert_int_eq(msr_open(&handle, &calls, "/", 12), 0);
}

TREE_FIXTURE(open_cpu_12, NULL)

TEST(test_open_asks_for_the_cpus_device_to_read_and_write)
{
	ck_assert_str_eq(kernel.path, "/dev/cpu/12/msr");
	ck_assert_int_eq(kernel.flags, O_RDWR | O_CLOEXEC);
	ck_assert_uint_eq(kernel.opened, 1);
	ck_assert_int_eq(handle.fd, 42);
}

TEST(test_open_looks_below_the_root_directory)
{
	ck_assert_int_eq(msr_open(&handle, &calls, "/tree", 0), 0);
	ck_assert_str_eq(kernel.path, "/tree/dev/cpu/0/msr");
}

TEST(test_a_root_too_long_for_a_path_opens_nothing)
{
	char root[2048];

	memset(root, 'x', sizeof(root) - 1);
	root[sizeof(root) - 1] = '\0';
	ck_assert_int_eq(msr_open(&handle, &calls, root, 0), -ENAMETOOLONG);
	ck_assert_uint_eq(kernel.opened, 1);
	ck_assert_int_eq(handle.fd, -1);
}

static const uint32_t numbers[] = {0, 0x10, 0x38F, 0x2FF0, 0x7FFFFFFF, 0xC0000080, 0xFFFFFFFF};

TEST_LOOP(test_read_moves_8_bytes_at_the_offset_of_the_register, COUNT_OF(numbers))
{
	uint64_t value = 0;

	kernel.value = UINT64_C(0xFEDCBA9876543210);
	ck_assert_int_eq(msr_read(&handle, numbers[_i], &value), 0);
	ck_assert_uint_eq(value, UINT64_C(0xFEDCBA9876543210));
	ck_assert_int_eq(kernel.fd, 42);
	ck_assert_uint_eq(kernel.bytes, 8);
	ck_assert_int_eq(kernel.offset, (off_t)numbers[_i]);
}

TEST_LOOP(test_write_moves_8_bytes_at_the_offset_of_the_register, COUNT_OF(numbers))
{
	ck_assert_int_eq(msr_write(&handle, numbers[_i], UINT64_C(0x8000000100000002)), 0);
	ck_assert_uint_eq(kernel.value, UINT64_C(0x8000000100000002));
	ck_assert_int_eq(kernel.fd, 42);
	ck_assert_uint_eq(kernel.bytes, 8);
	ck_assert_int_eq(kernel.offset, (off_t)numbers[_i]);
}

static const int errors[] = {ENOENT, ENXIO, EACCES, EPERM, EIO};

TEST_LOOP(test_an_error_of_open_is_passed_on_and_the_handle_stays_closed, COUNT_OF(errors))
{
	kernel.error = errors[_i];
	ck_assert_int_eq(msr_open(&handle, &calls, "/", 12), -errors[_i]);
	ck_assert_int_eq(handle.fd, -1);
	msr_close(&handle);
	ck_assert_uint_eq(kernel.closed, 0);
}

static const int without_msr[] = {ENOENT, EACCES, EPERM};

TEST_LOOP(test_where_the_device_may_not_be_opened_msr_safe_is, COUNT_OF(without_msr))
{
	kernel.msr_error = without_msr[_i];
	ck_assert_int_eq(msr_open(&handle, &calls, "/", 12), 0);
	ck_assert_str_eq(kernel.path, "/dev/cpu/12/msr_safe");
	ck_assert_int_eq(kernel.flags, O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(handle.fd, 42);
	ck_assert(handle.safe);
	kernel.msr_error = 0;
	ck_assert_int_eq(msr_open(&handle, &calls, "/", 12), 0);
	ck_assert_str_eq(kernel.path, "/dev/cpu/12/msr");
	ck_assert(!handle.safe);
}

static const int with_msr[] = {ENXIO, EMFILE, EIO};

TEST_LOOP(test_msr_safe_does_not_stand_in_for_a_cpu_that_is_offline, COUNT_OF(with_msr))
{
	kernel.msr_error = with_msr[_i];
	ck_assert_int_eq(msr_open(&handle, &calls, "/", 12), -with_msr[_i]);
	ck_assert_str_eq(kernel.path, "/dev/cpu/12/msr");
	ck_assert_int_eq(handle.fd, -1);
}

TEST_LOOP(test_an_error_of_reading_or_writing_is_passed_on, COUNT_OF(errors))
{
	uint64_t value;

	kernel.error = errors[_i];
	ck_assert_int_eq(msr_read(&handle, 0x10, &value), -errors[_i]);
	ck_assert_int_eq(msr_write(&handle, 0x10, 1), -errors[_i]);
}

TEST_LOOP(test_a_short_count_is_no_register, 8)
{
	uint64_t value;

	kernel.moved = _i;
	ck_assert_int_eq(msr_read(&handle, 0x10, &value), -EBADFD);
	ck_assert_int_eq(msr_write(&handle, 0x10, 1), -EBADFD);
}

static const struct {
	int error, expected;
} permissions[] = {{EINVAL, 0}, {EPERM, -EPERM}, {EACCES, -EACCES}, {ENXIO, -ENXIO}, {EIO, -EIO}};

/* One byte is no register: the driver rejects it after all other checks. */
TEST_LOOP(test_whether_writes_are_permitted_is_asked_with_a_single_byte, COUNT_OF(permissions))
{
	kernel.error = permissions[_i].error;
	ck_assert_int_eq(msr_may_write(&handle), permissions[_i].expected);
	ck_assert_uint_eq(kernel.writes, 1);
	ck_assert_uint_eq(kernel.bytes, 1);
}

TEST(test_of_a_file_or_msr_safe_nothing_is_asked)
{
	kernel.size = 4096;
	ck_assert_int_eq(msr_may_write(&handle), -ENOTSUP);
	kernel.size = 0;
	handle.safe = true;
	ck_assert_int_eq(msr_may_write(&handle), -ENOTSUP);
	ck_assert_uint_eq(kernel.writes, 0);
	handle.safe = false;
	kernel.moved = 1;
	ck_assert_int_eq(msr_may_write(&handle), -EBADFD);
}

TEST(test_close_closes_once)
{
	msr_close(&handle);
	ck_assert_int_eq(kernel.fd, 42);
	ck_assert_int_eq(handle.fd, -1);
	msr_close(&handle);
	ck_assert_uint_eq(kernel.closed, 1);
}

TEST(test_system_calls_reach_the_file)
{
	const uint64_t stored = UINT64_C(0x0123456789ABCDEF);
	uint64_t value;

	tree_bytes("dev/cpu/3/msr", 0x38F, &stored, sizeof(stored));
	ck_assert_int_eq(msr_open(&handle, &msr_system_calls, tree_root(), 3), 0);
	ck_assert_int_eq(msr_read(&handle, 0x38F, &value), 0);
	ck_assert_uint_eq(value, stored);
	ck_assert_int_eq(msr_write(&handle, 0x186, 7), 0);
	ck_assert_uint_eq(tree_word("dev/cpu/3/msr", 0x186), 7);
	ck_assert_int_eq(msr_read(&handle, 0x2FF0, &value), -EBADFD);
	msr_close(&handle);
	ck_assert_int_eq(msr_open(&handle, &msr_system_calls, tree_root(), 4), -ENOENT);
}

/* What the errors mean, told apart by the files around the device. */

#define LOCKDOWN     "sys/kernel/security/lockdown"
#define ALLOW_WRITES "sys/module/msr/parameters/allow_writes"
#define ONLINE	     "sys/devices/system/cpu/online"

enum { READ = false, WRITE = true };

static void assert_reason(bool write, int code, enum exit_status status, const char *says)
{
	struct reason reason = {.status = EXIT_OK};

	msr_explain(tree_root(), 5, false, write, code, &reason);
	assert_contains(reason.text, says);
	ck_assert_int_eq(reason.status, status);
}

static void assert_never_says(bool write, int code, const char *part)
{
	struct reason reason = {.status = EXIT_OK};

	msr_explain(tree_root(), 5, false, write, code, &reason);
	assert_lacks(reason.text, part);
}

TREE_FIXTURE(NULL, NULL)

TEST(test_enoent_without_the_module_says_how_to_load_it)
{
	tree_file(ONLINE, "0-7\n");
	assert_reason(READ, -ENOENT, EXIT_PERMISSION, "modprobe msr");
	assert_reason(READ, -ENOENT, EXIT_PERMISSION, "/dev/cpu/5/msr");
}

TEST(test_enoent_without_an_online_file_takes_every_cpu_for_online)
{
	assert_reason(READ, -ENOENT, EXIT_PERMISSION, "modprobe msr");
}

TEST(test_enoent_with_the_module_loaded_says_that_the_node_is_missing)
{
	tree_file(ONLINE, "0-7\n");
	tree_directory("sys/module/msr");
	assert_reason(READ, -ENOENT, EXIT_PERMISSION, "/dev/cpu/5/msr does not exist");
	assert_never_says(READ, -ENOENT, "modprobe");
}

static const int offline_codes[] = {-ENOENT, -ENXIO};

TEST_LOOP(test_an_offline_cpu_is_named_with_the_way_to_bring_it_back, COUNT_OF(offline_codes))
{
	tree_file(ONLINE, "0-4,6-7\n");
	tree_directory("sys/module/msr");
	assert_reason(READ, offline_codes[_i], EXIT_FAILED, "CPU 5 is offline");
	assert_reason(READ, offline_codes[_i], EXIT_FAILED,
		      "echo 1 | sudo tee /sys/devices/system/cpu/cpu5/online");
}

TEST(test_a_long_list_of_online_cpus_is_read_to_its_end)
{
	char list[2048];
	struct reason reason;
	int used = 0;

	/* every second CPU: what disabled hyper-threading leaves */
	for (int cpu = 0; cpu < 512; cpu += 2)
		used += sprintf(list + used, "%s%d", cpu ? "," : "", cpu);
	tree_file(ONLINE, "%s\n", list);
	msr_explain(tree_root(), 510, false, READ, -ENOENT, &reason);
	assert_lacks(reason.text, "offline");
	assert_contains(reason.text, "modprobe msr");
}

TEST(test_eacces_says_sudo)
{
	assert_reason(READ, -EACCES, EXIT_PERMISSION, "sudo");
	assert_reason(WRITE, -EACCES, EXIT_PERMISSION, "/dev/cpu/5/msr");
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
	tree_file(LOCKDOWN, "%s", lockdowns[_i].line);
	tree_file(ALLOW_WRITES, "off\n");
	assert_reason(WRITE, -EPERM, EXIT_PERMISSION, "lockdown");
	assert_reason(WRITE, -EPERM, EXIT_PERMISSION, lockdowns[_i].state);
	assert_never_says(WRITE, -EPERM, "allow_writes");
}

TEST_LOOP(test_eperm_on_a_read_never_blames_lockdown_or_allow_writes, COUNT_OF(lockdowns))
{
	tree_file(LOCKDOWN, "%s", lockdowns[_i].line);
	tree_file(ALLOW_WRITES, "off\n");
	assert_reason(READ, -EPERM, EXIT_PERMISSION, "CAP_SYS_RAWIO");
	assert_never_says(READ, -EPERM, "lockdown");
	assert_never_says(READ, -EPERM, "allow_writes");
}

TEST(test_eperm_on_a_write_with_allow_writes_off_says_how_to_allow_it)
{
	tree_file(LOCKDOWN, "[none] integrity confidentiality\n");
	tree_file(ALLOW_WRITES, "off\n");
	assert_reason(WRITE, -EPERM, EXIT_PERMISSION,
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
	assert_reason(WRITE, -EPERM, EXIT_PERMISSION, "CAP_SYS_RAWIO");
	assert_reason(WRITE, -EPERM, EXIT_PERMISSION, "sudo");
	assert_never_says(WRITE, -EPERM, "lockdown");
}

TEST(test_eio_is_the_processors_refusal)
{
	assert_reason(READ, -EIO, EXIT_FAILED, "no such register");
	assert_reason(WRITE, -EIO, EXIT_FAILED, "no such register");
	assert_reason(WRITE, -EIO, EXIT_FAILED, "reserved bit");
	assert_never_says(READ, -EIO, "reserved bit");
}

TEST(test_a_file_that_is_no_register_is_named)
{
	assert_reason(READ, -EBADFD, EXIT_FAILED, "/dev/cpu/5/msr is not the msr driver's");
}

TEST_RANGE(test_a_refusal_of_msr_safe_names_its_list_and_the_command_that_fills_it, READ, WRITE + 1)
{
	struct reason reason;

	msr_explain(tree_root(), 5, true, _i, -EACCES, &reason);
	ck_assert_int_eq(reason.status, EXIT_PERMISSION);
	assert_contains(reason.text, "/dev/cpu/5/msr_safe");
	assert_contains(reason.text, "cxlmon allowlist | sudo tee /dev/cpu/msr_allowlist");
}

TEST(test_a_file_that_is_not_msr_safe_s_is_named)
{
	struct reason reason;

	msr_explain(tree_root(), 5, true, READ, -EBADFD, &reason);
	assert_contains(reason.text, "/dev/cpu/5/msr_safe is not the msr-safe module's");
}

TEST(test_any_other_error_is_given_in_the_kernels_words)
{
	assert_reason(READ, -EMFILE, EXIT_FAILED, strerror(EMFILE));
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
	struct reason reason;

	if (mended[_i].write)
		tree_file(ALLOW_WRITES, "off\n");
	memset(&reason, '?', sizeof(reason));
	msr_explain(tree_root(), 5, false, mended[_i].write, mended[_i].code, &reason);
	ck_assert_str_eq(reason.command, mended[_i].command);
}

TEST(test_lockdown_has_a_command_of_its_own)
{
	struct reason reason;

	tree_file(LOCKDOWN, "none [integrity] confidentiality\n");
	msr_explain(tree_root(), 5, false, WRITE, -EPERM, &reason);
	ck_assert_str_eq(reason.command, LOCKDOWN_COMMAND);
}
