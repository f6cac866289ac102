import { limits } from '@genmount/core/limits'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, expect, test, type TestContext } from 'vitest'
import { postgresBackend } from '@genmount/backend-postgres'
import {
  type Clock,
  createGenerationService,
  type IdempotencyRequest,
  type GenerationServiceOptions,
  memoryFileStore,
  systemClock,
} from '@genmount/core'
import { type FakeBehaviour, fakeFile, fakeProvider, quietLog } from '@genmount/testing'
import { createLimitMs } from '../../packages/core/src/job-store/bounded-store.ts'
import { quickMs } from '../../packages/core/src/pacing/pauses.ts'
import { statementsOver } from '../postgres/statements-over.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

const atOnce = { outputs: [{ url: 'https://cdn.test/1.png' }] }
const polled = { delayMs: 4000, pollAfterMs: 1200 }
const writes = ['insert', 'insertUnlessTaken', 'replace', 'replaceFinished', 'writeSeveral', 'delete']
const reads = ['get', 'getSeveral', 'holderOfKey']
const forLimits = ['unfinished', 'storedBytes']

const host = systemClock()
const heldBack = [...Object.values(createLimitMs), quickMs]
/**
 * A clock whose timers for two kinds of reads are a minute late. These reads happen only on a busy machine: a create reads
 * whether its job is stored if the insert is not answered in time, and the sweep of each node reads a job whose step is a
 * quarter of a second late.
 */
const patient: Clock = {
  ...host,
  after: (ms, run) => host.after(heldBack.includes(ms) ? 60_000 : ms, run),
}

/** Two nodes whose statements are counted. The provider is in their process. */
async function countedNodes(
  { onTestFinished }: TestContext,
  behave: FakeBehaviour,
  options: Partial<GenerationServiceOptions> = {},
  dedupesSubmits = true,
) {
  const schema = newSchema()
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  const sent = statementsOver(pool, schema)
  let behaviour = behave
  const provider = fakeProvider({ behave: () => behaviour, dedupesSubmits })
  const node = async () => {
    const backend = postgresBackend({ pool, schema, clock: patient })
    const service = createGenerationService({ providers: [provider], backend, log: quietLog(), ...options })
    await service.ready()
    return service
  }
  const [here, there] = [await node(), await node()]
  const create = (idempotency?: IdempotencyRequest) =>
    here.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' }, idempotency })
  const phases = async () => (await pool.query(`SELECT DISTINCT phase FROM ${schema}.jobs`)).rows
  /** Resolves when all jobs have ended. It reads by a statement of its own, which does not count. */
  const ended = () => until(async () => (await phases()).every(({ phase }) => phase === 'completed'))
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()])
    await pool.end()
  })
  // The first statements of a connection are not prepared yet.
  behaviour = atOnce
  await create()
  await ended()
  // The sweep of the node begins with the first create. On a slow machine it may take this job for late, and read it.
  await delay(1000)
  behaviour = behave
  sent.length = 0
  return {
    here,
    there,
    provider,
    create,
    ended,
    /** How many statements the jobs have cost since the start. What nodes send regularly without jobs does not count. */
    cost() {
      expect(sent.filter((name) => /^(BEGIN|COMMIT)/i.test(name))).toEqual([])
      const sum = (names: readonly string[]) => sent.filter((name) => names.includes(name)).length
      const [unfinished, storedBytes] = forLimits.map((name) => sum([name]))
      return {
        writes: sum(writes),
        reads: sum(reads),
        ...((unfinished || storedBytes) && { unfinished, storedBytes }),
      }
    },
  }
}

test.concurrent('a job that ends in its submit costs Postgres two writes and no read', async (context) => {
  const { create, ended, cost } = await countedNodes(context, atOnce)
  await create()
  await ended()
  expect(cost()).toEqual({ writes: 2, reads: 0 })
})

