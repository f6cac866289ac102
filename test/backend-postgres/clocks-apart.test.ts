import { setTimeout as pass } from 'node:timers/promises'
import { beforeAll, expect, test, type TestContext } from 'vitest'
import { createGenerationService, type Scheduler, systemClock } from '@genmount/core'
import { exampleJob, fakeProvider, quietLog } from '@genmount/testing'
import { created } from '../created.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { nodeOn } from './two-nodes.ts'

const tenMinutesMs = 10 * 60_000

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

/** A service whose system clock is ahead by `aheadMs`, as on another machine. */
function serviceOn(
  { onTestFinished }: TestContext,
  schema: string,
  aheadMs: number,
  provider = fakeProvider(),
) {
  const { now } = Date
  // systemClock() keeps the Date.now that it finds when it is made, so Date.now is replaced only until then.
  Date.now = () => now() + aheadMs
  try {
    const node = nodeOn(url, schema, {}, onTestFinished)
    const service = createGenerationService({
      providers: [provider],
      backend: node.backend,
      log: quietLog(),
    })
    onTestFinished(async () => void (await service.close()))
    return { ...node, service, provider }
  } finally {
    Date.now = now
  }
}

const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

test.concurrent('the first job of a node gets its createdAt from the clock of Postgres, not from the clock of the machine', async (context) => {
  const schema = newSchema()
  for (const aheadMs of [-tenMinutesMs, 0, tenMinutesMs]) {
    const { service } = serviceOn(context, schema, aheadMs)
    const job = await created(service, request)
    expect(Math.abs(job.createdAt - Date.now())).toBeLessThan(60_000)
  }
})

test.concurrent('nodes whose clocks differ by ten minutes use the time of Postgres', async (context) => {
  const schema = newSchema()
  const nodes = [-tenMinutesMs, tenMinutesMs].map((aheadMs) => serviceOn(context, schema, aheadMs))
  for (const { backend } of nodes) await backend.ready?.()
  const apart = () => Math.abs((nodes[0]?.backend.clock?.now() ?? 0) - (nodes[1]?.backend.clock?.now() ?? 0))
  expect(apart()).toBeLessThan(1000)
  await pass(1500)
  expect(apart()).toBeLessThan(1000)
})

test.concurrent('nodes whose clocks are ten minutes ahead and behind delete no job too early, and the rows of deleted jobs at once', async (context) => {
  const schema = newSchema()
  const writer = nodeOn(url, schema, {}, context.onTestFinished)
  await writer.backend.ready?.()
  const jobOf = (id: string, expiresAt: number) => exampleJob({ id, phase: 'completed', expiresAt })
  await writer.jobs.insert(jobOf('soon', Date.now() + 5 * 60_000))
  await writer.jobs.insert(jobOf('past', 0))
  serviceOn(context, schema, tenMinutesMs).service.start()
  serviceOn(context, schema, -tenMinutesMs).service.start()
  await until(async () => (await writer.jobs.get('past')) === undefined)
  await pass(1000)
  expect(await writer.jobs.get('soon')).toBeDefined()
})

test.concurrent('a node whose clock is ten minutes ahead does not take over a step that another node has claimed', async (context) => {
  const schema = newSchema()
  const provider = fakeProvider({ behave: () => ({ delayMs: 3000 }) })
  const behind = serviceOn(context, schema, -tenMinutesMs, provider)
  const ahead = serviceOn(context, schema, tenMinutesMs, provider)
  ahead.service.start()
  const job = await created(behind.service, request)
  await until(async () => (await ahead.service.get(job.id, 'alice')).phase === 'completed')
  expect(provider.ledger).toHaveLength(1)
})

test.concurrent('a scheduler that counts by the clock of its machine gets instants of that clock', async (context) => {
  const machine = { ...systemClock(), now: () => Date.now() + tenMinutesMs }
  const instants: number[] = []
  const scheduler: Scheduler = { start() {}, wakeAt: (_, at) => void instants.push(at), async stop() {} }
  const { backend } = nodeOn(url, newSchema(), { clock: machine, scheduler }, context.onTestFinished)
  await backend.ready?.()
  backend.scheduler.wakeAt('job-1', (backend.clock?.now() ?? 0) + 60_000)
  expect(Math.abs((instants[0] ?? 0) - machine.now() - 60_000)).toBeLessThan(10_000)
})
