import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Attack } from './attack.ts'
import { attackedProcess } from './attacked-process.ts'
import { attacks } from './cases/attacks.ts'
import { keyOf } from './connections.ts'

const all: readonly Attack[] = Object.values(attacks)
const settings = Object.assign({}, ...all.map((attack) => attack.settings)) as Attack['settings']
const attackersAtATime = 2
/** The honest client opens fewer by turns. */
const honestConnections = 10
const seconds = Number(process.env['ATTACK_SECONDS'] ?? 30)
/** How long the server gets before the attacks to collect garbage, in milliseconds. */
const restMs = 5000
/**
 * How long the server gets after the attacks to close connections, in milliseconds. The kernel keeps a connection that a
 * client has closed until the server has read what the client had sent, of which there can be 20 MB on each.
 */
const closingMs = 60_000
const headers = { authorization: `Bearer ${keyOf('honest')}` }

// No time is measured here, so the three servers can be attacked at once.
test.concurrent.each(['node', 'bun', 'deno'] as const)(
  'a server on %s that two attackers attack in all ways loses no job of an honest client and keeps no connection of the attackers open',
  { timeout: seconds * 2000 + 600_000 },
  async (runtime) => {
    const { origin, report, attackWith, reset, figures, end } = await attackedProcess(runtime, settings)
    try {
      await delay(restMs)
      const before = await reset()
      const endsAt = performance.now() + seconds * 1000
      const attackFrom = async (offset: number) => {
        for (let turn = offset; performance.now() < endsAt; turn++) {
          const closeAll = await attackWith(all[turn % all.length]!)
          closeAll()
        }
      }
      const offsets = Array.from({ length: attackersAtATime }, (_, attacker) =>
        Math.floor((attacker * all.length) / attackersAtATime),
      )
      await Promise.all(offsets.map(attackFrom))
      const { jobIds } = await report()
      const haveClosed = (connections: number) => connections < before.connections + honestConnections
      const giveUpAt = performance.now() + closingMs
      let after = await figures()
      while (!haveClosed(after.connections) && performance.now() < giveUpAt) {
        await delay(1000)
        after = await figures()
      }
      console.log(`${runtime}: ${jobIds.length} honest jobs, ${JSON.stringify({ before, after })}`)
      expect(jobIds.length).toBeGreaterThan(0)
      for (const id of jobIds) {
        const response = await fetch(`${origin}/v1/jobs/${id}`, { headers })
        expect([response.status, await response.json()]).toMatchObject([200, { status: 'completed' }])
      }
      expect(after.connections).toBeLessThan(before.connections + honestConnections)
    } finally {
      await end()
    }
  },
)
