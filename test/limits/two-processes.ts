import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeFile } from '@genmount/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { type LimitedProcess, startLimitedProcess } from './start-limited-process.ts'

const wait = { timeout: 60_000, interval: 200 }
/** A process learns within 10 seconds what others have stored. */
const patient = { timeout: 90_000, interval: 200 }
const mebibyte = 2 ** 20
const aJob = expect.stringMatching(/^gen_/)
const anUpload = expect.stringMatching(/^up_/)

/** What each owner may have. The owners of one test are nobody else's, so all tests share the processes. */
const limits = {
  spender: { spendUsdPerDay: 0.8 },
  'film-maker': { spendUsdPerDay: 5 },
  'film-maker of a month': { spendUsdPerDay: 50, spendUsdPerMonth: 5 },
  worker: { runningJobs: 10 },
  'second-worker': { runningJobs: 10 },
  'third-worker': { runningJobs: 10 },
  'fourth-worker': { runningJobs: 10 },
  keeper: { storedBytes: 2 * fakeFile('image').bytes.byteLength },
  uploader: { storedBytes: 10 * mebibyte },
}

/** Declares the tests of the limits of two and three processes over one store. */
export function testTwoProcesses(store: 'SQLite' | 'Postgres'): void {
  describe.concurrent(`${store} under two processes`, () => {
    let folder: string
    const started: LimitedProcess[] = []
    let start: () => Promise<LimitedProcess>
    let a: LimitedProcess
    let b: LimitedProcess

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'genmount-limits-'))
      const database = store === 'SQLite' ? join(folder, 'jobs.db') : await databaseOfFile()
      start = async () => {
        const limited = await startLimitedProcess({ database, limits, folder: join(folder, 'files') })
        started.push(limited)
        return limited
      }
      // The first one makes the tables.
      a = await start()
      b = await start()
    })
    afterAll(async () => {
      await Promise.all(started.map(({ kill }) => kill()))
      rmSync(folder, { recursive: true, force: true })
    })

    test('what two processes spend for an owner counts together, and in a third process too', async () => {
      expect([await a.create('spender'), await b.create('spender')]).toEqual([aJob, aJob])
      const processes = [a, b, await start()]
      // Some creates may still be accepted until both jobs have ended and each process has read their costs.
      for (const { create } of processes)
        await vi.waitFor(async () => expect(await create('spender')).toBe('insufficient_quota'), wait)
      for (const { create } of processes) expect(await create('spender')).toBe('insufficient_quota')
      expect(await a.create('bob')).toEqual(aJob)
    })

    test.each([
      ['day', 1200, 'film-maker'],
      ['month', 120, 'film-maker of a month'],
    ])(
      'of creates at once with a price of 3 US dollars, a limit of 5 for a %s accepts exactly one over all processes: %i creates',
      async (_span, creates, owner) => {
        const processes = store === 'SQLite' ? [a, b] : [a, b, await start()]
        const each = creates / processes.length
        const answers = await Promise.all(
          processes.map(({ create }) => create(owner, 600_000, each, 'fake-video')),
        )
        const codes = answers.flatMap((answer) => answer.split(' '))
        expect(codes).toHaveLength(creates)
        expect(codes.filter((code) => code.startsWith('gen_'))).toHaveLength(1)
        // A database that is busy for too long refuses a create too, and stores nothing.
        const refusals = new Set(
          codes.filter((code) => !code.startsWith('gen_') && code !== 'store_unavailable'),
        )
        expect(refusals).toEqual(new Set(['insufficient_quota']))
      },
    )

    test('the unfinished jobs of an owner in two processes count together, and in a third process too', async () => {
      const many = (await a.create('worker', 600_000, 100)).split(' ')
      expect(many.toSorted()).toEqual([...Array(10).fill(aJob), ...Array(90).fill('too_many_running_jobs')])
      expect(await b.create('worker')).toBe('too_many_running_jobs')
      const c = await start()
      expect(await c.create('worker')).toBe('too_many_running_jobs')
      // Jobs that are over give their places back in every process at once.
      const turns = [b, c, a]
      const from = performance.now()
      for (let turn = 0; turn < 9; turn++)
        expect(await turns[turn % 3]!.create('second-worker', 600_000)).toEqual(aJob)
      // It runs long enough for the next create to find it unfinished, also on a machine that was as slow with nine of them.
      const short = await b.create('second-worker', 2000 + 3 * (performance.now() - from))
      expect(short).toEqual(aJob)
      expect(await c.create('second-worker')).toBe('too_many_running_jobs')
      await vi.waitFor(async () => expect(await c.create('second-worker', 600_000)).toEqual(aJob), wait)
      for (const { create } of turns) expect(await create('second-worker')).toBe('too_many_running_jobs')
    })

    test('two processes that create jobs at the same instant never pass the limit together, nor does one that has just started', async () => {
      for (const owner of ['third-worker', 'fourth-worker']) {
        // The second time, a process takes part whose creates are its first calls to the store.
        const processes = owner === 'third-worker' ? [a, b] : [a, b, await start()]
        const answers = await Promise.all(processes.map(({ create }) => create(owner, 600_000, 50)))
        const codes = answers.flatMap((answer) => answer.split(' '))
        expect(codes.filter((code) => code.startsWith('gen_'))).toHaveLength(10)
        expect(new Set(codes.filter((code) => !code.startsWith('gen_')))).toEqual(
          new Set(['too_many_running_jobs']),
        )
        for (const { create } of processes) expect(await create(owner)).toBe('too_many_running_jobs')
      }
    })

    test('what two processes store for an owner counts together, and a job that one deletes gives its bytes back in both', async () => {
      const [first, second] = [await a.create('keeper'), await b.create('keeper')]
      expect([first, second]).toEqual([aJob, aJob])
      const processes = [a, b, await start()]
      // Some creates may still be accepted until both jobs have ended and each process has read their sizes.
      const more: string[] = []
      for (const { create } of processes)
        await vi.waitFor(async () => {
          const answer = await create('keeper')
          if (answer.startsWith('gen_')) more.push(answer)
          expect(answer).toBe('insufficient_quota')
        }, patient)
      for (const { create } of processes) expect(await create('keeper')).toBe('insufficient_quota')
      expect(await a.create('bob')).toEqual(aJob)
      for (const id of [first, ...more])
        // A job that is not found was deleted by an earlier try, whose answer came too late.
        await vi.waitFor(
          async () => expect(await b.deleteJob(id, 'keeper')).toMatch(/^(deleted|job_not_found)$/),
          patient,
        )
      expect(await b.create('keeper')).toEqual(aJob)
      await vi.waitFor(async () => expect(await b.create('keeper')).toBe('insufficient_quota'), patient)
    })

    test('what an owner uploads to two processes counts together at once, and counts in neither once it is deleted', async () => {
      const first = await a.upload('uploader', 6 * mebibyte)
      expect(first).toEqual(anUpload)
      expect(await b.upload('uploader', 6 * mebibyte)).toBe('insufficient_quota')
      expect(await b.upload('uploader', 6 * mebibyte, 'streamed')).toBe('insufficient_quota')
      // The refused upload takes none of the allowed bytes.
      const second = await b.upload('uploader', 4 * mebibyte, 'streamed')
      expect(second).toEqual(anUpload)
      for (const { upload } of [a, b]) {
        expect(await upload('uploader', 100)).toBe('insufficient_quota')
        expect(await upload('bob', mebibyte)).toEqual(anUpload)
      }
      for (const { create } of [a, b])
        await vi.waitFor(async () => expect(await create('uploader')).toBe('insufficient_quota'), patient)
      const c = await start()
      expect(await c.create('uploader')).toBe('insufficient_quota')
      expect(await b.deleteUpload(first, 'uploader')).toBe('deleted')
      expect(await a.upload('uploader', 6 * mebibyte, 'streamed')).toEqual(anUpload)
      expect(await c.upload('uploader', 100)).toBe('insufficient_quota')
      // Uploads that two processes take at the same instant never pass the limit together.
      expect(await a.deleteUpload(second, 'uploader')).toBe('deleted')
      const both = await Promise.all([a, b].map(({ upload }) => upload('uploader', 4 * mebibyte)))
      expect(both.filter((answer) => answer.startsWith('up_')).length).toBeLessThanOrEqual(1)
      expect(both).toContain('insufficient_quota')
    })
  })
}
