// @module-tag needs/redis
import { once } from 'node:events'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { Queue, Worker } from 'bullmq'
import { bullmqScheduler } from '@genmount/scheduler-bullmq'
import { until } from '../until.ts'
import { type RedisServer, startRedis } from './redis-server.ts'
import { type ScriptProcess, startScript } from './started-script.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
  return () => redis.stop()
})

let made = 0

/** Nodes that share a queue, and which jobs each of them was woken for. */
function nodes(count: number, queue = `queue-${made++}`) {
  return Array.from({ length: count }, () => {
    const scheduler = bullmqScheduler({ connection: { port: redis.port }, queue })
    const woken: string[] = []
    scheduler.start((jobId) => woken.push(jobId))
    onTestFinished(() => scheduler.stop())
    return { ...scheduler, woken }
  })
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

test('each wake-up comes to one node of three, and each node takes its share', async () => {
  const cluster = nodes(3)
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

test('a wish of one node takes the place of the wish of another, be it for sooner or for later', async () => {
  const [first, second] = nodes(2)
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

test('the wake-ups of a node that has stopped come to the others', async () => {
  const [first, second] = nodes(2)
  for (const jobId of ids('job', 50)) first?.wakeAt(jobId, Date.now() + 800)
  await pass(200)
  await first?.stop()
  await until(() => second?.woken.length === 50)
  expect(first?.woken).toEqual([])
})

test('nodes of different queues do not wake the jobs of each other', async () => {
  const [one] = nodes(1)
  const [other] = nodes(1)
  one?.wakeAt('job-1', Date.now())
  await until(() => one?.woken.length === 1)
  await pass(200)
  expect(other?.woken).toEqual([])
})

test('the wake-ups of a process that is killed come to another process, each once', async () => {
  const start = () => startScript('wake-until-killed.ts', [String(redis.port), 'killed'])
  const tell = ({ child }: ScriptProcess, wish: object) => child.stdin?.write(`${JSON.stringify(wish)}\n`)
  const stored = new Queue('killed', { connection: { port: redis.port } })
  onTestFinished(() => stored.close())
  const doomed = start()
  tell(doomed, { prefix: 'first', count: 1, delayMs: 0 })
  await until(() => doomed.lines.length === 1)
  tell(doomed, { prefix: 'left', count: 100, delayMs: 5000 })
  await until(async () => (await stored.getDelayedCount()) === 100)
  const exit = once(doomed.child, 'exit')
  doomed.child.kill('SIGKILL')
  await exit
  const heir = start()
  await until(() => heir.lines.length >= 100)
  expect(doomed.lines).toEqual(['first-0'])
  expect(heir.lines.toSorted()).toEqual(ids('left', 100).toSorted())
})

test('a wake-up comes to a node, although three nodes before have taken it and died', async () => {
  const queue = `queue-${made++}`
  const [first] = nodes(1, queue)
  first?.wakeAt('job-1', Date.now() + 1000)
  await pass(300)
  await first?.stop()
  for (let death = 0; death < 3; death++) {
    const taken = Promise.withResolvers<void>()
    const work = () => (taken.resolve(), new Promise(() => {}))
    const quick = { lockDuration: 500, stalledInterval: 500, skipLockRenewal: true, maxStalledCount: 100 }
    const doomed = new Worker(queue, work, { connection: { port: redis.port }, ...quick })
    await taken.promise
    await doomed.close(true)
  }
  const [heir] = nodes(1, queue)
  await until(() => heir?.woken.length === 1)
})
