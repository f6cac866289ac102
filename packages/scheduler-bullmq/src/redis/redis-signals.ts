import {
  checkLog,
  checkOptions,
  type Check,
  checkObject,
  type JobSignals,
  type Log,
  memorySignals,
  newsIn,
  newsText,
  optional,
  type OptionTable,
  text,
} from '@genmount/core'
import { after, batches } from './batches.ts'
import { redisFaults } from './redis-faults.ts'

/** The part of a Redis client that `redisSignals` uses. An ioredis client fits. */
export interface RedisPublisher {
  /** Publishes a message. Rejects, or resolves late, when Redis does not answer. */
  publish(channel: string, message: string): Promise<unknown>
  /** Makes a client with a connection of its own. */
  duplicate(): RedisSubscriber
}

/** The part of the subscribing Redis client that `redisSignals` uses. */
export interface RedisSubscriber {
  /** Subscribes to a channel. It is called again every 1.5 seconds, to check whether Redis still answers. */
  subscribe(channel: string): Promise<unknown>
  /** Calls `listener` with the channel and the text of each message. */
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
  /** Calls `listener` when the connection has an error. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Calls `listener` when the connection has ended, even if the client reconnects. */
  on(event: 'close', listener: () => void): unknown
  /** Ends the connection, without waiting for Redis. */
  disconnect(): void
}

/** The options of `redisSignals`. */
export interface RedisSignalsOptions {
  /**
   * The app's client, which publishes signals. A duplicate of the client subscribes. Closing the signals closes only
   * the duplicate.
   */
  readonly client: RedisPublisher
  /** The channel of Redis that all nodes of one job store use, and no other service. @default 'genmount' */
  readonly channel?: string | undefined
  /** Gets at most one line a minute while Redis fails. @default `console` */
  readonly log?: Log | undefined
}

/**
 * How often the subscription is checked, in milliseconds. A missing answer is noticed when the next check is due, so a
 * lost signal costs at most twice this time.
 */
const beatMs = 1500
/** How long a close waits for the last signals to be published, in milliseconds. */
const closingMs = 1000
/** The most publications of news that may wait for an answer of Redis. Further news is dropped. */
const maxNewsUnderWay = 100
/** For how many jobs the subscribers are woken before the event loop runs again. */
const sliceSize = 50
/** The pause between two such slices, in milliseconds, so that the job store gets at most 5,000 reads a second. */
const slicePauseMs = 10

const checkClient: Check<RedisPublisher> = (name, value) => {
  const such = ' such as new Redis() of ioredis'
  const client = checkObject(name, value, such) as unknown as RedisPublisher
  if (typeof client.publish === 'function' && typeof client.duplicate === 'function') return client
  throw new TypeError(`${name} must be a client${such}: it lacks publish or duplicate.`)
}

const table = {
  client: checkClient,
  channel: optional(text(), 'genmount'),
  log: optional(checkLog),
} satisfies OptionTable<RedisSignalsOptions>

/**
 * Passes signals and news on within this process at once, and between nodes through one channel of Redis. While Redis
 * is not available, waiting requests read the job store every 1.5 seconds, and once more when Redis is back.
 *
 * The first waiting request makes it subscribe. From then until `close()`, the connection keeps the process alive.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers, backend: { ...backend, signals: redisSignals({ client }) } })
 */
