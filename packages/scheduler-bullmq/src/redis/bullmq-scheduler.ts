import {
  checkLog,
  checkOptions,
  type Log,
  optional,
  type OptionTable,
  type Scheduler,
  text,
} from '@genmount/core'
import type { Queue, RedisOptions } from 'bullmq'
import { after, batches } from './batches.ts'
import { bullmqParts, type BullmqParts } from './bullmq-parts.ts'
import { checkConnection, type RedisClusterClient } from './redis-connection.ts'
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

/** How long a stop waits for wake-ups that are not set yet, in milliseconds. */
const settingMs = 1000
/** How long Redis may take to answer before the scheduler reconnects, in milliseconds. */
const answerMs = 5000
/** After how many milliseconds the scheduler starts BullMQ again, if BullMQ could not start. */
const againMs = 1000

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
  let parts: BullmqParts | undefined
  let stopped: Promise<void> | undefined
  const isStopped = () => stopped !== undefined
  const onFault = (fault: unknown) => {
    if (!isStopped()) tell(fault)
  }
  const wishes = batches<number>(async (batch) => {
    if (parts) await answered(parts, setWakes(parts.queue, batch))
  }, onFault)

  /**
   * Waits for the answer. While none arrives, it reconnects every 5 seconds, and ioredis sends the commands again.
   * @throws the error of the answer, or an Error when the scheduler has started BullMQ again meanwhile
   */
  async function answered(partsOfCall: BullmqParts, answer: Promise<unknown>): Promise<void> {
    const isThere = answer.then(() => true)
    // After a stop no code waits for the answer. An unhandled rejection would end the process.
    isThere.catch(() => {})
    while (!isStopped() && !(await Promise.race([isThere, after(answerMs)]))) {
      const fault = new Error(`Redis has not answered for ${answerMs} ms.`)
      if (partsOfCall !== parts) throw fault
      onFault(fault)
      // A connection whose other end has vanished would take a quarter of an hour to fail by itself.
      partsOfCall.reconnect()
    }
  }

  function begin(wake: (jobId: string) => void): void {
    const onDue = (id: string) => {
      if (!isStopped()) wake(jobIdIn(id))
    }
    const begun = bullmqParts({ connection: checked.connection, name, onFault, onDue })
    parts = begun
    begun.ready.catch(async () => {
      if (isStopped()) return
      await begun.end()
      await after(againMs)
      if (!isStopped()) begin(wake)
    })
  }

  async function stop(): Promise<void> {
    early.clear()
    await wishes.end(settingMs)
    await parts?.end()
  }

  return {
    start(wake) {
      if (isStopped() || parts) return
      begin(wake)
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
 * Removes the earlier wake-ups of the same jobs, and sets the new ones when Redis has answered. If all commands were
 * sent at once, their order could change: while a Redis Cluster comes back, its client repeats each command by itself,
 * and a late removal would delete the new wake-up.
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
