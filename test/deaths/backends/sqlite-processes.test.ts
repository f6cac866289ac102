import { expect, test, type TestContext } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { cpuTimeOf, exampleJob } from '@genmount/testing'
import { temporaryFile } from '../../backend-sqlite/temporary-file.ts'
import type { Runtime } from '../../processes/runtimes.ts'
import { claimantOf, locksOf, release } from './claimant.ts'

/** A backend on a new file, which other processes can share. */
function sharedFile({ onTestFinished }: TestContext) {
  const file = temporaryFile(onTestFinished)
  const backend = sqliteBackend({ file })
  onTestFinished(backend.close)
  const { processes } = backend
  if (!processes) throw new Error('The backend tells of no processes.')
  return {
    file,
    backend,
    processes,
    locks: () => locksOf(file),
    claimant: (ids: readonly string[], runtime?: Runtime) => claimantOf(file, ids, runtime, onTestFinished),
  }
}

test.concurrent.for(['node', 'deno', 'bun'] as const)(
  'a killed process on %s counts as ended at once, and the backend lists its jobs until their claims are given up',
  async (runtime, context) => {
    const { backend, processes, claimant, locks } = sharedFile(context)
    const [one, other] = [await claimant(['a', 'b'], runtime), await claimant(['c'])]
    expect(await processes.hasEnded(one.id)).toBe(false)
    expect(await processes.leftBehind(10)).toEqual([])
    await one.process.kill()
    expect(await processes.hasEnded(one.id)).toBe(true)
    expect((await processes.leftBehind(10)).toSorted()).toEqual(['a', 'b'])
    expect(await processes.leftBehind(1)).toHaveLength(1)
    expect(JSON.parse(await other.process.ask('look'))).toHaveLength(2)

    await release(backend, 'a')
    expect(await processes.leftBehind(10)).toEqual(['b'])
    expect(locks()).toHaveLength(3)
    await release(backend, 'b')
    expect(await processes.leftBehind(10)).toEqual([])
    expect(locks()).toHaveLength(2)
    expect(await processes.hasEnded(one.id)).toBe(true)
    expect(await processes.hasEnded(other.id)).toBe(false)
  },
)

test.concurrent('a frozen process does not count as ended', async (context) => {
  const { processes, claimant } = sharedFile(context)
  const one = await claimant(['a'])
  await one.process.freeze()
  for (let look = 0; look < 20; look++) {
    expect(await processes.hasEnded(one.id)).toBe(false)
    expect(await processes.leftBehind(10)).toEqual([])
  }
  one.process.thaw()
  expect(await one.process.ask('look')).toBe('[]')
  await one.process.freeze()
  await one.process.kill()
  expect(await processes.leftBehind(10)).toEqual(['a'])
})

test.concurrent('a process that has closed its backend counts as ended, and leaves no lock file behind', async (context) => {
  const { processes, claimant, locks } = sharedFile(context)
  const one = await claimant([])
  await processes.leftBehind(10)
  expect(await one.process.ask('close')).toBe('closed')
  expect(await processes.hasEnded(one.id)).toBe(true)
  expect(await processes.leftBehind(10)).toEqual([])
  expect(locks().filter((name) => name.includes(one.id))).toEqual([])
})

test.concurrent.for(['node', 'deno', 'bun'] as const)(
  'two backends in one process, and a process on %s, see one another as alive until one of the backends is closed',
  async (runtime, context) => {
    const { file, backend, processes, claimant } = sharedFile(context)
    const second = sqliteBackend({ file })
    context.onTestFinished(second.close)
    await backend.jobs.get('any')
    await second.jobs.get('any')
    const outside = await claimant([], runtime)
    for (let look = 0; look < 3; look++) {
      for (const { id } of [processes, second.processes!]) {
        expect(await processes.hasEnded(id)).toBe(false)
        expect(await second.processes?.hasEnded(id)).toBe(false)
        expect(await outside.process.ask(`has ended ${id}`)).toBe('false')
      }
    }
    await second.close()
    expect(await processes.hasEnded(second.processes!.id)).toBe(true)
    expect(await outside.process.ask(`has ended ${processes.id}`)).toBe('false')
    expect(await outside.process.ask(`has ended ${second.processes!.id}`)).toBe('true')
  },
)

test.concurrent('an id that no process has ever had counts as ended, and a text that is no id does not', async (context) => {
  const { processes } = sharedFile(context)
  expect(await processes.hasEnded(crypto.randomUUID())).toBe(true)
  for (const id of ['', '../jobs.db', 'a/b', 'a b']) expect(await processes.hasEnded(id)).toBe(false)
})

// It measures the CPU time of this process, so no other test runs beside it.
test('a look for the jobs of ended processes takes less than 20 ms of CPU time while 500 jobs of a living process are claimed', async (context) => {
  const { processes, claimant } = sharedFile(context)
  const ids = Array.from({ length: 500 }, (_, index) => `job-${index}`)
  await claimant(ids)
  await processes.leftBehind(10)
  const cpuMs = await cpuTimeOf(async () => {
    for (let look = 0; look < 50; look++) await processes.leftBehind(10)
  })
  expect(cpuMs / 50).toBeLessThan(20)
})

test.concurrent('the backend lists no job of an ended process whose claim has run out, or whose claim token names no process', async (context) => {
  const { backend, processes, claimant } = sharedFile(context)
  const one = await claimant(['a'])
  await one.process.kill()
  const now = Date.now()
  const claims = {
    over: { claim: { until: now - 1, token: `${one.id}:x` } },
    unnamed: { claim: { until: now + 30_000, token: one.id } },
    mine: { claim: { until: now + 30_000, token: `${processes.id}:x` } },
    resting: { claim: { token: `${one.id}:x` } },
  }
  for (const [id, claim] of Object.entries(claims)) await backend.jobs.insert(exampleJob({ id, ...claim }))
  expect(await processes.leftBehind(10)).toEqual(['a'])
})
