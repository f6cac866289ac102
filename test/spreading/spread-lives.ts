import { expect } from 'vitest'
import * as fc from 'fast-check'
import { type FakeBehaviour, refused } from '@genmount/testing'
import { spreadWorld } from './spread-world.ts'

/** What becomes of the submit of a part. */
const kinds = ['made', 'busy', 'unreachable', 'forbidden', 'lost before', 'lost after'] as const
type Kind = (typeof kinds)[number]

const firstTries: Readonly<Partial<Record<Kind, FakeBehaviour>>> = {
  busy: { submit: refused(5000) },
  unreachable: { submit: 'connection_refused' },
  forbidden: { failure: { code: 'content_policy' }, costUsd: 0 },
  'lost before': { submit: 'reset' },
  'lost after': { answer: 'reset' },
}

/** The parts that a vendor makes and whose submits it answers. */
const isMade = (kind: Kind) => !/^(?:lost|forbidden)/.test(kind)

/** A life of one job in one process after another. */
interface SpreadLife {
  readonly parts: readonly Kind[]
  /** How long the vendor works on each part, in milliseconds. `undefined` when it answers a submit with the picture. */
  readonly workMs: readonly (number | undefined)[]
  /** How long each process lives before it is killed, in milliseconds. */
  readonly livesMs: readonly number[]
  /** How long each call to the vendor takes, in milliseconds. */
  readonly latencyMs: number
  /** Whether the owner cancels the job after the last death. */
  readonly isCanceled: boolean
}

const lives: fc.Arbitrary<SpreadLife> = fc.record({
  parts: fc.array(fc.oneof(fc.constant('made' as const), fc.constantFrom(...kinds)), {
    minLength: 2,
    maxLength: 4,
  }),
  workMs: fc.oneof(
    fc.constant([]),
    fc.array(fc.constantFrom(0, 1000, 10_000, 600_000), { minLength: 4, maxLength: 4 }),
  ),
  livesMs: fc.array(fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 90_000 })), {
    maxLength: 4,
  }),
  latencyMs: fc.constantFrom(0, 30, 2000),
  isCanceled: fc.boolean(),
})

/** Checks this many random lives. */
export async function checkSpreadLives(numRuns: number): Promise<void> {
  await fc.assert(fc.asyncProperty(lives, checkSpreadLife), { numRuns })
}

async function checkSpreadLife(life: SpreadLife): Promise<void> {
  const { parts, workMs, livesMs, latencyMs, isCanceled } = life
  const world = spreadWorld(
    (part, attempt) => ({
      ...(workMs[part] !== undefined && { delayMs: workMs[part] }),
      ...(attempt === 1 && firstTries[parts[part]!]),
    }),
    { latencyMs },
  )
  let server = world.start()
  const id = await world.createAt(server, parts.length)
  for (const lifeMs of livesMs) {
    await world.clock.advance(lifeMs)
    server.die()
    server = world.start()
  }
  if (isCanceled) {
    await world.clock.advance(1000)
    const canceling = server.service.cancel(id, 'alice').catch(() => {})
    await world.clock.advance(1)
    const before = world.submits.length
    await world.clock.advance(2_400_000)
    await canceling
    expect(world.submits).toHaveLength(before)
  }
  await world.clock.advance(2_400_000)

  const job = (await world.jobs.get(id))!
  expect(['completed', 'failed']).toContain(job.phase)
  // No part is paid for twice.
  expect(world.payments()).toEqual(world.payments().map(() => 1))
  const delivered = await world.delivered(id)
  expect(delivered).toEqual(delivered.toSorted((one, other) => one - other))
  expect(new Set(delivered).size).toBe(delivered.length)
  // A death costs the one part that was being submitted.
  const undelivered = world.paidParts().filter((part) => isMade(parts[part]!) && !delivered.includes(part))
  if (!isCanceled) expect(undelivered.length).toBeLessThanOrEqual(livesMs.length)
  const paidUsd = world.provider.ledger.reduce((sum, { costUsd }) => sum + costUsd, 0)
  if (job.isCostKnown) expect(job.costUsd).toBeCloseTo(paidUsd, 9)
  if (!isCanceled && livesMs.length === 0 && parts.every(isMade))
    expect([job.phase, delivered.length, job.isCostKnown]).toEqual(['completed', parts.length, true])
}
