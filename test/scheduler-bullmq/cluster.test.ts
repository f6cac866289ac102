// @module-tag needs/redis
import { setTimeout as pass } from 'node:timers/promises'
import { beforeAll, expect, test, type TestContext } from 'vitest'
import { Queue, Worker } from 'bullmq'
import { launch } from '../processes/launch.ts'
import { scriptCommand } from '../processes/start-server.ts'
import { until } from '../until.ts'
import { newName, sharedRedis, type SharedRedis } from './redis-server.ts'
import { startNode } from './start-node.ts'

let redis: SharedRedis
beforeAll(async () => {
  redis = await sharedRedis()
})

/** Nodes that share a queue and stop with the test. */
function startNodes({ onTestFinished }: TestContext, count: number, queue = newName('queue')) {
  return Array.from({ length: count }, () => startNode({ port: redis.port }, queue, onTestFinished))
}

/** The queue, as soon as Redis has so many wake-ups that are not due. */
async function storedWakeUps({ onTestFinished }: TestContext, queue: string, count: number): Promise<Queue> {
  const stored = new Queue(queue, { connection: { port: redis.port } })
  onTestFinished(() => stored.close())
  await until(async () => (await stored.getDelayedCount()) === count)
  return stored
}

const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

test('each of 3,000 wake-ups that three nodes set wakes one of the nodes, and each node takes its share', async (context) => {
  const cluster = startNodes(context, 3)
  const jobs = ids('job', 3000)
  for (const [index, jobId] of jobs.entries())
    cluster[index % 3]?.wakeAt(jobId, Date.now() + 1000 + (index % 500))
  const woken = () => cluster.flatMap((node) => node.woken)
  await until(() => woken().length >= jobs.length)
  await pass(300)
  expect(new Set(woken())).toEqual(new Set(jobs))
  // A node that stands still for seconds may lose a wake-up to another node and take it nevertheless.
  expect(woken().length).toBeLessThanOrEqual(jobs.length + 20)
  for (const node of cluster) expect(node.woken.length).toBeGreaterThan(100)
})

test('a wake-up that another node sets again, sooner or later, replaces the wake-up that the first node has set', async (context) => {
  const [first, second] = startNodes(context, 2)
  const from = Date.now()
  first?.wakeAt('postponed', from + 700)
  first?.wakeAt('advanced', from + 60_000)
  await pass(200)
  second?.wakeAt('postponed', from + 1500)
  second?.wakeAt('advanced', from + 1000)
  const woken = () => [...(first?.woken ?? []), ...(second?.woken ?? [])]
  await until(() => woken().length >= 2)
  await pass(300)
  expect(woken()).toEqual(expect.arrayContaining(['advanced', 'postponed']))
  expect(woken()).toHaveLength(2)
  expect(Date.now()).toBeGreaterThanOrEqual(from + 1500)
})

test.concurrent('when a node stops, its wake-ups wake the other nodes of the queue', async (context) => {
  const queue = newName('queue')
  const [first, second] = startNodes(context, 2, queue)
  for (const jobId of ids('job', 50)) first?.wakeAt(jobId, Date.now() + 3_600_000)
  const wakeUps = await storedWakeUps(context, queue, 50)
  await first?.stop()
  await wakeUps.promoteJobs()
  await until(() => second?.woken.length === 50)
  expect(first?.woken).toEqual([])
})

test.concurrent('a wake-up in one BullMQ queue does not wake the nodes of another queue', async (context) => {
  const [one] = startNodes(context, 1)
  const [other] = startNodes(context, 1)
  one?.wakeAt('job-1', Date.now())
  await until(() => one?.woken.length === 1)
  await pass(200)
  expect(other?.woken).toEqual([])
})

test.concurrent('when a process is killed, each of its wake-ups wakes another process once', async (context) => {
  const queue = newName('queue')
  const script = new URL('processes/wake-until-killed.ts', import.meta.url)
  const start = () => {
    const node = launch(scriptCommand('node', script, String(redis.port), queue))
    context.onTestFinished(async () => void (await node.kill()))
    return node
  }
  const doomed = start()
  expect(await doomed.ask(JSON.stringify({ prefix: 'first', count: 1, delayMs: 0 }))).toBe('first-0')
  doomed.tell(JSON.stringify({ prefix: 'left', count: 100, delayMs: 5000 }))
  await storedWakeUps(context, queue, 100)
  await doomed.kill()
  const heir = start()
  const left = ids('left', 100)
  const woken: string[] = []
  while (woken.length < left.length) woken.push(await heir.line())
  expect(doomed.output).toBe('first-0\n')
  expect(woken.toSorted()).toEqual(left.toSorted())
})

test.concurrent('a wake-up that three nodes have taken and died with wakes the next node', async (context) => {
  const queue = newName('queue')
  const [first] = startNodes(context, 1, queue)
  first?.wakeAt('job-1', Date.now() + 3_600_000)
  const wakeUps = await storedWakeUps(context, queue, 1)
  await first?.stop()
  await wakeUps.promoteJobs()
  for (let death = 0; death < 3; death++) {
    const taken = Promise.withResolvers<void>()
    const work = () => (taken.resolve(), new Promise(() => {}))
    const quick = { lockDuration: 500, stalledInterval: 500, skipLockRenewal: true, maxStalledCount: 100 }
    const doomed = new Worker(queue, work, { connection: { port: redis.port }, ...quick })
    await taken.promise
    await doomed.close(true)
  }
  const [heir] = startNodes(context, 1, queue)
  await until(() => heir?.woken.length === 1)
})
