import { expect, test, vi } from 'vitest'
import type { OwnerLimits } from '@genmount/core'
import { startProcess } from '../backend-sqlite/started-process.ts'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'

const stores = [
  ['SQLite', async () => temporaryFile()],
  ['Postgres', databaseOfFile],
] as const

/** Starts services over one store, each in a process of its own. */
function processesOn(database: string, limits: OwnerLimits) {
  return async () => {
    const script = '../../limits/processes/limited-service.ts'
    const started = startProcess(script, [JSON.stringify({ database, limits })])
    expect(await started.line()).toBe('ready')
    return async (owner: string, delayMs = 0): Promise<string> => {
      started.child.stdin?.write(`${owner} ${delayMs}\n`)
      return started.line()
    }
  }
}

const wait = { timeout: 15_000, interval: 200 }
const aJob = expect.stringMatching(/^gen_/)

test.each(stores)(
  'what two processes spend counts together, and for a third one too: %s',
  async (_name, open) => {
    const start = processesOn(await open(), { spendUsdPerDay: 0.8 })
    const [createAtA, createAtB] = [await start(), await start()]
    expect([await createAtA('alice'), await createAtB('alice')]).toEqual([aJob, aJob])
    const createAtC = await start()
    const creates = [createAtA, createAtB, createAtC]
    // Until both jobs have ended and the processes have read so, some creates may still be accepted.
    for (const create of creates)
      await vi.waitFor(async () => expect(await create('alice')).toBe('insufficient_quota'), wait)
    for (const create of creates) expect(await create('alice')).toBe('insufficient_quota')
    expect(await createAtA('bob')).toEqual(aJob)
  },
)
