import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Job } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { cpuTimeOf, exampleJob } from '@genmount/testing'
import { killProcess, startProcess, type StartOptions } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

function setUp() {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  onTestFinished(backend.close)
  const { processes } = backend
  if (!processes) throw new Error('The backend tells of no processes.')
  return {
    file,
    backend,
    processes,
    locks: () => readdirSync(dirname(file)).filter((name) => name.includes('-process-')),
    /** Starts another process, which claims the jobs and goes on running. */
    async claimant(ids: readonly string[], options?: StartOptions) {
      const started = startProcess('claim-and-stay.ts', [file, ...ids], options)
      const id = await started.line()
      const tell = (command: string) => {
        started.child.stdin?.write(`${command}\n`)
        return started.line()
      }
      return { ...started, id, tell }
    },
    /** Gives up the claim of the job, as the service does at the end of a step. */
    async release(id: string) {
      const { claimedUntil: _, ...job } = (await backend.jobs.get(id)) as Job
      expect(await backend.jobs.replace({ ...job, revision: job.revision + 1 }, job.revision)).toBe(
        'replaced',
      )
    },
  }
}

test.each(['node', 'deno', 'bun'] as const)(
  'a process on %s that is killed has ended at once, and its jobs are left behind until their claims are given up',
  async (runtime) => {
    const { processes, claimant, release, locks } = setUp()
    const [one, other] = [await claimant(['a', 'b'], { runtime }), await claimant(['c'])]
    expect(await processes.hasEnded(one.id)).toBe(false)
    expect(await processes.leftBehind(10)).toEqual([])
    await killProcess(one)
    expect(await processes.hasEnded(one.id)).toBe(true)
    expect((await processes.leftBehind(10)).toSorted()).toEqual(['a', 'b'])
    expect(await processes.leftBehind(1)).toHaveLength(1)
    expect(JSON.parse(await other.tell('look'))).toHaveLength(2)

    await release('a')
    expect(await processes.leftBehind(10)).toEqual(['b'])
    expect(locks()).toHaveLength(3)
    await release('b')
    expect(await processes.leftBehind(10)).toEqual([])
    expect(locks()).toHaveLength(2)
    expect(await processes.hasEnded(one.id)).toBe(true)
    expect(await processes.hasEnded(other.id)).toBe(false)
  },
)

test('a process that is frozen has not ended', async () => {
  const { processes, claimant } = setUp()
  const one = await claimant(['a'])
  one.child.kill('SIGSTOP')
  for (let look = 0; look < 20; look++) {
    expect(await processes.hasEnded(one.id)).toBe(false)
    expect(await processes.leftBehind(10)).toEqual([])
  }
  one.child.kill('SIGCONT')
  expect(await one.tell('look')).toBe('[]')
  one.child.kill('SIGSTOP')
  await killProcess(one)
  expect(await processes.leftBehind(10)).toEqual(['a'])
})

test('a process that has closed its backend has ended, and leaves no file behind', async () => {
  const { processes, claimant, locks } = setUp()
  const one = await claimant([])
  await processes.leftBehind(10)
  expect(await one.tell('close')).toBe('closed')
  expect(await processes.hasEnded(one.id)).toBe(true)
  expect(await processes.leftBehind(10)).toEqual([])
  expect(locks().filter((name) => name.includes(one.id))).toEqual([])
})

test('of twenty processes exactly those that were killed have ended, also for those that have just begun', async () => {
  const { processes, claimant, locks } = setUp()
  const names = Array.from({ length: 20 }, (_, index) => `job-${index}`)
  const areAllThere = new AbortController()
  const looking = (async () => {
    while (!areAllThere.signal.aborted) expect(await processes.leftBehind(100)).toEqual([])
  })()
  // Each process looks for jobs of ended processes as soon as it has started, while the other processes take their locks.
  const all = await Promise.all(
    names.map(async (name) => {
      const started = await claimant([name])
      expect(await started.tell('look')).toBe('[]')
      return started
    }),
  )
  areAllThere.abort()
  await looking
  expect(locks().length).toBeGreaterThanOrEqual(20)

  const killed = all.filter((_, index) => index % 3 === 0)
  await Promise.all(killed.map(killProcess))
  const verdicts = await Promise.all(all.map(({ id }) => processes.hasEnded(id)))
  expect(verdicts).toEqual(all.map((one) => killed.includes(one)))
  const expected = names.filter((_, index) => index % 3 === 0)
  expect((await processes.leftBehind(100)).toSorted()).toEqual(expected.toSorted())
})

test.each(['node', 'deno', 'bun'] as const)(
  'two backends in one process on %s know of each other, and looking does not make others take them for ended',
  async (runtime) => {
    const { file, backend, processes, claimant } = setUp()
    const second = sqliteBackend({ file })
    onTestFinished(second.close)
    await backend.jobs.get('any')
    await second.jobs.get('any')
    const outside = await claimant([], { runtime })
    for (let look = 0; look < 3; look++) {
      for (const { id } of [processes, second.processes!]) {
        expect(await processes.hasEnded(id)).toBe(false)
        expect(await second.processes?.hasEnded(id)).toBe(false)
        expect(await outside.tell(`has ended ${id}`)).toBe('false')
      }
    }
    await second.close()
    expect(await processes.hasEnded(second.processes!.id)).toBe(true)
    expect(await outside.tell(`has ended ${processes.id}`)).toBe('false')
    expect(await outside.tell(`has ended ${second.processes!.id}`)).toBe('true')
  },
)

test('whose id nobody has ever had is over, and what is no id has not ended', async () => {
  const { processes } = setUp()
  expect(await processes.hasEnded(crypto.randomUUID())).toBe(true)
  for (const id of ['', '../jobs.db', 'a/b', 'a b']) expect(await processes.hasEnded(id)).toBe(false)
})

test('looking costs little while nobody has died, however many jobs are claimed', async () => {
  const { processes, claimant } = setUp()
  const ids = Array.from({ length: 500 }, (_, index) => `job-${index}`)
  await claimant(ids)
  await processes.leftBehind(10)
  const cpuMs = await cpuTimeOf(async () => {
    for (let look = 0; look < 50; look++) await processes.leftBehind(10)
  })
  expect(cpuMs / 50).toBeLessThan(20)
})

test('a job whose claim has run out, and one without a process in its token, are not left behind', async () => {
  const { backend, processes, claimant } = setUp()
  const one = await claimant(['a'])
  await killProcess(one)
  const now = Date.now()
  const claims = {
    over: { claimedUntil: now - 1, claimToken: `${one.id}:x` },
    unnamed: { claimedUntil: now + 30_000, claimToken: one.id },
    mine: { claimedUntil: now + 30_000, claimToken: `${processes.id}:x` },
    resting: { claimToken: `${one.id}:x` },
  }
  for (const [id, claim] of Object.entries(claims)) await backend.jobs.insert(exampleJob({ id, ...claim }))
  expect(await processes.leftBehind(10)).toEqual(['a'])
})
