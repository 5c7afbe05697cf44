/* Compares what a guest executes and touches in runs with different secrets.

     qemu-aarch64 -plugin ct-trace.so,vartime=NAME -d plugin PROGRAM

   The guest calls functions of these names, whose bodies do not matter:

     ct_trace_operation   an operation begins: the next window is kept, the ones after it are compared with it
     ct_trace_begin       a window begins
     ct_trace_end         it ends
     ct_trace_rest        the operation ends: windows are ignored until the next one begins

   In a window, the address of each instruction that runs must be the same, or a branch depends on a secret; and so must
   the address of each load and store, or an index does. What a function does, and what it calls, is left out if its
   name, as a part of a path, was given as `vartime`.

   One line for each window goes to standard error; ADDRESS is that of the first instruction that is to blame, BEGIN that
   of ct_trace_begin, which tells where the program lies:

     ct-trace: same insns=COUNT accesses=COUNT vartime=COUNT
     ct-trace: differs KIND address=ADDRESS begin=BEGIN symbol=NAME */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu-plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

enum role { ORDINARY, OPERATION, BEGIN, END, REST, VARTIME };

/* An instruction of the guest. */
struct insn {
    uint64_t address, next;
    const char *symbol;
    enum role role;
};

/* Addresses in the order that they were met in. */
struct list {
    uint64_t *items;
    size_t count, room;
};

static const char *const marks[] = {
    [OPERATION] = "ct_trace_operation", [BEGIN] = "ct_trace_begin", [END] = "ct_trace_end", [REST] = "ct_trace_rest"};
static uint64_t mark_address[VARTIME];

/* Names to leave out, with their lengths in front, as mangled names have them. */
static char vartime_names[8][80];
static size_t vartime_count;

static struct list insns, accesses;
static size_t insn_index, access_index;
static bool in_operation, keeping, in_window, differs;
/* Inside a function that is left out, until this address is reached. */
static bool left_out;
static uint64_t return_address;
static unsigned left_out_count;
static const struct insn *last;

static void keep(struct list *list, uint64_t item)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1 << 16;
        list->items = realloc(list->items, list->room * sizeof *list->items);
        if (list->items == NULL) {
            fputs("ct-trace: out of memory\n", stderr);
            abort();
        }
    }
    list->items[list->count++] = item;
}

static void blame(const char *kind)
{
    differs = true;
    fprintf(stderr, "ct-trace: differs %s address=%#" PRIx64 " begin=%#" PRIx64 " symbol=%s\n", kind,
            last ? last->address : 0, mark_address[BEGIN], last && last->symbol ? last->symbol : "?");
}

/* Keeps an address, or compares it with the one that was kept. */
static bool agrees(struct list *list, size_t *index, uint64_t item)
{
    if (keeping) {
        keep(list, item);
        return true;
    }
    size_t i = (*index)++;
    return i < list->count && list->items[i] == item;
}

static void begin_window(void)
{
    in_window = in_operation;
    insn_index = access_index = 0;
    if (keeping)
        insns.count = accesses.count = 0;
    differs = left_out = false;
    left_out_count = 0;
    last = NULL;
}

static void end_window(void)
{
    if (!in_window)
        return;
    in_window = false;
    if (!differs && left_out)
        blame("return"); /* It was jumped to, not called. */
    if (!differs && !keeping && insn_index != insns.count)
        blame("branch");
    if (!differs && !keeping && access_index != accesses.count)
        blame("access");
    if (!differs)
        fprintf(stderr, "ct-trace: same insns=%zu accesses=%zu vartime=%u\n", insns.count, accesses.count,
                left_out_count);
    keeping = false;
}

static void executed(unsigned cpu, void *data)
{
    (void)cpu;
    const struct insn *insn = data;
    switch (insn->role) {
    case OPERATION: in_operation = keeping = true; return;
    case REST: in_operation = false; return;
    case BEGIN: begin_window(); return;
    case END: end_window(); return;
    default: break;
    }
    if (!in_window || differs)
        return;
    if (left_out) {
        if (insn->address != return_address)
            return;
        left_out = false;
    }
    if (!agrees(&insns, &insn_index, insn->address)) {
        blame("branch");
        return;
    }
    if (insn->role == VARTIME && last != NULL) {
        left_out = true;
        left_out_count++;
        return_address = last->next;
        return;
    }
    last = insn;
}

static void accessed(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)info;
    (void)data;
    if (in_window && !differs && !left_out && !agrees(&accesses, &access_index, address))
        blame("address");
}

/* The first instruction of a function is the first of its instructions to be translated. Of two copies of a function,
   made of one generic, the symbols differ. */
static enum role role_of(uint64_t address, const char *symbol)
{
    static struct {
        const char *symbol;
        uint64_t address;
    } entries[64];
    static size_t entry_count;

    if (symbol == NULL)
        return ORDINARY;
    for (enum role role = OPERATION; role <= REST; role++) {
        if (strcmp(symbol, marks[role]) != 0)
            continue;
        if (mark_address[role] == 0)
            mark_address[role] = address;
        return mark_address[role] == address ? role : ORDINARY;
    }
    for (size_t i = 0; i < entry_count; i++)
        if (strcmp(entries[i].symbol, symbol) == 0)
            return entries[i].address == address ? VARTIME : ORDINARY;
    for (size_t i = 0; i < vartime_count && entry_count < 64; i++)
        if (strstr(symbol, vartime_names[i]) != NULL) {
            entries[entry_count].symbol = symbol;
            entries[entry_count++].address = address;
            return VARTIME;
        }
    return ORDINARY;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; i++) {
        struct qemu_plugin_insn *from = qemu_plugin_tb_get_insn(block, i);
        struct insn *insn = malloc(sizeof *insn); /* as long as the program runs */
        if (insn == NULL)
            abort();
        insn->address = qemu_plugin_insn_vaddr(from);
        insn->next = insn->address + qemu_plugin_insn_size(from);
        insn->symbol = qemu_plugin_insn_symbol(from);
        insn->role = role_of(insn->address, insn->symbol);
        qemu_plugin_register_vcpu_insn_exec_cb(from, executed, QEMU_PLUGIN_CB_NO_REGS, insn);
        qemu_plugin_register_vcpu_mem_cb(from, accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
    }
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        const char *name = argv[i] + strlen("vartime=");
        if (strncmp(argv[i], "vartime=", strlen("vartime=")) != 0 || vartime_count == 8 || strlen(name) > 70) {
            fprintf(stderr, "ct-trace: cannot take the argument %s\n", argv[i]);
            return -1;
        }
        snprintf(vartime_names[vartime_count++], sizeof vartime_names[0], "%zu%s", strlen(name), name);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
