import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { build } from 'esbuild'
import fc from 'fast-check'
import { fastClock } from '../deaths/service/fast-clock.ts'
import { launch } from '../processes/launch.ts'
import { auditStorm, leaseMs, type StoredJob, type TearDown } from '../serverless/storm-audit.ts'
import { around, orders, orNone, sampled, stormSeed } from '../serverless/storm-orders.ts'
import { taskVendor } from '../serverless/task-vendor.ts'
import { disposableFolder } from '../disposable-folder.ts'
import { hranaServer } from './hrana-server.ts'
import type { Invocation } from './processes/function.ts'

/** A storm over functions that share a libSQL database, and are killed. All times are those of its clock, which runs fast. */
export interface CronStorm {
  readonly jobs: number
  /** How many milliseconds pass between two invocations of the cron, and between two creates on average. */
  readonly everyMs: { readonly cron: number; readonly create: number }
}

/** How many seconds pass for the functions, the database and the vendor in one second of the machine. */
const speed = 6
/** The host kills an invocation that has not ended by then, in milliseconds. */
const limitMs = 10_000
/** By how much a busy machine may be late, and for how long the vendor holds back answers, in milliseconds. */
const toleranceMs = 30_000
/** After so many more invocations of the cron all jobs have ended, or the audit finds those that have not. */
const lastCrons = 8

/** Everything that is random in a storm. It is the same for the same seed; the timing on the machine is not. */
function planStorm({ jobs, everyMs }: CronStorm, seed: number) {
  const early = (percent: number) =>
    orNone(percent, fc.integer({ min: 1, max: limitMs })).map((ms) => ms || limitMs)
  const create = fc.record({
    order: orders({ mostMs: 40_000, mostHoldMs: 12_000 }),
    afterMs: around(everyMs.create),
    killAfterMs: early(30),
    /** What the host does after the answer: it waits for what is under way, it has a `waitUntil`, or it stops the function. */
    afterAnswer: fc.constantFrom('settles', 'waits', 'stops'),
  })
  return {
    creates: sampled(create, jobs, seed),
    /** After how many milliseconds each invocation of the cron is killed. */
    crons: sampled(early(30), 1000, seed),
  }
}

/**
 * Creates jobs by an invocation each, while a cron comes again and again. Invocations are killed, at their limit at the latest. No
 * client asks for a job again. `STORM_SEED` repeats a plan.
 * @returns what is wrong, and how the storm went
 */
export async function rideCronStorm(storm: CronStorm, onEnd: (end: () => Promise<void> | void) => void) {
  const plan = planStorm(storm, stormSeed(storm.jobs))
  const clockOptions = { speed, systemAt: Date.now(), showsAt: Date.now() }
  const clock = fastClock(() => clockOptions)
  const rest = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))
  const database = new DatabaseSync(':memory:')
  database.function('unixepoch', { varargs: true }, () => clock.now() / 1000)
  const server = await hranaServer(() => database)
  onEnd(server.stop)
  const vendor = await taskVendor(clock)
  onEnd(vendor.close)
  const { tasks } = vendor
  const script = await bundledFunction(onEnd)
  const acknowledged = new Set<string>()
  const tearDowns: TearDown[] = []

  /** Starts an invocation, and kills it if it does not end before its time. */
  async function invoke(killAfterMs: number, part: Pick<Invocation, 'order' | 'hasWaitUntil'>) {
    const invocation: Invocation = {
      database: `${server.origin}/jobs/`,
      vendor: vendor.url,
      clock: clockOptions,
      ...part,
    }
    const prompt = (part.order as { prompt: string } | undefined)?.prompt
    const instance = launch([process.execPath, script, JSON.stringify(invocation)])
    async function kill(): Promise<void> {
      if (instance.hasEnded) return
      const inside = tasks.flatMap((task) =>
        (prompt ?? task.prompt) === task.prompt ? (task.held ?? []) : [],
      )
      const from = clock.now()
      await instance.kill()
      tearDowns.push({ from, to: clock.now(), inside, ...(prompt !== undefined && { prompt }) })
    }
    await instance.line()
    const spare = clock.after(killAfterMs, () => void kill())
    return { answer: () => instance.line(), kill, ended: instance.ended.finally(spare) }
  }

  async function create(index: number): Promise<void> {
    const { order, killAfterMs, afterAnswer } = plan.creates[index]!
    const invocation = await invoke(killAfterMs, {
      order: { ...order, prompt: `job ${index}` },
      hasWaitUntil: afterAnswer === 'waits',
    })
    // The client of a create that is killed gives up.
    const answer = await invocation.answer().catch(() => '{}')
    const { status, id } = JSON.parse(answer) as { status?: number; id?: string }
    if (status === 202 && id !== undefined) acknowledged.add(id)
    if (afterAnswer === 'stops') await invocation.kill()
    await invocation.ended
  }

  async function createAll(): Promise<void> {
    const creates: Promise<void>[] = []
    for (const [index, { afterMs }] of plan.creates.entries()) {
      await rest(afterMs)
      creates.push(create(index))
    }
    await Promise.all(creates)
  }

  const stored = () =>
    database
      .prepare('SELECT job FROM jobs')
      .all()
      .map(({ job }) => JSON.parse(String(job)) as StoredJob)
  const hasEnded = () => stored().every(({ completedAt }) => completedAt !== undefined)

  let areCreated = false
  const created = createAll().finally(() => (areCreated = true))
  const crons: Promise<unknown>[] = []
  for (let left = lastCrons; left > 0 && !(areCreated && hasEnded());) {
    const next = rest(storm.everyMs.cron)
    crons.push(invoke(plan.crons[crons.length]!, { hasWaitUntil: false }).then(({ ended }) => ended))
    await next
    if (areCreated) left--
  }
  await Promise.all([created, ...crons])

  /** A job waits for the next cron, and for one more if it has to be submitted or looked up again. */
  function mostLateMs(torn: readonly TearDown[], task: { losesAnswer: boolean } | undefined): number {
    const killedCrons = torn.filter(({ prompt }) => prompt === undefined).length
    const again = torn.length > 0 || task?.losesAnswer ? 1 : 0
    return storm.everyMs.cron * (1 + killedCrons + again) + (torn.length > 0 ? leaseMs : 0) + toleranceMs
  }

  return {
    ...auditStorm({ acknowledged, tearDowns, tasks, stored: stored(), mostLateMs }),
    acknowledged,
    tearDowns,
    crons: crons.length,
  }
}

/** A file that starts in a tenth of a second. */
async function bundledFunction(onEnd: (end: () => Promise<void> | void) => void): Promise<string> {
  const folder = disposableFolder()
  onEnd(() => folder[Symbol.dispose]())
  const outfile = join(folder.path, 'function.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'processes/function.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    // `@libsql/client` then needs no other module at run time.
    conditions: ['@genmount/source', 'workerd'],
    outfile,
  })
  return outfile
}
