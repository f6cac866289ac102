import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { auditStorm, leaseMs, type TearDown } from '../serverless/storm-audit.ts'
import { around, orders, sampled, stormSeed } from '../serverless/storm-orders.ts'
import { mediaObjects } from './media-objects.ts'

/** A storm over services in Durable Objects, whose workerd is torn down again and again. */
export interface ObjectStorm {
  readonly jobs: number
  readonly objects: number
  readonly tearDowns: number
  /** How many milliseconds pass between two tear-downs, and between two creates, on average. */
  readonly everyMs: { readonly tearDown: number; readonly create: number }
}

/** By how much a busy machine may be late with an alarm, and for how long the vendor holds back answers, in milliseconds. */
const toleranceMs = 20_000

/** Everything that is random in a storm. It is the same for the same seed; the timing on the machine is not. */
function planStorm({ jobs, objects, tearDowns, everyMs }: ObjectStorm, seed: number) {
  const order = orders({ mostMs: 2000, mostHoldMs: 2000 })
  const create = fc.record({ order, object: fc.nat(objects - 1), afterMs: around(everyMs.create) })
  const tearDown = fc.record({
    afterMs: around(everyMs.tearDown),
    /** The vendor holds back such an answer in that moment. */
    inside: fc.constantFrom('submit', 'poll', 'any' as const),
  })
  return { creates: sampled(create, jobs, seed), tearDowns: sampled(tearDown, tearDowns, seed) }
}

/**
 * Creates jobs while workerd is torn down, and asks for none of them again. When the vendor has told of the end of everything that
 * it was paid for, reads the storage of the objects. `STORM_SEED` repeats a plan.
 * @returns what is wrong, and how the storm went
 */
export async function rideObjectStorm(storm: ObjectStorm, onEnd: (end: () => Promise<void>) => void) {
  const plan = planStorm(storm, stormSeed(storm.jobs))
  const objects = await mediaObjects()
  onEnd(() => objects.close())
  const { tasks } = objects.vendor
  const acknowledged = new Set<string>()
  const tearDowns: TearDown[] = []
  let isUp = Promise.resolve()

  async function create(object: string, order: object): Promise<void> {
    await isUp
    // A create that is torn down is not acknowledged, and its client gives up.
    const reply = await objects.create(object, order).catch(() => undefined)
    const body = await reply?.json().catch(() => undefined)
    if (reply?.status === 202 && body) acknowledged.add((body as { id: string }).id)
  }

  async function createAll(): Promise<void> {
    const creates: Promise<void>[] = []
    for (const [count, { order, object, afterMs }] of plan.creates.entries()) {
      await delay(afterMs)
      await isUp
      creates.push(create(`storm-${object}`, { ...order, prompt: `job ${count}` }))
    }
    await Promise.all(creates)
  }

  async function tearDownAll(): Promise<void> {
    for (const { afterMs, inside } of plan.tearDowns) {
      await delay(afterMs)
      const isHeld = () => inside === 'any' || tasks.some(({ held }) => held === inside)
      for (const endsAt = Date.now() + 3000; !isHeld() && Date.now() < endsAt;) await delay(5)
      const insideOf = tasks.flatMap(({ held }) => held ?? [])
      const from = Date.now()
      const torn = objects.tearDown()
      isUp = torn
      await torn
      tearDowns.push({ from, to: Date.now(), inside: insideOf })
    }
  }

  await Promise.all([createAll(), tearDownAll()])
  // The vendor is not asked about a task of which it can tell nothing after its answer was lost.
  const isTold = ({ kind, isPolled, saidDoneAt }: (typeof tasks)[number]) =>
    saidDoneAt !== undefined || (kind === 'plain' && !isPolled)
  await waitUntil(() => tasks.every(isTold), 60_000)
  const names = Array.from({ length: storm.objects }, (_, index) => `storm-${index}`)
  const readAll = async () => (await Promise.all(names.map(objects.stateOf))).flatMap(({ jobs }) => jobs)
  const hasEnded = async () => (await readAll()).every(({ completedAt }) => completedAt !== undefined)
  await waitUntil(hasEnded, 45_000)
  return {
    ...auditStorm({
      acknowledged,
      tearDowns,
      tasks,
      stored: await readAll(),
      mostLateMs: (torn) => toleranceMs + (torn.length > 0 ? leaseMs : 0),
    }),
    acknowledged,
    tearDowns,
  }
}

/** Waits for at most `ms` milliseconds. What has not come by then, the audit finds. */
async function waitUntil(
  hasCome: () => boolean | Promise<boolean>,
  ms: number,
  everyMs = 500,
): Promise<void> {
  for (const endsAt = Date.now() + ms; Date.now() < endsAt && !(await hasCome());) await delay(everyMs)
}
