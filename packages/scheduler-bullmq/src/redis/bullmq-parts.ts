import { Queue, type RedisOptions, Worker } from 'bullmq'
import { after } from './batches.ts'
import { connectionsOf } from './connections-of.ts'
import { bullmqConnection, type RedisClusterClient } from './redis-connection.ts'

/** How long an end waits until BullMQ has closed its connections, in milliseconds. */
const closingMs = 1000
/** How many wake-ups a node takes at the same time. */
const concurrency = 20
/** After how many milliseconds a wake-up that a dead node has taken goes to another node. */
const stalledMs = 5000
/** How many nodes may die with a wake-up before BullMQ drops the wake-up: any number. BullMQ's default is 1. */
const maxDeadNodes = 1_000_000_000

/** What a node uses of BullMQ: a queue to which it adds wake-ups, and a worker that takes them. */
export interface BullmqParts {
  readonly queue: Queue
  /**
   * Resolves when the queue and the worker have begun to work. Rejects if a connection breaks before. BullMQ does not try
   * again then, so parts that have rejected never work.
   */
  readonly ready: Promise<unknown>
  /** Closes and reopens the connections that seem to work. ioredis then sends the commands without an answer again. */
  reconnect(): void
  /** Ends all connections. Resolves after a second at the latest. */
  end(): Promise<void>
}

export interface PartsContext {
  readonly connection: RedisOptions | RedisClusterClient
  /** The name of the queue. */
  readonly name: string
  readonly onFault: (fault: unknown) => void
  /** Called with the id of each BullMQ job that has come to its time. */
  readonly onDue: (id: string) => void
}

export function bullmqParts({
  connection: connectionOption,
  name,
  onFault,
  onDue,
}: PartsContext): BullmqParts {
  const redis = bullmqConnection(connectionOption, name)
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
  const connections = [queue, worker].flatMap(connectionsOf)
  // BullMQ removes the listeners of a connection that it closes. If Redis has not answered the first command by then,
  // the command fails after the close, and BullMQ 5.81 emits `error` on the connection. Without a listener, this
  // event ends the process.
  for (const made of connections) made.removeAllListeners = () => made
  // BullMQ has removed its own job only now. Until then, it would ignore a new wake-up for the same job.
  worker.on('completed', ({ id }) => {
    if (id) onDue(id)
  })
  const clients: Awaited<Queue['client']>[] = []
  for (const part of [queue, worker]) part.client.then((client) => clients.push(client)).catch(() => {})

  return {
    queue,
    ready: Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]),
    reconnect() {
      for (const client of clients) if (client.status === 'ready') client.disconnect(true)
    },
    async end() {
      // Otherwise a check for stalled wake-ups that ends during the close keeps the process alive for 5 more seconds.
      worker.opts.stalledInterval = 0
      await Promise.race([Promise.allSettled([worker.close(), queue.close()]), after(closingMs)])
      // A close hangs when Redis does not answer. These calls do not wait for Redis: `close` ends a connection whose
      // close has not begun, and `disconnect` ends every other. Their promises may hang, so nothing waits for them.
      for (const made of connections) {
        made.close(true).catch(() => {})
        made.disconnect(false).catch(() => {})
      }
      redis.end()
    },
  }
}
