/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/terminal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int terminal_open(struct terminal *t, int fd)
{
	sigset_t blocked;

	*t = (struct terminal){.fd = fd, .signals_fd = -1};
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGWINCH);
	sigaddset(&blocked, SIGTSTP);
	sigaddset(&blocked, SIGCONT);
	if (tcgetattr(fd, &t->before))
		return -errno;
	t->signals_fd = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
	if (t->signals_fd < 0)
		return -errno;
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	return 0;
}

void terminal_close(struct terminal *t)
{
	terminal_restore(t);
	if (t->signals_fd >= 0)
		close(t->signals_fd);
	t->signals_fd = -1;
}

/* Sets the mode, without ONLCR: ncurses uses line feeds to move the cursor down. */
void terminal_set_mode(struct terminal *t)
{
	struct termios mode = t->before;

	mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	mode.c_iflag &= ~(tcflag_t)ICRNL;
	mode.c_oflag &= ~(tcflag_t)(ONLCR | TABDLY);
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	t->changed = true;
	tcsetattr(t->fd, TCSANOW, &mode);
}

void terminal_restore(struct terminal *t)
{
	if (t->changed)
		tcsetattr(t->fd, TCSANOW, &t->before);
	t->changed = false;
}

enum terminal_event terminal_next(const struct terminal *t)
{
	struct signalfd_siginfo info;

	if (read(t->signals_fd, &info, sizeof(info)) != sizeof(info))
		return TERMINAL_NO_EVENT;
	if (info.ssi_signo == SIGTSTP)
		return TERMINAL_STOP;
	return info.ssi_signo == SIGCONT ? TERMINAL_CONTINUED : TERMINAL_RESIZED;
}
