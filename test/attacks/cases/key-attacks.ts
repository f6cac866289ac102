import type { Attack } from '../attack.ts'
import { head } from '../connections.ts'

/** Attacks by clients without a valid key. */
export const keyAttacks = {
  '10,000 wrong tokens for a server with 100,000 keys': {
    // The server keeps nothing of a wrong token.
    budgetMb: 1,
    settings: { moreKeys: 100_000 },
    run({ onEach, isOver }) {
      return onEach(20, async (connection, line) => {
        for (let guess = 0; guess < 500 && !isOver(); guess++) {
          if (!(await connection.send(head('GET', '/v1/jobs/any', {}, `guess-${line}-${guess}`)))) return
          if ((await connection.answer()) === '') return
        }
      })
    },
  },

  '300 connections that never end their headers': {
    // 300 times the 16 KiB of headers that Node accepts, and as much again for the connections.
    budgetMb: 10,
    async run({ onEach, over, isOver }) {
      const field = (index: number) => `x-${index}: ${'y'.repeat(100)}\r\n`
      await onEach(300, async (connection) => {
        await connection.send(`GET /v1/jobs/any HTTP/1.1\r\nhost: localhost\r\n`)
        for (let index = 0; index < 1000 && !isOver(); index++)
          if (!(await connection.send(field(index)))) return
      })
      await over
    },
  },
} satisfies Record<string, Attack>
