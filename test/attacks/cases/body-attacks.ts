import type { Attack, Target } from '../world/attack.ts'
import { head } from '../world/connections.ts'

const megabyte = 1_000_000
const callbackPath = '/v1/callbacks/a/b/c'
const noKey = ''
/** The first `bytes` bytes of the body of a create with a very long prompt. */
const longPrompt = (bytes: number) => '{"model":"anything","prompt":"'.padEnd(bytes, 'x')

/** Opens `count` connections and sends on each the first part of a body, but never the rest. */
async function stall(
  { connections, over, isOver }: Target,
  count: number,
  start: string,
  part: string,
): Promise<void> {
  const opened = await connections.openMany(count)
  const sending = opened.map(async (connection) => {
    if (!isOver() && (await connection.send(start))) await connection.send(part)
  })
  await Promise.race([Promise.all(sending), over])
  await over
}

/**
 * Attacks with bodies that are not sent completely. The server may hold about as many bytes as have arrived,
 * and only a few from clients without a key.
 */
export const bodyAttacks = {
  'a callback without a key in chunks of 1 byte': {
    // No provider of this server receives callbacks, so nothing of the body may be read.
    budgetMb: 1,
    async run({ connections, over, isOver }) {
      const [chunks, count] = ['1\r\nx\r\n'.repeat(10_000), 100]
      const opened = await connections.openMany(4)
      const sending = opened.map(async (connection) => {
        await connection.send(head('POST', callbackPath, { 'transfer-encoding': 'chunked' }, noKey))
        for (let sent = 0; sent < count && !isOver(); sent++) if (!(await connection.send(chunks))) return
        await connection.send('0\r\n\r\n')
        await connection.answer()
      })
      await Promise.race([Promise.all(sending), over])
    },
  },

  'a create with a key in chunks of 1 byte': {
    // 4 bodies of 1 MB, and the same again while a buffer is copied into a larger one.
    budgetMb: 8,
    blockedBy: {
      deno: 'Deno 2.9.5 moves all that it has read of the connection for each chunk: a bare server that reads one piece of the body and answers 503 is blocked for 0.2 to 0.9 s (2026-11-22).',
    },
    async run({ connections, over, isOver }) {
      const [chunks, count] = ['1\r\nx\r\n'.repeat(10_000), 100]
      const opened = await connections.openMany(4)
      const sending = opened.map(async (connection) => {
        await connection.send(head('POST', '/v1/generate', { 'transfer-encoding': 'chunked' }))
        for (let sent = 0; sent < count && !isOver(); sent++) if (!(await connection.send(chunks))) return
        await connection.send('0\r\n\r\n')
        await connection.answer()
      })
      await Promise.race([Promise.all(sending), over])
    },
  },

  '200 bodies without a key that stand still': {
    // All clients without a key share 16 MiB.
    budgetMb: 16,
    run: (target) =>
      stall(
        target,
        200,
        head('POST', callbackPath, { 'content-length': megabyte }, noKey),
        longPrompt(0.95 * megabyte),
      ),
  },

  '200 bodies with a key that stand still': {
    // By default all bodies that are being read may hold 256 MiB together.
    budgetMb: 269,
    exceedsOn: { bun: 'Bun 1.4.5 collects the pieces that were copied late: 400 to 440 MB (2026-11-22).' },
    run: (target) =>
      stall(
        target,
        200,
        head('POST', '/v1/generate', { 'content-length': 10 * megabyte }),
        longPrompt(4 * megabyte),
      ),
  },
} satisfies Record<string, Attack>
