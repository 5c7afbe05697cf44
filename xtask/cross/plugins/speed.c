/* Looks at what a guest executes between marks.

     qemu-aarch64 -plugin speed.so,count=FILE[,trace=FILE] -d plugin PROGRAM

   The guest calls speed_mark: the first call begins a window, the next one ends it, and so on. At a window's end the
   number of its instructions is written into the first file, which the guest may read. Into the second file goes the
   address of each of them, as eight bytes in the machine's order; each window's end is a zero. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu-plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

static const char mark[] = "speed_mark";
static uint64_t mark_address;

static uint64_t total, begin;
static bool in_window;
static FILE *count_file, *trace_file;

static void put(uint64_t address)
{
    if (fwrite(&address, sizeof address, 1, trace_file) != 1) {
        fputs("speed: cannot write the trace\n", stderr);
        exit(1);
    }
}

static void marked(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    in_window = !in_window;
    if (in_window) {
        begin = total;
        return;
    }
    rewind(count_file);
    if (fprintf(count_file, "%20" PRIu64 "\n", total - begin) < 0 || fflush(count_file) != 0) {
        fputs("speed: cannot write the count\n", stderr);
        exit(1);
    }
    if (trace_file != NULL) {
        put(0);
        fflush(trace_file);
    }
}

static void executed(unsigned cpu, void *data)
{
    (void)cpu;
    if (in_window)
        put((uintptr_t)data);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        const char *symbol = qemu_plugin_insn_symbol(insn);
        /* The first instruction of a function is the first of its instructions to be translated. */
        if (mark_address == 0 && symbol != NULL && strcmp(symbol, mark) == 0)
            mark_address = address;
        if (address == mark_address)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, marked, QEMU_PLUGIN_CB_NO_REGS, NULL);
        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &total, 1);
        if (trace_file != NULL)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)address);
    }
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        FILE **file = strncmp(argv[i], "count=", 6) == 0 ? &count_file
                    : strncmp(argv[i], "trace=", 6) == 0 ? &trace_file
                                                          : NULL;
        if (file == NULL || (*file = fopen(argv[i] + 6, "wb")) == NULL) {
            fprintf(stderr, "speed: cannot take the argument %s\n", argv[i]);
            return -1;
        }
    }
    if (count_file == NULL) {
        fputs("speed: count=FILE is missing\n", stderr);
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
