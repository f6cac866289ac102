import fc from 'fast-check'
import { expect } from 'vitest'
import type { Job } from '@genmount/core'
import { type Capabilities, capabilities, type Command, command } from './job-life-commands.ts'
import { type JobLifeWorld, jobLifeWorld } from './job-life-world.ts'
import { sharedMemory } from './shared-stores.ts'
import type { OpenStore } from './simulated-world.ts'

interface Life {
  readonly commands: readonly Command[]
  /** @default none */
  readonly offers?: Capabilities | undefined
  /** @default a store in memory */
  readonly openStore?: OpenStore
  /** Whether all jobs must complete, and each must be paid for once. @default false */
  readonly isDelivered?: boolean
}

/**
 * Lets two processes obey the commands, and checks what became of the jobs: no forbidden move, no second payment, and
 * nothing paid is dropped whose outcome somebody knows.
 */
export async function checkLife({
  commands,
  offers = {},
  openStore,
  isDelivered = false,
}: Life): Promise<void> {
  // In a database calls end in their own time, and shorter steps keep the clock from running away from them.
  const world = jobLifeWorld(offers, openStore ?? sharedMemory, openStore ? 100 : 5000)
  try {
    await checkObedience(world, commands)
    await checkEnds(world, offers, isDelivered)
    // Calls of a killed process end by themselves, as requests do whose sender has died. A database has timers of its own.
    if (openStore || commands.some((step) => step.do === 'crash')) return
    expect(world.clock.pendingTimers).toBe(0)
    // Other processes can not see that a process is still calling the provider when it can not renew its claim.
    if (!commands.some((step) => losesClaims.has(step.do))) expect(world.vendor.overlaps).toEqual([])
  } finally {
    await world.end()
  }
}

async function checkObedience(world: JobLifeWorld, commands: readonly Command[]): Promise<void> {
  for (const step of commands) {
    await world.obey(step)
    for (const [id, end] of world.ends) {
      const now = await world.stored(id)
      if (now) expect(now).toEqual(end)
    }
    for (const id of world.deleted) {
      const row = await world.stored(id)
      if (row) expect(row, `deleted job ${id}`).toMatchObject({ expiresAt: 0 })
    }
  }
  await world.heal()
  for (const id of world.deleted) expect(await world.stored(id), `row of deleted job ${id}`).toBeUndefined()
  expect(world.breaches).toEqual([])
}

async function checkEnds(world: JobLifeWorld, offers: Capabilities, isDelivered: boolean): Promise<void> {
  for (const { id } of world.created) {
    const end = world.ends.get(id)
    expect(end, `job ${id} has an end`).toBeDefined()
    const paid = world.vendor.ledger.filter(({ jobId }) => jobId === id)
    expect(paid.length, `payments for job ${id}`).toBeLessThanOrEqual(1)
    if (isDelivered) expect([end?.phase, end?.error?.code, paid.length]).toEqual(['completed', undefined, 1])
    if (end?.phase === 'completed') {
      expect(end.outputs.length).toBeGreaterThan(0)
      expect(end.costUsd).toBe(paid[0]?.costUsd)
    }
    if (end?.error?.code === 'canceled' && end.isCostKnown) expect(end.costUsd).toBe(paid[0]?.costUsd ?? 0)
    if (paid.length > 0 && (await isDropped(world, end)))
      expect(whoKnows(world, id, offers), `job ${id} ended as ${end?.error?.code}`).toBeUndefined()
  }
}

const losesClaims: ReadonlySet<Command['do']> = new Set(['freeze', 'outage', 'set clock', 'a day later'])

/** Whether the service gave a paid job up without knowing its outcome, and the job is still stored. */
async function isDropped({ clock, stored }: JobLifeWorld, end: Job | undefined): Promise<boolean> {
  return (
    end?.error?.code === 'submit_ambiguous' &&
    clock.now() < end.expiresAt &&
    (await stored(end.id)) !== undefined
  )
}

/** Who could have told the outcome of a paid job; `undefined` if nobody could. */
function whoKnows(
  { heard, inLivingHands, ends }: JobLifeWorld,
  id: string,
  offers: Capabilities,
): string | undefined {
  if (offers.find) return 'the provider'
  // After its deadline, or a cancel, a job is not submitted any more, and not submitted again either.
  const { completedAt = 0, deadlineAt = 0, cancelAskedAt } = ends.get(id) ?? {}
  if (offers.dedupesSubmits && cancelAskedAt === undefined && completedAt < deadlineAt) return 'the provider'
  if (heard.has(id)) return 'a callback that was taken'
  return inLivingHands().has(id) ? 'a process that lived on' : undefined
}

/** Checks random lives. */
export async function checkRandomLives(count: number): Promise<void> {
  const property = fc.asyncProperty(
    fc.array(command, { minLength: 5, maxLength: 40 }),
    capabilities,
    (commands, offers) => checkLife({ commands, offers }),
  )
  const interruption = { interruptAfterTimeLimit: 840_000, markInterruptAsFailure: true }
  // Most of the CPU time goes to turns of the event loop, which lives at the same time share.
  const check = () => fc.assert(property, { numRuns: count / 5, ...interruption, endOnFailure: true })
  await Promise.all(Array.from({ length: 5 }, check))
}
