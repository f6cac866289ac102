import fc from 'fast-check'
import { expect } from 'vitest'
import type { Job } from '@genmount/core'
import { type Capabilities, capabilities, type Command, command } from './job-life-commands.ts'
import { JobLife } from './job-life-world.ts'
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
  const life = new JobLife(offers, openStore ?? sharedMemory, openStore ? 100 : 5000)
  const { world } = life
  try {
    await checkObedience(life, commands)
    await checkEnds(life, offers, isDelivered)
    // Calls of a killed process end by themselves, as requests do whose sender has died. A database has timers of its own.
    if (openStore || commands.some((step) => step.do === 'crash')) return
    expect(world.clock.pendingTimers).toBe(0)
    // Other processes can not see that a process is still calling the provider when it can not renew its claim.
    if (!commands.some((step) => losesClaims.has(step.do))) expect(world.vendor.overlaps).toEqual([])
  } finally {
    await world.close()
  }
}

async function checkObedience(life: JobLife, commands: readonly Command[]): Promise<void> {
  for (const step of commands) {
    await life.obey(step)
    for (const [id, end] of life.ends) {
      const now = await life.stored(id)
      if (now) expect(now).toEqual(end)
    }
    for (const id of life.deleted) {
      const row = await life.stored(id)
      if (row) expect(row, `deleted job ${id}`).toMatchObject({ deletedAt: expect.any(Number) })
    }
  }
  await life.heal()
  for (const id of life.deleted) {
    // What may stay for a day is the idempotency key.
    const row = await life.stored(id)
    if (row) expect(row, `row of deleted job ${id}`).toMatchObject({ owner: '', input: {}, outputs: [] })
    if (row) expect(row.idempotency, `key of deleted job ${id}`).toBeDefined()
  }
  expect(life.breaches).toEqual([])
}

async function checkEnds(life: JobLife, offers: Capabilities, isDelivered: boolean): Promise<void> {
  for (const { id } of life.created) {
    const end = life.ends.get(id)
    expect(end, `job ${id} has an end`).toBeDefined()
    const paid = life.world.vendor.ledger.filter(({ jobId }) => jobId === id)
    expect(paid.length, `payments for job ${id}`).toBeLessThanOrEqual(1)
    if (isDelivered) expect([end?.phase, end?.error?.code, paid.length]).toEqual(['completed', undefined, 1])
    if (end?.phase === 'completed') {
      // Of a deleted job, only its key may be left.
      if (end.deletedAt === undefined) expect(end.outputs.length).toBeGreaterThan(0)
      expect(end.costUsd).toBe(paid[0]?.costUsd)
    }
    if (end?.error?.code === 'canceled' && end.isCostKnown) expect(end.costUsd).toBe(paid[0]?.costUsd ?? 0)
    // Whether the service gave a paid job up without knowing its outcome, and the job is still stored.
    if (paid.length === 0 || end?.error?.code !== 'submit_ambiguous') continue
    if (life.world.clock.now() < end.expiresAt && (await life.stored(id)))
      expect(whoKnows(life, end, offers), `job ${id} ended as ${end.error.code}`).toBeUndefined()
  }
}

const losesClaims: ReadonlySet<Command['do']> = new Set(['freeze', 'outage', 'set clock', 'a day later'])

/** Who could have told the outcome of a paid job; `undefined` if nobody could. */
function whoKnows(life: JobLife, end: Job, offers: Capabilities): string | undefined {
  if (offers.find) return 'the provider'
  // After its deadline, or a cancel, a job is not submitted any more, and not submitted again either.
  const { id, completedAt = 0, deadlineAt = 0, cancelAskedAt } = end
  if (offers.dedupesSubmits && cancelAskedAt === undefined && completedAt < deadlineAt) return 'the provider'
  if (life.heard.has(id)) return 'a callback that was taken'
  return life.isInLivingHands(id) ? 'a process that lived on' : undefined
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
