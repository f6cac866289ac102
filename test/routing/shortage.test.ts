import { afterEach, expect, test } from 'vitest'
import type { Provider } from '@genmount/core'
import { routedWorld } from './routed-world.ts'

// If a process has run out of descriptors or memory, its calls fail, but its providers are in order.

let world: ReturnType<typeof routedWorld>
afterEach(() => world.close())

const shortageOf = (code: string, syscall = 'connect') =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) })

/** A process whose calls fail with `fault` while `fault` is set. */
function shortProcess(names: readonly string[]) {
  world = routedWorld(
    Object.fromEntries(names.map((name) => [name, { behave: () => ({ delayMs: 60_000 }) }])),
  )
  let fault: Error | undefined
  const tried = { submit: 0, poll: 0 }
  const door = (provider: Provider): Provider => ({
    ...provider,
    async submit(...asked) {
      tried.submit++
      if (fault) throw fault
      return provider.submit(...asked)
    },
    async poll(...asked) {
      tried.poll++
      if (fault) throw fault
      return provider.poll(...asked)
    },
  })
  const process = world.start(names, door)
  const createMany = (count: number, model?: string) =>
    Promise.all(Array.from({ length: count }, () => world.create(process, model)))
  const phases = async (ids: readonly string[]) => {
    const jobs = await Promise.all(ids.map((id) => world.job(id)))
    return [...new Set(jobs.map(({ phase, error }) => error?.code ?? phase))]
  }
  const shortLines = () => world.logged.filter((line) => !line.includes('keeps jobs in memory'))
  return { tried, createMany, phases, shortLines, fail: (error?: Error) => (fault = error) }
}

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS'])(
  'jobs that are created while the process has an %s shortage wait, and each is paid for once when the shortage is over',
  async (code) => {
    const { createMany, phases, shortLines, fail } = shortProcess(['acme'])
    fail(shortageOf(code))
    const ids = await createMany(20)
    await world.clock.advance(45_000)
    expect(await phases(ids)).toEqual(['accepted'])
    expect(shortLines()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^This (process|machine) has run out of .* \\(${code}\\): no new jobs are submitted for 5 s\\.$`,
        ),
      ),
    ])
    fail()
    await world.clock.advance(300_000)
    expect(await phases(ids)).toEqual(['completed'])
    expect(ids.map(world.paidBy)).toEqual(ids.map(() => ['acme']))
    expect(shortLines()).toHaveLength(1)
  },
)

test('a process with an EMFILE shortage submits to no provider, and does not count the failed submits against the providers', async () => {
  const { tried, createMany, phases, shortLines, fail } = shortProcess(['acme', 'beta'])
  fail(shortageOf('EMFILE'))
  const first = await createMany(1)
  await world.clock.advance(100)
  const before = tried.submit
  const others = await createMany(10, 'beta')
  await world.clock.advance(4000)
  expect(tried.submit).toBe(before)
  fail()
  await world.clock.advance(300_000)
  expect(await phases([...first, ...others])).toEqual(['completed'])
  expect(first.map(world.paidBy)).toEqual([['acme']])
  expect(shortLines()).toHaveLength(1)
})

test('a process with an EMFILE shortage goes on polling running jobs, and a failed poll delays its new submits', async () => {
  const { tried, createMany, phases, shortLines, fail } = shortProcess(['acme'])
  const running = await createMany(6)
  await world.clock.advance(1000)
  fail(shortageOf('EMFILE'))
  await world.clock.advance(30_000)
  expect(tried.poll).toBeGreaterThan(6)
  const submits = tried.submit
  const waiting = await createMany(5)
  await world.clock.advance(0)
  expect(tried.submit - submits).toBeLessThanOrEqual(5)
  fail()
  await world.clock.advance(300_000)
  expect(await phases([...running, ...waiting])).toEqual(['completed'])
  expect(shortLines()).toHaveLength(1)
})

test('a job whose submit failed with EMFILE outside of connect fails as submit_ambiguous, is named in the log and not submitted again', async () => {
  const { createMany, phases, shortLines, fail } = shortProcess(['acme'])
  fail(shortageOf('EMFILE', 'open'))
  const [id] = await createMany(1)
  await world.clock.advance(600_000)
  expect(await phases([id!])).toEqual(['submit_ambiguous'])
  expect(world.submittedTo(id!)).toEqual([])
  expect(shortLines().some((line) => line.includes(id!) && line.includes('EMFILE'))).toBe(true)
})
