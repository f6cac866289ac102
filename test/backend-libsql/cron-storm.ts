import fc from 'fast-check'
import { auditStorm, leaseMs, type TearDown } from '../serverless/storm-audit.ts'
import { around, orders, orNone, sampled, stormSeed } from '../serverless/storm-orders.ts'
import type { VendorTask } from '../serverless/task-vendor.ts'
import { functionHost, limitMs, type OnEnd } from './function-host.ts'

/** A storm over functions that share a libSQL database, and are killed. Times are those of a `functionHost`. */
export interface CronStorm {
  /** How many jobs are created. Until half of them are acknowledged, further ones follow, at most as many again. */
  readonly jobs: number
  /** As of `functionHost`. */
  readonly speed: number
  /** How many milliseconds pass between two invocations of the cron, and between two creates on average. */
  readonly everyMs: { readonly cron: number; readonly create: number }
}

/** By how much a busy machine may be late, and for how long the vendor holds back answers, in milliseconds. */
const toleranceMs = 30_000
/** After so many more invocations of the cron all jobs have ended, or the audit finds those that have not. */
const lastCrons = 8

/** Everything that is random in a storm. It is the same for the same seed; the timing on the machine is not. */
function planStorm({ jobs, everyMs }: CronStorm, seed: number) {
  const create = fc.record({
    order: orders({ mostMs: 20_000, mostHoldMs: 6000 }),
    afterMs: around(everyMs.create),
    killAfterMs: orNone(30, fc.integer({ min: 1, max: limitMs })),
    /** What the host does after the answer: it waits for what is under way, it has a `waitUntil`, or it stops the function. */
    afterAnswer: fc.constantFrom('settles', 'waits', 'stops'),
  })
  return {
    creates: sampled(create, 2 * jobs, seed),
    /** Every third invocation of the cron is killed. */
    crons: sampled(fc.integer({ min: 1, max: 4000 }), 1000, seed).map((ms, index) =>
      index % 3 === 1 ? ms : 0,
    ),
  }
}

/**
 * Creates jobs by an invocation each, while a cron comes again and again. Invocations are killed, at their limit at the latest. No
 * client asks for a job again. `STORM_SEED` repeats a plan.
 * @returns what is wrong, and how the storm went
 */
export async function rideCronStorm(storm: CronStorm, onEnd: OnEnd) {
  const plan = planStorm(storm, stormSeed(storm.jobs))
  const { tasks, tearDowns, rest, stored, invoke } = await functionHost(storm.speed, onEnd)
  const acknowledged = new Set<string>()

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
      // On a busy machine many invocations reach their limit before they have answered.
      if (index >= storm.jobs) await Promise.all(creates)
      if (index >= storm.jobs && acknowledged.size > storm.jobs / 2) break
      await rest(afterMs)
      creates.push(create(index))
    }
    await Promise.all(creates)
  }

  const hasEnded = () => stored().every(({ completedAt }) => completedAt !== undefined)

  const creates = { haveEnded: false }
  const created = createAll().finally(() => (creates.haveEnded = true))
  const crons: Promise<unknown>[] = []
  for (let left = lastCrons; left > 0 && !(creates.haveEnded && hasEnded());) {
    const next = rest(storm.everyMs.cron)
    crons.push(invoke(plan.crons[crons.length]!, { hasWaitUntil: false }).then(({ ended }) => ended))
    await next
    if (creates.haveEnded) left--
  }
  await Promise.all([created, ...crons])

  return {
    ...auditStorm({
      acknowledged,
      tearDowns,
      tasks,
      stored: stored(),
      mostLateMs: mostLateMs(storm.everyMs.cron),
    }),
    acknowledged,
    tearDowns,
    crons: crons.length,
  }
}

/** A job waits for the next cron, and for one more if it has to be submitted or looked up again. */
function mostLateMs(cronMs: number) {
  return (torn: readonly TearDown[], task: VendorTask | undefined): number => {
    const { doneAt = 0, losesAnswer = false } = task ?? {}
    const killedCrons = torn.filter(({ prompt, to }) => prompt === undefined && to > doneAt).length
    const again = torn.length > 0 || losesAnswer ? 1 : 0
    return cronMs * (1 + killedCrons + again) + (torn.length > 0 ? leaseMs : 0) + toleranceMs
  }
}
