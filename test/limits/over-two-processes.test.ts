import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { OwnerLimits } from '@genmount/core'
import { fakeFile } from '@genmount/testing'
import { startProcess } from '../backend-sqlite/started-process.ts'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'

const stores = [
  ['SQLite', async () => temporaryFile()],
  ['Postgres', databaseOfFile],
] as const

/** Starts services over one store, each in a process of its own. */
function processesOn(database: string, limits: OwnerLimits, folder?: string) {
  return async () => {
    const script = '../../limits/processes/limited-service.ts'
    const started = startProcess(script, [JSON.stringify({ database, limits, folder })])
    expect(await started.line()).toBe('ready')
    const tell = (line: string): Promise<string> => {
      started.child.stdin?.write(`${line}\n`)
      return started.line()
    }
    const create = (owner: string, delayMs = 0, count = 1) => tell(`${owner} ${delayMs} ${count}`)
    return Object.assign(create, {
      delete: (id: string, owner: string) => tell(`delete ${owner} ${id}`),
      upload: (owner: string, bytes: number, announced = 'announced') =>
        tell(`upload ${owner} ${bytes} ${announced}`),
      remove: (id: string, owner: string) => tell(`remove ${owner} ${id}`),
    })
  }
}

const wait = { timeout: 60_000, interval: 200 }
/** A process learns within 10 seconds what others have stored. */
const patient = { timeout: 90_000, interval: 200 }
const aJob = expect.stringMatching(/^gen_/)

test.each(stores)(
  'what two processes spend counts together, and for a third one too: %s',
  async (_name, open) => {
    const start = processesOn(await open(), { spendUsdPerDay: 0.8 })
    const [createAtA, createAtB] = [await start(), await start()]
    expect([await createAtA('alice'), await createAtB('alice')]).toEqual([aJob, aJob])
    const createAtC = await start()
    const creates = [createAtA, createAtB, createAtC]
    // Some creates may still be accepted until both jobs have ended and each process has read their costs.
    for (const create of creates)
      await vi.waitFor(async () => expect(await create('alice')).toBe('insufficient_quota'), wait)
    for (const create of creates) expect(await create('alice')).toBe('insufficient_quota')
    expect(await createAtA('bob')).toEqual(aJob)
  },
)

test.each(stores)(
  'the unfinished jobs of two processes count together, and for a third one too: %s',
  async (_name, open) => {
    const start = processesOn(await open(), { runningJobs: 10 })
    const [createAtA, createAtB] = [await start(), await start()]
    const many = (await createAtA('alice', 600_000, 100)).split(' ')
    expect(many.toSorted()).toEqual([...Array(10).fill(aJob), ...Array(90).fill('too_many_running_jobs')])
    expect(await createAtB('alice')).toBe('too_many_running_jobs')
    const createAtC = await start()
    expect(await createAtC('alice')).toBe('too_many_running_jobs')
    // Jobs that are over give their places back in every process at once.
    const turns = [createAtB, createAtC, createAtA]
    for (let turn = 0; turn < 9; turn++) expect(await turns[turn % 3]!('bob', 600_000)).toEqual(aJob)
    const short = await createAtB('bob', 500)
    expect(short).toEqual(aJob)
    expect(await createAtC('bob')).toBe('too_many_running_jobs')
    await vi.waitFor(async () => expect(await createAtC('bob', 600_000)).toEqual(aJob), wait)
    for (const create of turns) expect(await create('bob')).toBe('too_many_running_jobs')
  },
)

test.each(stores)(
  'two processes that create at the same instant pass the limit by what is under way, and stay above it no longer: %s',
  async (_name, open) => {
    const start = processesOn(await open(), { runningJobs: 10 })
    const creates = [await start(), await start()]
    const answers = await Promise.all(creates.map((create) => create('alice', 600_000, 50)))
    const made = answers
      .join(' ')
      .split(' ')
      .filter((answer) => answer.startsWith('gen_'))
    expect(made.length).toBeGreaterThanOrEqual(10)
    expect(made.length).toBeLessThanOrEqual(20)
    for (const create of creates) expect(await create('alice')).toBe('too_many_running_jobs')
  },
)

test.each(stores)(
  'what two processes store counts together, and a job that one deletes is free for both: %s',
  async (_name, open) => {
    const start = processesOn(await open(), { storedBytes: 2 * fakeFile('image').bytes.byteLength })
    const [createAtA, createAtB] = [await start(), await start()]
    const [first, second] = [await createAtA('alice'), await createAtB('alice')]
    expect([first, second]).toEqual([aJob, aJob])
    const createAtC = await start()
    const creates = [createAtA, createAtB, createAtC]
    // Some creates may still be accepted until both jobs have ended and each process has read their costs.
    const more: string[] = []
    for (const create of creates)
      await vi.waitFor(async () => {
        const answer = await create('alice')
        if (answer !== 'insufficient_quota') more.push(answer)
        expect(answer).toBe('insufficient_quota')
      }, patient)
    for (const create of creates) expect(await create('alice')).toBe('insufficient_quota')
    expect(await createAtA('bob')).toEqual(aJob)
    for (const id of [first, ...more])
      await vi.waitFor(async () => expect(await createAtB.delete(id, 'alice')).toBe('deleted'), wait)
    expect(await createAtB('alice')).toEqual(aJob)
    await vi.waitFor(async () => expect(await createAtB('alice')).toBe('insufficient_quota'), patient)
  },
)

test.each(stores)(
  'what an owner uploads to two processes counts together at once, and is free for both once it is deleted: %s',
  async (_name, open) => {
    const mebibyte = 2 ** 20
    const folder = join(temporaryFile(), '..', 'files')
    const start = processesOn(await open(), { storedBytes: 10 * mebibyte }, folder)
    const [a, b] = [await start(), await start()]
    const anUpload = expect.stringMatching(/^up_/)
    const first = await a.upload('alice', 6 * mebibyte)
    expect(first).toEqual(anUpload)
    expect(await b.upload('alice', 6 * mebibyte)).toBe('insufficient_quota')
    expect(await b.upload('alice', 6 * mebibyte, 'streamed')).toBe('insufficient_quota')
    // The refused upload takes none of the allowed bytes.
    const second = await b.upload('alice', 4 * mebibyte, 'streamed')
    expect(second).toEqual(anUpload)
    for (const process of [a, b]) {
      expect(await process.upload('alice', 100)).toBe('insufficient_quota')
      expect(await process.upload('bob', mebibyte)).toEqual(anUpload)
    }
    for (const process of [a, b])
      await vi.waitFor(async () => expect(await process('alice')).toBe('insufficient_quota'), patient)
    const third = await start()
    expect(await third('alice')).toBe('insufficient_quota')
    expect(await b.remove(first, 'alice')).toBe('removed')
    expect(await a.upload('alice', 6 * mebibyte, 'streamed')).toEqual(anUpload)
    expect(await third.upload('alice', 100)).toBe('insufficient_quota')
    // Uploads that two processes take at the same instant never pass the limit together.
    expect(await a.remove(second, 'alice')).toBe('removed')
    const both = await Promise.all([a, b].map((process) => process.upload('alice', 4 * mebibyte)))
    expect(both.filter((answer) => answer.startsWith('up_')).length).toBeLessThanOrEqual(1)
    expect(both).toContain('insufficient_quota')
  },
)
