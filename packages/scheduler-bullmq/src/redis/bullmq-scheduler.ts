import {
  checkLog,
  checkOptions,
  type Log,
  optional,
  type OptionTable,
  type Scheduler,
  text,
} from '@genmount/core'
import { Queue, type RedisOptions, Worker } from 'bullmq'
import { after, batches } from './batches.ts'
import {
  bullmqConnection,
  type BullmqConnection,
  checkConnection,
  type RedisClusterClient,
} from './redis-connection.ts'
import { connectionsOf } from './connections-of.ts'
import { redisFaults } from './redis-faults.ts'

/** The options of `bullmqScheduler`. */
export interface BullmqSchedulerOptions {
  /**
   * How to connect to Redis or Valkey: the options of an ioredis client, such as `{ host, port, password }`, or
   * `{ url }`. For a Redis Cluster, a `Cluster` of ioredis. The scheduler makes connections of its own and closes them;
   * it leaves the `Cluster` open.
   */
  readonly connection: RedisOptions | RedisClusterClient
  /**
   * The name of the BullMQ queue that holds the wake-ups, without colons and braces. All nodes of one job store use the
   * same queue, and no other service uses it. @default 'genmount'
   */
  readonly queue?: string | undefined
  /** Gets at most one line a minute while Redis fails. @default `console` */
  readonly log?: Log | undefined
}

/**
 * How long a stop waits for Redis, in milliseconds: once for wake-ups that are not set yet, and once for closing the
 * connections.
 */
const closingMs = 1000
/** How long Redis may take to answer before the scheduler reconnects, in milliseconds. */
const answerMs = 5000
/** How many wake-ups a node takes at the same time. */
const concurrency = 20
/** After how many milliseconds a wake-up that a dead node has taken goes to another node. */
const stalledMs = 5000
/** How many nodes may die with a wake-up before BullMQ drops the wake-up: any number. BullMQ's default is 1. */
const maxDeadNodes = 1_000_000_000

const table = {
  connection: checkConnection,
  queue: optional(text('the name of a queue, without colons and braces', /^[^:{}]+$/), 'genmount'),
  log: optional(checkLog),
} satisfies OptionTable<BullmqSchedulerOptions>

/**
 * Wakes jobs through a BullMQ queue, which all nodes of a cluster share. BullMQ wakes one free node for each job, and
 * the wake-ups of a node that dies or closes go to the others. The job store decides who takes a step. While Redis is
 * not available, wake-ups are late or lost, and the sweep finds the jobs in the store.
 *
 * The scheduler connects when it is started. From then until `stop()`, the connections keep the process alive.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers, backend: { ...backend, scheduler: bullmqScheduler({ connection }) } })
 */
export function bullmqScheduler(options: BullmqSchedulerOptions): Scheduler {
  const checked = checkOptions('bullmqScheduler', options, table)
  const { queue: name, log = console } = checked
  const tell = redisFaults(log, 'Until it does, jobs are found by the sweep of the job store, a second late.')
  const early = new Map<string, number>()
  const clients: Awaited<Queue['client']>[] = []
  let parts: { readonly queue: Queue; readonly worker: Worker; readonly redis: BullmqConnection } | undefined
  let stopped: Promise<void> | undefined
  const isStopped = () => stopped !== undefined
  const onFault = (fault: unknown) => {
    if (!isStopped()) tell(fault)
  }
  const wishes = batches<number>(async (batch) => {
    if (parts) await answered(setWakes(parts.queue, batch))
  }, onFault)

  /** Waits for the answer. If the answer does not arrive, it reconnects, and ioredis sends the commands again. */
  async function answered(answer: Promise<unknown>): Promise<void> {
    const isThere = answer.then(() => true)
    // After a stop no code waits for the answer. An unhandled rejection would end the process.
    isThere.catch(() => {})
    while (!isStopped() && !(await Promise.race([isThere, after(answerMs)]))) {
      onFault(new Error(`Redis has not answered for ${answerMs} ms.`))
      // A connection whose other end has vanished would take a quarter of an hour to fail by itself.
      for (const client of clients) if (client.status === 'ready') client.disconnect(true)
    }
  }

  async function stop(): Promise<void> {
    early.clear()
    await wishes.end(closingMs)
    if (!parts) return
    const { queue, worker, redis } = parts
    // Otherwise a look for stalled wake-ups that ends during the close keeps the process alive for 5 more seconds.
    worker.opts.stalledInterval = 0
    await Promise.race([Promise.allSettled([worker.close(), queue.close()]), after(closingMs)])
    // A close hangs when Redis does not answer. These calls end the connections without Redis: `close` those of which
    // no close has begun, and `disconnect` the others. Their promises may hang as well, so nothing waits for them.
    for (const connection of [queue, worker].flatMap(connectionsOf)) {
      connection.close(true).catch(() => {})
      connection.disconnect(false).catch(() => {})
    }
    redis.end()
  }

  return {
    start(wake) {
      if (isStopped() || parts) return
      const redis = bullmqConnection(checked.connection, name)
      const { connection, prefix } = redis
      // Dashboards read the events of the queue. BullMQ keeps 10,000 of them by default.
      const queue = new Queue(name, { connection, prefix, streams: { events: { maxLen: 1000 } } })
      const worker = new Worker(name, async () => {}, {
        connection,
        prefix,
        concurrency,
        runRetryDelay: 1000,
        lockDuration: stalledMs,
        stalledInterval: stalledMs,
        skipLockRenewal: true,
        maxStalledCount: maxDeadNodes,
      })
      queue.on('error', onFault)
      worker.on('error', onFault)
      // BullMQ removes the listeners of a connection that it closes. If Redis has not answered the first command by then,
      // the command fails after the close, and BullMQ 5.81 emits `error` on the connection. Without a listener, this
      // event ends the process.
      for (const made of [queue, worker].flatMap(connectionsOf)) made.removeAllListeners = () => made
      // BullMQ removes the entry only now. Before, it would ignore a new wake-up for the same job.
      worker.on('completed', ({ id }) => {
        if (!isStopped() && id) wake(jobIdIn(id))
      })
      parts = { queue, worker, redis }
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

/**
 * Removes earlier wake-ups of the same jobs, and sets the new ones when Redis has answered. Sent at once, the commands
 * could swap: while a Redis Cluster comes back, the client repeats each command by itself, and a late removal would
 * delete the new wake-up.
 */
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
  await Promise.all(wakes.map(({ opts }) => queue.remove(opts.jobId)))
  await queue.addBulk(wakes)
}

/** The id of the BullMQ job that wakes a job. BullMQ accepts no id with a colon, and no number. */
function idOf(jobId: string): string {
  return `job-${jobId.replaceAll(/[%:]/g, encodeURIComponent)}`
}

function jobIdIn(id: string): string {
  return decodeURIComponent(id.slice('job-'.length))
}
