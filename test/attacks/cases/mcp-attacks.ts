import type { Attack } from '../attack.ts'
import { head } from '../connections.ts'
import { crumbled, stalled } from './body-attacks.ts'
import { filledWith, sentAgain } from './json-attacks.ts'

/** A little less than the 4 MiB that the endpoint takes, in bytes. */
const largest = 4_190_000
const accept = 'application/json, text/event-stream'
const begun = (fields: Readonly<Record<string, string | number>>) =>
  head('POST', '/mcp', { accept, ...fields })
const complete = (body: string) => begun({ 'content-length': Buffer.byteLength(body) }) + body
const callStart =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"generate_video","arguments":{'

/** Attacks on the endpoint for agents by an owner with a valid key. */
export const mcpAttacks = {
  'an MCP message in chunks of 1 byte': {
    // As of a create: 4 bodies of 1 MB, and the same again while a buffer is copied into a larger one.
    budgetMb: 8,
    blockedBy: { deno: 'As of a create in chunks of 1 byte.' },
    // As of a create in chunks of 1 byte.
    runtimeDelayMs: { node: 150 },
    run: crumbled(begun({ 'transfer-encoding': 'chunked' })),
  },

  '200 MCP messages that stand still': {
    // All messages that are being read may hold 64 MiB together.
    budgetMb: 67,
    run: stalled(begun({ 'content-length': largest }), `${callStart}"prompt":"`, largest - 1000),
  },

  'wide JSON in an MCP message: 1.3 million objects in 3.9 MB': {
    // As bytes, as text and as one more copy of the text, three times.
    budgetMb: 36,
    run: sentAgain(() => `${callStart}"a":[0${filledWith(',{}', 3_900_000)}]}}}`, 3, complete),
  },

  'deep JSON in an MCP message: 3.9 million brackets': {
    budgetMb: 36,
    run: sentAgain(() => `${callStart}"a":${filledWith('[', 3_900_000)}`, 3, complete),
  },

  '1,000 MCP calls that wait': {
    // 20 MB for the calls on Node, and the garbage of 1,000 exchanges, which runtimes collect late when they have the memory:
    // 40 to 133 MB were measured beyond what any load takes (2026-11-26).
    budgetMb: 150,
    writesMb: 200,
    forMs: 4000,
    async run({ onEach, over, isOver }) {
      const request = complete(`${callStart}"model":"anything","prompt":"a kite","delay_ms":60000}}}`)
      await onEach(1000, async (connection) => {
        if (!isOver() && (await connection.send(request))) await connection.answer()
      })
      await over
    },
  },
} satisfies Record<string, Attack>
