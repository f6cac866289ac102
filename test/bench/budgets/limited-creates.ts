import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresBackend } from '@genmount/backend-postgres'
import { type Backend, createGenerationService, memoryBackend } from '@genmount/core'
import { limits, type OwnerLimits } from '@genmount/core/limits'
import pg from 'pg'
import { statementsOver } from '../../postgres/statements-over.ts'
import { until } from '../../until.ts'
import { answerParent, cpuMs } from '../answer-parent.ts'
import { type BenchModel, benchProviders } from '../bench-service.ts'
import { steadyCreates } from '../steady-creates.ts'
import { exampleInput } from '../workload.ts'

/** A process that creates jobs without a limit on spending, with one, and with several, in memory or on Postgres. */

const day = { spendUsdPerDay: 100_000 }
const dayAndMonth = { ...day, spendUsdPerMonth: 100_000 }
const budgets = {
  none: {},
  one: day,
  three: { ...dayAndMonth, balance: true },
  four: { ...dayAndMonth, balance: true, key: day },
} satisfies Record<string, OwnerLimits>
export type Budgets = keyof typeof budgets

const owners = Array.from({ length: 20 }, (_, number) => `owner-${number}`)
/** Longer than a service remembers that the jobs of an owner fit. */
const forgottenMs = 2500
/** How long the task of a polled job takes. */
const taskMs = 1000

/** A service with these limits, whose owners have a balance. */
async function serviceWith(which: Budgets, backend: Backend) {
  let ended = 0
  let created = 0
  const service = createGenerationService({
    providers: benchProviders({ pollAfterMs: taskMs, maxConcurrentJobs: 10_000, dedupesSubmits: true })
      .providers,
    backend,
    plugins: [limits(budgets[which], { reserveUsd: { 'bench-long': 0.4, 'bench-video': 0.4 } })],
    maxRunningJobsPerOwner: Number.MAX_SAFE_INTEGER,
    log: { warn() {}, error: console.error },
    onJobEnd: () => void ended++,
  })
  await service.ready()
  for (const owner of owners) await service.grant(owner, 100_000, { by: 'the bench', why: 'a start' })
  return {
    close: () => service.close(),
    create(model: BenchModel, number: number) {
      created++
      return service.create({
        owner: owners[number % owners.length]!,
        keyId: 'key',
        model,
        input: exampleInput(),
      })
    },
    allEnded: () => until(() => ended === created),
  }
}

/** @param url a database. @default memory */
function store(url?: string) {
  if (url === undefined) return { backend: memoryBackend(), sent: [] as string[], async end() {} }
  const pool = new pg.Pool({ connectionString: url, max: 20 })
  pool.on('error', () => {})
  const sent = statementsOver(pool, 'genmount')
  return { backend: postgresBackend({ pool }), sent, end: () => pool.end() }
}

const calls = {
  /** @returns the CPU time of a create with its submit in memory, in microseconds */
  async cpuUs(which: Budgets, creates: number) {
    const { create, close } = await serviceWith(which, memoryBackend())
    // What a service does for the first job of an owner does not count.
    for (let number = 0; number < owners.length; number++) await create('bench-long', number)
    const before = cpuMs()
    for (let number = 0; number < creates; number++) await create('bench-long', number)
    const us = ((cpuMs() - before) / creates) * 1000
    await close()
    return us
  },
  /** @returns how many statements the life of a job takes whose owner has created none for some seconds */
  async statements(which: Budgets) {
    const { backend, sent, end } = store(process.argv[2])
    const { create, allEnded, close } = await serviceWith(which, backend)
    const createOfEach = async () => {
      for (const number of owners.keys()) await create('bench-video', number)
      await allEnded()
    }
    // The first create of an owner adds up what the owner has spent.
    await createOfEach()
    await sleep(forgottenMs)
    sent.length = 0
    await createOfEach()
    const statements = sent.length / owners.length
    await close()
    await end()
    return statements
  },
  /** @returns how many milliseconds half of the creates took at most, and 99 of 100, at a steady rate */
  async latency(which: Budgets, perSecond: number, ms: number) {
    const { backend, end } = store(process.argv[2])
    const { create, allEnded, close } = await serviceWith(which, backend)
    // The first create of an owner adds up what the owner has spent, and the first statements of a connection are prepared.
    await steadyCreates(perSecond, 1000, (number) => create('bench-video', number))
    const took = await steadyCreates(perSecond, ms, (number) => create('bench-video', number))
    await allEnded()
    await close()
    await end()
    return took
  },
}
export type LimitedCalls = typeof calls
// The service itself does not keep the process alive.
setInterval(() => {}, 1000)
answerParent(calls)