export function redisSignals(options: RedisSignalsOptions): Required<JobSignals> {
  const { client, channel, log = console } = checkOptions('redisSignals', options, table)
  const local = memorySignals()
  const node = crypto.randomUUID()
  const tell = redisFaults(
    log,
    'Until it does, requests that wait for a job of another node are answered up to 3 seconds late.',
  )
  /** The number of subscriptions for each job. */
  const watches = new Map<string, number>()
  let subscriber: RedisSubscriber | undefined
  let isBeating = false
  let isAsking = false
  /** Whether, as far as is known, every signal has arrived since the last answer of Redis. */
  let isComplete = false
  let isWakingAll = false
  let hasClosed = false
  let newsUnderWay = 0

  const onFault = (fault: unknown) => {
    if (!hasClosed) tell(fault)
  }
  const publications = batches<undefined>(
    (batch) => client.publish(channel, JSON.stringify([node, ...batch.keys()])),
    onFault,
  )

  function connected(): RedisSubscriber {
    const made = client.duplicate()
    made.on('message', (_channel, message) => {
      const { from, jobIds = [], jobId, news } = partsOf(message)
      if (from === node) return
      for (const changed of jobIds) local.publish(changed)
      const jobNews = newsIn(news ?? {})
      if (jobNews) local.news.publish(String(jobId), jobNews)
    })
    made.on('close', () => (isComplete = false))
    made.on('error', (error) => {
      isComplete = false
      onFault(error)
    })
    return made
  }

  async function beat(): Promise<void> {
    isBeating = true
    while (watches.size > 0) {
      if (isAsking) {
        isComplete = false
        void wakeAll()
      } else void ask()
      await after(beatMs)
    }
    isBeating = false
  }

  async function ask(): Promise<void> {
    isAsking = true
    try {
      subscriber ??= connected()
      await subscriber.subscribe(channel)
      if (!isComplete) void wakeAll()
      isComplete = true
    } catch (fault) {
      isComplete = false
      onFault(fault)
      void wakeAll()
    }
    isAsking = false
  }

  /** Wakes all subscribers, so that they read the store: a signal for them may have been lost. */
  async function wakeAll(): Promise<void> {
    if (isWakingAll) return
    isWakingAll = true
    const jobIds = [...watches.keys()]
    for (let start = 0; start < jobIds.length; start += sliceSize) {
      for (const jobId of jobIds.slice(start, start + sliceSize)) local.publish(jobId)
      await after(slicePauseMs)
    }
    isWakingAll = false
  }

  /** @returns a function that ends the watch, together with the subscription in this process */
  function watched(jobId: string, unsubscribe: () => void): () => void {
    if (hasClosed) return unsubscribe
    watches.set(jobId, (watches.get(jobId) ?? 0) + 1)
    if (!isBeating) void beat()
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      unsubscribe()
      const left = (watches.get(jobId) ?? 0) - 1
      if (left > 0) watches.set(jobId, left)
      else watches.delete(jobId)
    }
  }

  return {
    publish(jobId, job) {
      local.publish(jobId, job)
      publications.put(jobId, undefined)
    },
    subscribe: (jobId, wake) => watched(jobId, local.subscribe(jobId, wake)),
    news: {
      publish(jobId, news) {
        local.news.publish(jobId, news)
        if (hasClosed || newsUnderWay >= maxNewsUnderWay) return
        newsUnderWay++
        const end = () => void newsUnderWay--
        const message = `{"from":"${node}","jobId":${JSON.stringify(jobId)},"news":${newsText(news)}}`
        client.publish(channel, message).then(end, (fault: unknown) => {
          end()
          onFault(fault)
        })
      },
      subscribe: (jobId, hear) => watched(jobId, local.news.subscribe(jobId, hear)),
    },
    async close() {
      if (hasClosed) return
      await publications.end(closingMs)
      hasClosed = true
      watches.clear()
      subscriber?.disconnect()
    },
  }
}

interface MessageParts {
  readonly from?: unknown
  /** The jobs that have changed. */
  readonly jobIds?: readonly string[]
  /** The job that the news is about. */
  readonly jobId?: unknown
  readonly news?: Readonly<Record<string, unknown>> | undefined
}

/** Parses a message: the node that published it, and the ids of jobs or news. Empty for a message of another origin. */
function partsOf(message: string): MessageParts {
  try {
    const said: unknown = JSON.parse(message)
    if (Array.isArray(said)) {
      const [from, ...jobIds] = said.map(String)
      return { from, jobIds }
    }
    const { from, jobId, news } = (said ?? {}) as MessageParts
    return { from, jobId, news }
  } catch {
    return {}
  }
}
