import {
  type Check,
  checkLog,
  checkObject,
  checkOptions,
  type Log,
  optional,
  type OptionTable,
  type Scheduler,
  text,
} from '@genmount/core'
import { Queue, type RedisOptions, Worker } from 'bullmq'
import { after, batches } from './batches.ts'
import { redisFaults } from './redis-faults.ts'

/** The options of `bullmqScheduler`. */
export interface BullmqSchedulerOptions {
  /**
   * How to connect to Redis or Valkey: the options of an ioredis client, such as `{ host, port, password }`, or
   * `{ url }`. The scheduler makes three connections of its own and closes them.
   */
  readonly connection: RedisOptions
  /**
   * The name of the BullMQ queue that holds the wake-ups, without a colon. All nodes of one job store use the same
   * queue, and no other service uses it. @default 'genmount'
   */
  readonly queue?: string | undefined
  /** Gets at most one line a minute while Redis is in trouble. @default `console` */
  readonly log?: Log | undefined
}

/** How long a stop waits for Redis, in milliseconds: once for wake-ups that are not set yet, once for the good-bye. */
const closingMs = 1000
/** How long Redis may take for an answer before the connections are made anew, in milliseconds. */
const answerMs = 5000
/** For how many wake-ups at a time a node tells BullMQ that it has taken them. */
const concurrency = 20
/** After how many milliseconds a wake-up that a dead node had just taken goes to another node. */
const stalledMs = 5000

const checkConnection: Check<RedisOptions> = (name, value) => {
  const connection = checkObject(name, value, " such as { url: 'redis://host:6379' } or { host, port }")
  if (typeof connection.duplicate === 'function')
    throw new TypeError(`${name} must be the options of a client, such as { host, port }, not a client.`)
  if ('url' in connection) text('the URL of a Redis server', /^rediss?:\/\//)(`${name}.url`, connection.url)
  return connection
}

const table = {
  connection: checkConnection,
  queue: optional(text('the name of a queue, without a colon', /^[^:]+$/), 'genmount'),
  log: optional(checkLog),
} satisfies OptionTable<BullmqSchedulerOptions>

/**
 * Wakes jobs through a BullMQ queue, which all nodes of a cluster share: one node is woken for each job, whichever is
 * free, and the wake-ups of a node that dies or closes go to the others. The job store stays the truth. While Redis is
 * away, wake-ups are late or lost, and the sweep finds the jobs in the store.
 *
 * Connects when it is started. From then until `stop()`, the connections keep the process alive.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers, backend: { ...backend, scheduler: bullmqScheduler({ connection }) } })
 */
export function bullmqScheduler(options: BullmqSchedulerOptions): Scheduler {
  const checked = checkOptions('bullmqScheduler', options, table)
  const { queue: name, log = console } = checked
  const tell = redisFaults(log, 'Until it does, jobs are found by the sweep of the job store, a second late.')
  const connection: RedisOptions = {
    // BullMQ's own strategy pauses for up to 20 seconds, so that jobs would be late for long after Redis is back.
    retryStrategy: (times) => Math.min(times * 50, 2000),
    disconnectTimeout: 500,
    ...checked.connection,
    // What was sent is answered, sooner or later: ioredis sends it again whenever it has connected.
    maxRetriesPerRequest: null,
    autoResendUnfulfilledCommands: true,
    enableOfflineQueue: true,
  }
  const early = new Map<string, number>()
  const clients: Awaited<Queue['client']>[] = []
  let parts: { readonly queue: Queue; readonly worker: Worker } | undefined
  let stopped: Promise<void> | undefined
  const isStopped = () => stopped !== undefined
  const onFault = (fault: unknown) => {
    if (!isStopped()) tell(fault)
  }
  const wishes = batches<number>(async (batch) => {
    if (parts) await answered(setWakes(parts.queue, batch))
  }, onFault)

  /**
   * Waits for the answer. While the answer does not come, makes the connections anew, and ioredis sends the commands
   * again.
   */
  async function answered(answer: Promise<unknown>): Promise<void> {
    const isThere = answer.then(() => true)
    // After a stop nobody waits for the answer any more. A rejection that nobody handles would end the process.
    isThere.catch(() => {})
    while (!isStopped() && !(await Promise.race([isThere, after(answerMs)]))) {
      onFault(new Error(`Redis has not answered for ${answerMs} ms.`))
      // A connection whose other end is gone without a word would take a quarter of an hour to fail by itself.
      for (const client of clients) if (client.status === 'ready') client.disconnect(true)
    }
  }

  async function stop(): Promise<void> {
    early.clear()
    await wishes.end(closingMs)
    if (!parts) return
    const { queue, worker } = parts
    await Promise.race([Promise.allSettled([worker.close(), queue.close()]), after(closingMs)])
    // A close hangs when Redis does not answer. These calls end the connections without Redis, and their promises may
    // hang in their turn.
    for (const part of [queue, worker]) part.disconnect().catch(() => {})
  }

  return {
    start(wake) {
      if (isStopped() || parts) return
      // Dashboards read the events of the queue. BullMQ keeps 10,000 of them by default.
      const queue = new Queue(name, { connection, streams: { events: { maxLen: 1000 } } })
      const worker = new Worker(name, async () => {}, {
        connection,
        concurrency,
        runRetryDelay: 1000,
        lockDuration: stalledMs,
        stalledInterval: stalledMs,
        skipLockRenewal: true,
      })
      queue.on('error', onFault)
      worker.on('error', onFault)
      // Only now has BullMQ forgotten the entry. Before, it would ignore a new wish for the same job.
      worker.on('completed', ({ id }) => {
        if (!isStopped() && id) wake(jobIdIn(id))
      })
      parts = { queue, worker }
      for (const part of [queue, worker]) part.client.then((client) => clients.push(client)).catch(() => {})
      for (const [jobId, at] of early) wishes.put(jobId, at)
      early.clear()
    },
    wakeAt(jobId, at) {
      if (isStopped()) return
      if (parts) wishes.put(jobId, at)
      else early.set(jobId, at)
    },
    stop: () => (stopped ??= stop()),
  }
}

/** Sets the wake-ups, and ends earlier ones of the same jobs. The commands go to Redis in one piece, in this order. */
async function setWakes(queue: Queue, batch: ReadonlyMap<string, number>): Promise<void> {
  const timestamp = Date.now()
  const wakes = Array.from(batch, ([jobId, at]) => ({
    name: 'wake',
    data: {},
    opts: {
      jobId: idOf(jobId),
      timestamp,
      delay: Math.max(0, at - timestamp),
      removeOnComplete: true,
      removeOnFail: true,
    },
  }))
  await Promise.all([...wakes.map(({ opts }) => queue.remove(opts.jobId)), queue.addBulk(wakes)])
}

/** The id of the BullMQ job that wakes a job. BullMQ takes no id with a colon, and none that is a number. */
function idOf(jobId: string): string {
  return `job-${jobId.replaceAll(/[%:]/g, encodeURIComponent)}`
}

function jobIdIn(id: string): string {
  return decodeURIComponent(id.slice('job-'.length))
}
