/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/serve/listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static struct listen_address address;
static struct error err;

TEST(test_an_ipv4_address_and_port_are_taken)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)&address.address;

	ck_assert_int_eq(listener_parse("10.1.2.3:65535", &address, &err), 0);
	ck_assert_uint_eq(address.size, sizeof(*in));
	ck_assert_int_eq(in->sin_family, AF_INET);
	ck_assert_uint_eq(ntohl(in->sin_addr.s_addr), 0x0a010203);
	ck_assert_uint_eq(ntohs(in->sin_port), 65535);
}

TEST(test_an_ipv6_address_stands_in_brackets)
{
	const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)&address.address;

	ck_assert_int_eq(listener_parse("[::1]:0", &address, &err), 0);
	ck_assert_uint_eq(address.size, sizeof(*in));
	ck_assert_int_eq(in->sin6_family, AF_INET6);
	ck_assert(IN6_IS_ADDR_LOOPBACK(&in->sin6_addr));
	ck_assert_uint_eq(in->sin6_port, 0);
}

TEST(test_a_link_local_address_has_its_interface)
{
	const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)&address.address;

	ck_assert_int_eq(listener_parse("[fe80::1%1]:80", &address, &err), 0);
	ck_assert_uint_eq(in->sin6_scope_id, 1);
	ck_assert_uint_eq(ntohs(in->sin6_port), 80);
}

static const char *const refused[] = {
	"",
	":",
	"10295",
	":10295",
	"127.0.0.1",
	"127.0.0.1:",
	"127.0.0.1:65536",
	"127.0.0.1:-1",
	"127.0.0.1:+1",
	"127.0.0.1: 1",
	"127.0.0.1:1 ",
	"127.0.0.1:0x50",
	"127.0.0.1:http",
	"127.0.0.1:99999999999999999999",
	"127.1:80",
	"localhost:80",
	"256.0.0.1:80",
	" 127.0.0.1:80",
	"::1:80",
	"[::1]",
	"[::1]80",
	"[]:80",
	"[:80",
	"]:80",
	"[::1:80",
	"::1]:80",
	"[127.0.0.1]:80",
	"[::g]:80",
	"1111111111111111111111111111111111111111111111111111111111111111111111111111111111111:80",
};

TEST_LOOP(test_what_is_no_address_is_refused, COUNT_OF(refused))
{
	ck_assert_int_eq(listener_parse(refused[_i], &address, &err), -EINVAL);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	assert_contains(err.text, "expected ADDR:PORT");
}

/* Makes a socket that listens on any free port. */
static int listen_on(const char *text, char name[LISTENER_NAME_SIZE])
{
	ck_assert_int_eq(listener_parse(text, &address, &err), 0);
	const int fd = listener_open(&address, &err);
	if (fd >= 0)
		listener_name(fd, name);
	return fd;
}

TEST(test_a_port_that_was_chosen_can_be_parsed_again)
{
	char name[LISTENER_NAME_SIZE];
	const int fd = listen_on("127.0.0.1:0", name);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(strncmp(name, "127.0.0.1:", 10), 0);
	ck_assert_int_eq(listener_parse(name, &address, &err), 0);
	ck_assert_uint_ne(((const struct sockaddr_in *)&address.address)->sin_port, 0);
	close(fd);
}

TEST(test_it_is_kept_from_programs_that_are_started_and_accepts_without_waiting)
{
	ck_assert_int_eq(listener_parse("127.0.0.1:0", &address, &err), 0);
	const int fd = close_at_end(listener_open(&address, &err));
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert(fcntl(fd, F_GETFL) & O_NONBLOCK);
}

TEST(test_two_on_one_port_are_told_who_shows_the_other)
{
	char name[LISTENER_NAME_SIZE];
	const int fd = listen_on("127.0.0.1:0", name);

	ck_assert_int_eq(listener_parse(name, &address, &err), 0);
	ck_assert_int_eq(listener_open(&address, &err), -EADDRINUSE);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	assert_contains(err.text, name);
	assert_contains(err.text, "cannot listen: Address already in use; --listen=ADDR:PORT");
	assert_contains(err.command, "ss -ltnp");
	close(fd);
}

TEST(test_every_address_of_ipv6_is_every_address_of_ipv4)
{
	char name[LISTENER_NAME_SIZE];
	const int fd = listen_on("[::]:0", name);
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	if (fd == -EAFNOSUPPORT || fd == -EADDRNOTAVAIL)
		return; /* without IPv6 */
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(listener_parse(name, &address, &err), 0);
	to.sin_port = ((const struct sockaddr_in6 *)&address.address)->sin6_port;
	const int client = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert_int_eq(connect(client, (struct sockaddr *)&to, sizeof(to)), 0);
	close(client);
	close(fd);
}

/* The choice of a child that has a socket as systemd passes it: Check itself uses descriptor 3. */
struct choice {
	char passed[LISTENER_NAME_SIZE], name[LISTENER_NAME_SIZE];
	int rc, fd;
	struct error err;
};

static void choose(const char *text, struct choice *choice)
{
	char pid[16];

	close(3);
	const int fd = listen_on("127.0.0.1:0", choice->passed);
	if (fd != 3)
		dup2(fd, 3);
	snprintf(pid, sizeof(pid), "%d", getpid());
	setenv("LISTEN_PID", pid, 1);
	setenv("LISTEN_FDS", "1", 1);
	choice->rc = listener_choose(text, &address, &choice->err);
	choice->fd = choice->rc ? -1 : listener_open(&address, &choice->err);
	if (choice->fd >= 0)
		listener_name(choice->fd, choice->name);
}

static struct choice choose_in_child(const char *text)
{
	struct choice *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	ck_assert_ptr_ne(shared, MAP_FAILED);
	const pid_t child = fork();
	if (child == 0) {
		choose(text, shared);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	const struct choice choice = *shared;
	munmap(shared, sizeof(*shared));
	return choice;
}

TEST(test_a_socket_that_was_passed_is_the_one_that_listens)
{
	const struct choice choice = choose_in_child(NULL);

	ck_assert_msg(!choice.rc, "%s", choice.err.text);
	ck_assert_int_eq(choice.fd, 3);
	ck_assert_str_eq(choice.name, choice.passed);
}

TEST(test_a_socket_that_was_passed_takes_no_other_address)
{
	const struct choice choice = choose_in_child("127.0.0.1:0");

	ck_assert_int_eq(choice.rc, -EINVAL);
	ck_assert_int_eq(choice.err.kind, ERROR_USAGE);
	assert_contains(choice.err.text, "--listen=127.0.0.1:0: systemd has passed a socket");
	assert_contains(choice.err.text, "sudo systemctl edit cxlmon.socket");
}

/* By default only this machine is answered. */
TEST(test_where_none_was_passed_an_address_is_chosen)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)&address.address;

	ck_assert_int_eq(listener_choose(NULL, &address, &err), 0);
	ck_assert_int_eq(address.passed, -1);
	ck_assert_uint_eq(ntohl(in->sin_addr.s_addr), INADDR_LOOPBACK);
	ck_assert_uint_eq(ntohs(in->sin_port), 10295);
	ck_assert_int_eq(listener_choose("127.0.0.1:80", &address, &err), 0);
	ck_assert_uint_eq(ntohs(in->sin_port), 80);
	ck_assert_int_eq(listener_choose("80", &address, &err), -EINVAL);
	assert_contains(err.text, "expected ADDR:PORT");
}
