# SPDX-License-Identifier: BSD-3-Clause
VERSION := 0.1.0

PREFIX  ?= /usr/local
LIBDIR  ?= lib
DESTDIR ?=
BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O2 -g
WERROR  ?= -Werror
ARGS    ?=
FUZZ_SECONDS ?= 20

DOCS_PACKAGES  := doxygen
BUILD_PACKAGES := gcc libc6-dev pkg-config libpci-dev libjansson-dev zlib1g-dev libcap-ng-dev \
	libseccomp-dev libmicrohttpd-dev
TEST_PACKAGES  := $(BUILD_PACKAGES) $(DOCS_PACKAGES) g++ check libfuse3-dev fuse3 msr-tools pciutils strace jq \
	python3-prometheus-client valgrind liburing-dev curl systemd
VM_PACKAGES    := qemu-system-x86 busybox-static cpio kmod xz-utils zstd
FUZZ_PACKAGES  := $(BUILD_PACKAGES) clang libclang-rt-14-dev
LINT_PACKAGES  := $(TEST_PACKAGES) cppcheck clang clang-format shellcheck

# SANITIZE=1 builds with the address and undefined-behaviour sanitizers, SANITIZE=thread with that
# for threads
ifeq ($(SANITIZE),thread)
INSTRUMENT := -fsanitize=thread
else ifdef SANITIZE
INSTRUMENT := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

FUZZ_FLAGS := -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
	-fsanitize-coverage-ignorelist=tests/fuzz/untraced \
	-fno-sanitize-recover=all -fno-omit-frame-pointer

ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -DCXLMON_VERSION='"$(VERSION)"' -Isrc -Iinclude -pthread -MMD -MP \
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-missing-field-initializers $(WERROR) \
	$(CFLAGS) $(INSTRUMENT)
# asked for when something is linked: the packages may have been installed by this very make
LIBRARY_LIBS = $(shell pkg-config --libs libpci jansson zlib libcap-ng libseccomp) -lm
SHARED_LIBS  = $(shell pkg-config --libs libpci jansson zlib) -lm
CHECK_LIBS   = $(shell pkg-config --libs check)
FUSE_LIBS    = $(shell pkg-config --libs fuse3)
$(BUILD)/obj/tests/platform/%.o: ALL_CFLAGS += $(shell pkg-config --cflags fuse3)

