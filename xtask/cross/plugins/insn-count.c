/* Counts the guest's instructions that run, in all and by symbol.

     qemu-aarch64 -plugin insn-count.so[,top=N][,sym=PREFIX] -d plugin PROGRAM

   Prints to standard error `insns total COUNT`, then for each of the N symbols with the most instructions, or for each
   whose name begins with PREFIX, `insns COUNT SYMBOL`. Symbols are known only with `-d plugin`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu-plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

enum { BUCKETS = 4096 };

struct symbol {
    struct symbol *next;
    uint64_t count;
    char name[];
};

static uint64_t total;
static uint64_t nameless;
static struct symbol *symbols[BUCKETS];
static size_t symbol_count;
static size_t top;
static const char *prefix;

/* The counter of a symbol. It stays where it is: translated code adds to it. */
static uint64_t *counter(const char *name)
{
    if (name == NULL || *name == '\0')
        return &nameless;
    unsigned hash = 5381;
    for (const char *p = name; *p != '\0'; p++)
        hash = hash * 33 + (unsigned char)*p;
    struct symbol **bucket = &symbols[hash % BUCKETS];
    for (struct symbol *s = *bucket; s != NULL; s = s->next)
        if (strcmp(s->name, name) == 0)
            return &s->count;
    struct symbol *s = calloc(1, sizeof *s + strlen(name) + 1);
    if (s == NULL)
        abort();
    strcpy(s->name, name);
    s->next = *bucket;
    *bucket = s;
    symbol_count++;
    return &s->count;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &total, 1);
        if (top != 0 || prefix != NULL)
            qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64,
                                                       counter(qemu_plugin_insn_symbol(insn)), 1);
    }
}

static int by_count(const void *a, const void *b)
{
    uint64_t x = (*(struct symbol *const *)a)->count, y = (*(struct symbol *const *)b)->count;
    return (x < y) - (x > y);
}

static void finished(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    fprintf(stderr, "insns total %" PRIu64 "\n", total);
    if (top == 0 && prefix == NULL)
        return;
    struct symbol **all = calloc(symbol_count + 1, sizeof *all);
    if (all == NULL)
        abort();
    size_t count = 0;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct symbol *s = symbols[i]; s != NULL; s = s->next)
            all[count++] = s;
    qsort(all, count, sizeof *all, by_count);
    for (size_t i = 0; i < count; i++)
        if (prefix != NULL ? strncmp(all[i]->name, prefix, strlen(prefix)) == 0 : i < top)
            fprintf(stderr, "insns %" PRIu64 " %s\n", all[i]->count, all[i]->name);
    fprintf(stderr, "insns %" PRIu64 " (no symbol)\n", nameless);
    free(all);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "top=", 4) == 0)
            top = strtoul(argv[i] + 4, NULL, 10);
        else if (strncmp(argv[i], "sym=", 4) == 0)
            prefix = strdup(argv[i] + 4);
        else
            return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
