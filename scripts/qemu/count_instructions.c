/* A plugin for qemu-user 7.2 that counts executed instructions; for count_instructions.py.

   The program that runs says when: each getpgid(PID) with a PID from 0x5EED0000 on writes the
   counts so far, with the PID's lower 16 bits as the number of the mark. No process has such a
   PID, so nothing else happens. A line of the log is

       mark NUMBER ALL VECTOR MEMORY DOT

   all instructions, those on floats and vectors, loads and stores, and sums of products of four.

   cc -shared -fPIC -O2 -o count_instructions.so count_instructions.c
   qemu-aarch64 -cpu cortex-a72 -plugin ./count_instructions.so -d plugin -D LOG PROGRAM
*/
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What is needed of qemu-plugin.h, version 1, which Debian's qemu-user comes without. */
typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
#define EXPORT __attribute__((visibility("default")))
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t idx);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, enum qemu_plugin_op op,
                                              void *ptr, uint64_t imm);
void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_syscall_cb(
    qemu_plugin_id_t id,
    void (*cb)(qemu_plugin_id_t id, unsigned int vcpu, int64_t num, uint64_t a1, uint64_t a2,
               uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8));
void qemu_plugin_outs(const char *string);

EXPORT int qemu_plugin_version = 1;

#define GETPGID 155 /* on aarch64 */
#define FIRST_MARK 0x5EED0000u

enum { ALL, VECTOR, MEMORY, DOT, KINDS };
static uint64_t counts[KINDS];

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    uint64_t here[KINDS] = {0};
    size_t n = qemu_plugin_tb_n_insns(tb);
    for (size_t i = 0; i < n; i++) {
        uint32_t word;
        memcpy(&word, qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, i)), 4);
        uint32_t group = word >> 25 & 15;
        here[ALL]++;
        here[VECTOR] += (group & 7) == 7;  /* floating point and vectors */
        here[MEMORY] += (group & 5) == 4;  /* loads and stores */
        /* SDOT, UDOT: vector and by element */
        here[DOT] += (word & 0x9fe0fc00) == 0x0e809400 || (word & 0x9fc0f400) == 0x0f80e000;
    }
    for (int k = 0; k < KINDS; k++)
        if (here[k])
            qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &counts[k],
                                                     here[k]);
    (void)id;
}

static void called(qemu_plugin_id_t id, unsigned int vcpu, int64_t num, uint64_t a1, uint64_t a2,
                   uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    uint32_t mark = (uint32_t)a1;
    if (num == GETPGID && mark >> 16 == FIRST_MARK >> 16) {
        char line[160];
        snprintf(line, sizeof line,
                 "mark %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                 mark & 0xffff, counts[ALL], counts[VECTOR], counts[MEMORY], counts[DOT]);
        qemu_plugin_outs(line);
    }
    (void)id, (void)vcpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    (void)info, (void)argc, (void)argv;
    return 0;
}
