import type { Attack, Target } from '../attack.ts'
import { head } from '../connections.ts'

const megabyte = 1_000_000
const callbackPath = '/v1/callbacks/a/b/c'
const noKey = ''
const chunked = { 'transfer-encoding': 'chunked' }
/** How the body of a create begins whose prompt is very long. */
const longPrompt = '{"model":"anything","prompt":"'

/** Sends four bodies of 1 MB in chunks of 1 byte. */
export const crumbled =
  (start: string) =>
  async ({ onEach, isOver }: Target): Promise<void> => {
    const [chunks, count] = ['1\r\nx\r\n'.repeat(10_000), 100]
    await onEach(4, async (connection) => {
      await connection.send(start)
      for (let sent = 0; sent < count && !isOver(); sent++) if (!(await connection.send(chunks))) return
      await connection.send('0\r\n\r\n')
      await connection.answer()
    })
  }

/** Sends on each of 200 connections the first `length` bytes of a body that begins so, but never the rest. */
export const stalled =
  (start: string, body: string, length: number) =>
  async ({ onEach, over, isOver }: Target): Promise<void> => {
    const bytes = body.padEnd(length, 'x')
    await onEach(200, async (connection) => {
      if (!isOver() && (await connection.send(start))) await connection.send(bytes)
    })
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
    // A bare server that answers 404 at once is blocked for 0.02 to 0.07 s (2026-11-24).
    runtimeDelayMs: { node: 70 },
    run: crumbled(head('POST', callbackPath, chunked, noKey)),
  },

  'a create with a key in chunks of 1 byte': {
    // 4 bodies of 1 MB, and the same again while a buffer is copied into a larger one.
    budgetMb: 8,
    blockedBy: {
      deno: 'Deno 2.9.5 moves all that it has read of the connection for each chunk: a bare server that reads one piece of the body and answers 503 is blocked for 0.2 to 0.9 s (2026-11-22).',
    },
    // Node 24.21 parses thousands of chunks in one turn: a bare server that reads these bodies is blocked for 0.1 s, one
    // that stops reading and answers 503 for 0.08 to 0.26 s (2026-11-24).
    runtimeDelayMs: { node: 150 },
    run: crumbled(head('POST', '/v1/generate', chunked)),
  },

  '200 bodies without a key that stand still': {
    // All clients without a key share 16 MiB.
    budgetMb: 16,
    run: stalled(
      head('POST', callbackPath, { 'content-length': megabyte }, noKey),
      longPrompt,
      0.95 * megabyte,
    ),
  },

  '200 bodies with a key that stand still': {
    // By default all bodies that are being read may hold 256 MiB together.
    budgetMb: 269,
    run: stalled(head('POST', '/v1/generate', { 'content-length': 10 * megabyte }), longPrompt, 4 * megabyte),
  },

  '200 uploads that stand still': {
    // Of 16 places this owner has 8. Nothing of an upload stays in memory.
    budgetMb: 4,
    run: stalled(
      head('POST', '/v1/uploads', { 'content-length': 10 * megabyte }),
      '\x89PNG\r\n\x1a\n',
      2 * megabyte,
    ),
  },

  '200 bodies without a length and with a key that stand still': {
    budgetMb: 269,
    blockedBy: {
      bun: 'Bun 1.4.5 reads much of each connection in one turn: a bare server that only reads these bodies is blocked for 0.07 to 0.11 s (2026-11-23).',
    },
    run: stalled(
      `${head('POST', '/v1/generate', chunked)}${(10 * megabyte).toString(16)}\r\n`,
      longPrompt,
      4 * megabyte,
    ),
  },
} satisfies Record<string, Attack>