test.concurrent('a job costs Postgres one write more when its vendor can say nothing about a submit', async (context) => {
  const { create, ended, cost } = await countedNodes(context, atOnce, {}, false)
  await create()
  await ended()
  expect(cost()).toEqual({ writes: 3, reads: 0 })
})

test.concurrent('a create with an idempotency key costs Postgres one read more', async (context) => {
  const { create, ended, cost } = await countedNodes(context, atOnce)
  await create({ key: 'a key', scope: 'generate' })
  await ended()
  expect(cost()).toEqual({ writes: 2, reads: 1 })
})

test.concurrent('limits on jobs and bytes cost a create one read, and a node one more read in 10 seconds', async (context) => {
  const { create, ended, cost } = await countedNodes(context, atOnce, {
    plugins: [limits({ runningJobs: 5, storedBytes: 1_000_000 })],
  })
  for (let count = 0; count < 3; count++) await create()
  await ended()
  const { storedBytes, writes, ...others } = cost()
  expect(others).toEqual({ reads: 0, unfinished: 3 })
  // Jobs that end at the same moment share a statement.
  expect(writes).toBeLessThanOrEqual(6)
  // The node has added the bytes up once before it was counted. A slow machine may take longer than those 10 seconds.
  expect(storedBytes).toBeLessThanOrEqual(1)
})

test.concurrent('a hundred reads of one job at the same moment cost Postgres two statements', async (context) => {
  const { here, create, ended, cost } = await countedNodes(context, atOnce)
  const { job } = await create()
  await ended()
  const before = cost()
  const read = await Promise.all(Array.from({ length: 100 }, () => here.get(job.id, 'alice')))
  expect(new Set(read.map(({ phase }) => phase))).toEqual(new Set(['completed']))
  expect(cost().reads - before.reads).toBe(2)
})

test.concurrent('a job whose output is stored in a file store costs Postgres one write more', async (context) => {
  const bytes = { outputs: [{ bytes: fakeFile('image').bytes }] }
  const { create, ended, cost } = await countedNodes(context, bytes, { files: memoryFileStore() })
  await create()
  await ended()
  expect(cost()).toEqual({ writes: 3, reads: 0 })
})

test.concurrent('a job that its first poll finds done costs Postgres three writes and no read', async (context) => {
  const { provider, create, ended, cost } = await countedNodes(context, { ...polled, delayMs: 500 })
  await create()
  await ended()
  expect(provider.polls).toHaveLength(1)
  expect(cost()).toEqual({ writes: 3, reads: 0 })
})

test.concurrent('a job with polls costs Postgres two writes, and one write for each poll', async (context) => {
  const { provider, create, ended, cost } = await countedNodes(context, polled)
  await create()
  await ended()
  const polls = provider.polls.length
  expect(polls).toBeGreaterThan(2)
  expect(cost()).toEqual({ writes: 2 + polls, reads: 0 })
})

test.concurrent('a job whose vendor does not say when to poll costs Postgres at most one write more, and no read', async (context) => {
  const { provider, create, ended, cost } = await countedNodes(context, { delayMs: 6000 })
  await create()
  await ended()
  const { writes, reads } = cost()
  expect(reads).toBe(0)
  expect(writes).toBeLessThanOrEqual(3 + provider.polls.length)
})

test.concurrent.for(['here', 'there'] as const)(
  'a client that waits for a job costs Postgres no write, and at most one read for each change of the job (waiting %s)',
  async (where, context) => {
    const { provider, create, cost, ...nodes } = await countedNodes(context, polled)
    const { job } = await create()
    expect(await nodes[where].waitFor(job.id, 'alice')).toMatchObject({ phase: 'completed' })
    const polls = provider.polls.length
    const { writes, reads } = cost()
    expect(writes).toBeLessThanOrEqual(2 + polls)
    // One to begin with, one when the node looks for the first time, and one for each write.
    expect(reads).toBeLessThanOrEqual(2 + writes)
  },
)
