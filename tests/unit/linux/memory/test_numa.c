/* SPDX-License-Identifier: BSD-3-Clause */
/* System calls about this process's memory, if the kernel has them and a container allows them. */
#include "linux/memory/nodes.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "unit.h"

/* Returns the result of a request for no page of this process. */
static int may_ask(void)
{
	return syscall(SYS_move_pages, getpid(), 0, NULL, NULL, NULL, 0) ? -errno : 0;
}

TEST(test_a_page_of_this_process_is_on_a_node_once_it_is_there)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *start = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int nodes[2] = {-1, -1};

	ck_assert_ptr_ne(start, MAP_FAILED);
	ck_assert_int_eq(mprotect(start, size, PROT_READ | PROT_WRITE), 0);
	*start = 1;
	const int rc = numa_nodes_of((void *const[]){start, start + size}, 2, nodes);
	munmap(start, 2 * size);
	ck_assert_int_eq(rc, may_ask());
	if (rc)
		return;
	ck_assert_int_ge(nodes[0], 0);
	ck_assert_int_lt(nodes[1], 0);
}

/* Memory must not be on another node than requested: a missing node is an error. */
TEST(test_memory_is_not_bound_to_a_node_that_is_not_there)
{
	const size_t size = 1 << 16;
	void *memory = aligned_alloc(size, size);
	int node = 1;

	while (node < 63 && rootfs_exists("/", "sys/devices/system/node/node%d", node))
		node++;
	ck_assert_ptr_nonnull(memory);
	ck_assert_int_lt(numa_bind(memory, size, node), 0);
	free(memory);
}
