import type { Attack, Target } from '../world/attack.ts'
import { head } from '../world/connections.ts'

const megabyte = 1_000_000
const callbackPath = '/v1/callbacks/a/b/c'
const noKey = ''
/** The beginning of a create that goes on for as long as one likes. */
const longPrompt = (bytes: number) => '{"model":"anything","prompt":"'.padEnd(bytes, 'x')

/** Opens that many connections, sends each the first part of a body, and leaves the rest out. */
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

/** Bodies as they are sent: what is held must be of the size of what came, and little of it without a key. */
export const bodyAttacks = {
  'a callback without a key in chunks of 1 byte': {
    // No provider here takes callbacks: none of the body is to be read.
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
    // 4 bodies of 1 MB, twice over while one buffer grows into the next.
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
    // Those without a key share a small part of what all bodies may take.
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
    // What all bodies that are being read may take together is 256 MiB by default.
    budgetMb: 269,
    run: (target) =>
      stall(
        target,
        200,
        head('POST', '/v1/generate', { 'content-length': 10 * megabyte }),
        longPrompt(4 * megabyte),
      ),
  },
} satisfies Record<string, Attack>
