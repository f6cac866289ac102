import type { Attack } from '../world/attack.ts'
import { head } from '../world/connections.ts'

/** Attacks by clients without a valid key. */
export const keyAttacks = {
  '10,000 wrong tokens for a server with 100,000 keys': {
    // The server keeps nothing of a wrong token.
    budgetMb: 1,
    settings: { moreKeys: 100_000 },
    async run({ connections, over, isOver }) {
      const opened = await connections.openMany(20)
      const asking = opened.map(async (connection, line) => {
        for (let guess = 0; guess < 500 && !isOver(); guess++) {
          if (!(await connection.send(head('GET', '/v1/jobs/any', {}, `guess-${line}-${guess}`)))) return
          if ((await connection.answer()) === '') return
        }
      })
      await Promise.race([Promise.all(asking), over])
    },
  },

  '300 connections that never end their headers': {
    // 300 times the 16 KiB of headers that Node accepts, and as much again for the connections.
    budgetMb: 10,
    async run({ connections, over, isOver }) {
      const opened = await connections.openMany(300)
      const field = (index: number) => `x-${index}: ${'y'.repeat(100)}\r\n`
      const sending = opened.map(async (connection) => {
        await connection.send(`GET /v1/jobs/any HTTP/1.1\r\nhost: localhost\r\n`)
        for (let index = 0; index < 1000 && !isOver(); index++)
          if (!(await connection.send(field(index)))) return
      })
      await Promise.race([Promise.all(sending), over])
      await over
    },
  },
} satisfies Record<string, Attack>