LIBRARY_SOURCES  := $(wildcard src/platform/*.c src/msr/*.c src/pci/*.c src/linux/*.c \
	src/uncore/*.c src/uncore/models/*.c src/poller/*.c src/sim/*.c src/session/*.c src/lib/*.c)
CLI_SOURCES      := $(wildcard src/cli/*.c)
UNIT_SOURCES     := $(wildcard tests/unit/*.c)
PLATFORM_SOURCES := $(wildcard tests/platform/*.c)
TOOL_SOURCES     := $(wildcard tests/tools/*.c)
FUZZ_SOURCES     := $(wildcard tests/fuzz/*.c)
FUZZ_TARGETS     := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIBRARY_OBJECTS  := $(call objects,$(LIBRARY_SOURCES))
# rights are the program's to give up
SHARED_OBJECTS   := $(filter-out %/caller.o %/rights.o %/rights_filter.o,$(LIBRARY_OBJECTS))
$(SHARED_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
CLI_OBJECTS      := $(call objects,$(CLI_SOURCES))
UNIT_OBJECTS     := $(call objects,$(UNIT_SOURCES))
PLATFORM_OBJECTS := $(call objects,$(PLATFORM_SOURCES))
TOOL_OBJECTS     := $(call objects,$(TOOL_SOURCES))
FUZZ_OBJECTS     := $(call objects,$(FUZZ_SOURCES))
FUZZERS          := $(FUZZ_TARGETS:%=$(BUILD)/fuzz-%)
REPLAYS          := $(FUZZ_TARGETS:%=$(BUILD)/replay-%)
TOOLS            := $(TOOL_SOURCES:tests/tools/%.c=$(BUILD)/cxlmon-%)
TEST_PROGRAMS    := $(BUILD)/unit-tests $(BUILD)/cxlmon-platform $(TOOLS) $(REPLAYS)
# what the tests see of the command line: everything but main()
CLI_PARTS        := $(filter-out %/main.o,$(CLI_OBJECTS))
# what fuzz targets share
FUZZ_PARTS       := $(filter-out %/replay.o $(BUILD)/obj/tests/fuzz/fuzz_%,$(FUZZ_OBJECTS))

# the first number of the version script is the ABI's
SONAME   := libcxlmon.so.0
SHARED   := libcxlmon.so.$(VERSION)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run test test-vm tests test-programs fuzz fuzzers lint sanitize docs install \
	uninstall clean help

all: $(BUILD)/cxlmon $(BUILD)/$(SONAME) ## build the program and the library

link = $(CC) $(CFLAGS) $(INSTRUMENT) -pthread $(LDFLAGS) -o $@ $^

$(BUILD)/cxlmon: $(CLI_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/libcxlmon.a: $(LIBRARY_OBJECTS)
	$(AR) rcs $@ $^

# every allocation of ours is counted
$(BUILD)/unit-tests: LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray
# every symbol must be found now, but those of a sanitizer, which the program brings along
$(BUILD)/$(SONAME): $(SHARED_OBJECTS) src/lib/libcxlmon.sym
	$(CC) $(CFLAGS) $(INSTRUMENT) -pthread $(LDFLAGS) -shared -o $@ -Wl,-soname,$(SONAME) \
		-Wl,--version-script=src/lib/libcxlmon.sym $(if $(INSTRUMENT),,-Wl,-z,defs) \
		$(SHARED_OBJECTS) $(SHARED_LIBS)

$(BUILD)/unit-tests: $(UNIT_OBJECTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) $(CHECK_LIBS) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-platform: $(PLATFORM_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(FUSE_LIBS) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-readers: LIBRARY_LIBS += -luring

# small programs that the tests run
$(BUILD)/cxlmon-%: $(BUILD)/obj/tests/tools/%.o $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

# fuzz targets: for libFuzzer, and without it for the inputs that were kept
$(BUILD)/fuzz-%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_PARTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) -fsanitize=fuzzer $(LIBRARY_LIBS)

$(BUILD)/replay-%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/replay.o \
		$(FUZZ_PARTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

run: ## install what is missing, build, and monitor (ARGS="..." are passed on)
	@tools/ensure-packages $(BUILD_PACKAGES)
	@$(MAKE) --no-print-directory all
	@tools/run $(BUILD)/cxlmon $(ARGS)

test: ## install what is missing, build, and run all tests
	@tools/ensure-packages $(TEST_PACKAGES)
	@tools/ensure-packages $(VM_PACKAGES) || echo "Going on without a virtual machine" >&2
	@$(MAKE) --no-print-directory tests

tests: all $(TEST_PROGRAMS) # all tests, with what is installed
	@tests/run $(BUILD)

test-programs: $(TEST_PROGRAMS)

test-vm: ## boot Debian's kernel in qemu and test under it
	@tools/ensure-packages $(TEST_PACKAGES) $(VM_PACKAGES)
	@$(MAKE) --no-print-directory all test-programs
	@BUILD=$(BUILD) tests/vm/test_vm

fuzz: ## feed libFuzzer's bytes to every parser, for FUZZ_SECONDS (20) each
	@tools/ensure-packages $(FUZZ_PACKAGES)
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang CFLAGS="-O1 -g" \
		INSTRUMENT="$(FUZZ_FLAGS)" fuzzers
	@tests/fuzz/run build/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzzers: $(FUZZERS)

lint: ## check the format and the code with other eyes: clang-format, cppcheck, gcc, clang
	@tools/ensure-packages $(LINT_PACKAGES)
	clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h')
	cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability \
		--inline-suppr --std=c11 -D_GNU_SOURCE -DCXLMON_VERSION='""' -Isrc -Iinclude \
		src include examples tests/platform tests/tools tests/fuzz
	shellcheck -x tools/* tests/run tests/fuzz/run tests/fuzz/test_replay .ci/run $$(git ls-files 'tests/integration/*' 'tests/vm/*')
	@$(MAKE) --no-print-directory BUILD=build/gcc CC=gcc all test-programs
	@$(MAKE) --no-print-directory BUILD=build/clang CC=clang all test-programs

sanitize: ## run all tests under the address and undefined-behaviour sanitizers, and for threads
	@tools/ensure-packages $(TEST_PACKAGES)
	@$(MAKE) --no-print-directory BUILD=build/sanitize SANITIZE=1 CFLAGS="-O1 -g" tests
	@$(MAKE) --no-print-directory BUILD=build/thread SANITIZE=thread CFLAGS="-O1 -g" \
		build/thread/unit-tests
	@for suite in ring signals writer http; do \
		TSAN_OPTIONS=halt_on_error=1 CK_RUN_SUITE=$$suite build/thread/unit-tests || exit; \
	done

docs: ## make the library's reference, build/docs/html
	@tools/ensure-packages $(DOCS_PACKAGES)
	@mkdir -p $(BUILD)/docs
	CXLMON_VERSION=$(VERSION) CXLMON_DOCS=$(BUILD)/docs doxygen docs/Doxyfile

# FILE:WHERE:MODE of what is installed below PREFIX
INSTALLED := \
	$(BUILD)/cxlmon:bin/cxlmon:755 \
	$(BUILD)/$(SONAME):$(LIBDIR)/$(SHARED):644 \
	include/cxlmon.h:include/cxlmon.h:644 \
	packaging/prometheus-alerts.yml:share/cxlmon/prometheus-alerts.yml:644 \
	packaging/grafana-dashboard.json:share/cxlmon/grafana-dashboard.json:644
# LINK:TARGET
INSTALLED_LINKS := \
	$(LIBDIR)/$(SONAME):$(SHARED) \
	$(LIBDIR)/libcxlmon.so:$(SONAME)
# made when it is installed, since PREFIX is in it
INSTALLED_PC := $(LIBDIR)/pkgconfig/cxlmon.pc
INSTALLED_UNIT := lib/systemd/system/cxlmon.service

word_of = $(word $(1),$(subst :, ,$(2)))
where = $(DESTDIR)$(PREFIX)
# each ends its line, so that every file is a command of its own
define install_file
install -D -m $(call word_of,3,$(1)) $(call word_of,1,$(1)) $(where)/$(call word_of,2,$(1))

endef
define install_link
ln -sf $(call word_of,2,$(1)) $(where)/$(call word_of,1,$(1))

endef

install: $(BUILD)/cxlmon $(BUILD)/$(SONAME) ## install under PREFIX (and DESTDIR), the library in LIBDIR there
	$(foreach file,$(INSTALLED),$(call install_file,$(file)))
	$(foreach link,$(INSTALLED_LINKS),$(call install_link,$(link)))
	install -d $(where)/$(dir $(INSTALLED_PC))
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' \
		src/lib/cxlmon.pc.in > $(where)/$(INSTALLED_PC)
	install -d $(where)/$(dir $(INSTALLED_UNIT))
	sed 's,/usr/bin/,$(PREFIX)/bin/,' packaging/cxlmon.service > $(where)/$(INSTALLED_UNIT)
	chmod 644 $(where)/$(INSTALLED_PC) $(where)/$(INSTALLED_UNIT)

uninstall: ## remove what install put there
	rm -f $(foreach file,$(INSTALLED),$(where)/$(call word_of,2,$(file))) \
		$(foreach link,$(INSTALLED_LINKS),$(where)/$(call word_of,1,$(link))) \
		$(where)/$(INSTALLED_PC) $(where)/$(INSTALLED_UNIT)
	[ ! -d $(where)/share/cxlmon ] || rmdir $(where)/share/cxlmon

clean: ## remove everything that was built
	rm -rf build

help: ## show this help
	@sed -n 's/^\([a-z-]*\):[^#]*## /  \1\t/p' Makefile | expand -t 14

-include $(patsubst %.o,%.d,$(LIBRARY_OBJECTS) $(CLI_OBJECTS) $(UNIT_OBJECTS) \
	$(PLATFORM_OBJECTS) $(TOOL_OBJECTS) $(FUZZ_OBJECTS))
