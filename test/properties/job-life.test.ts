import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { type Capabilities, capabilities, type Command, command } from './job-life-commands.ts'
import { type JobLifeWorld, jobLifeWorld } from './job-life-world.ts'

async function run(commands: readonly Command[], offers: Capabilities): Promise<void> {
  const world = jobLifeWorld(offers)
  for (const step of commands) {
    await world.obey(step)
    for (const [id, end] of world.ends) {
      const now = await world.stored(id)
      if (now) expect(now).toEqual(end)
    }
  }
  await world.heal()

  expect(world.breaches).toEqual([])
  for (const { id } of world.created) {
    const end = world.ends.get(id)
    expect(end, `job ${id} has an end`).toBeDefined()
    const paid = world.vendor.ledger.filter(({ jobId }) => jobId === id)
    expect(paid.length, `payments for job ${id}`).toBeLessThanOrEqual(1)
    if (end?.phase === 'completed') {
      expect(end.outputs.length).toBeGreaterThan(0)
      expect(end.costUsd).toBe(paid[0]?.costUsd)
    }
    if (paid.length > 0 && (await isDropped(world, end)))
      expect(whoKnows(world, id, offers), `job ${id} ended as ${end?.error?.code}`).toBeUndefined()
  }
  // What a killed process had begun ends by itself, as a request does whose sender has died.
  if (commands.some((step) => step.do === 'crash')) return
  expect(world.vendor.overlaps).toEqual([])
  expect(world.clock.pendingTimers).toBe(0)
}

/** Whether a paid job ended without its outcome being known, and is still kept. */
async function isDropped({ clock, stored }: JobLifeWorld, end: Job | undefined): Promise<boolean> {
  const isLost = end?.error?.code === 'submit_ambiguous' || end?.error?.code === 'output_invalid'
  return isLost && clock.now() < end.expiresAt && (await stored(end.id)) !== undefined
}

/** Who could have told what became of a paid job. */
function whoKnows({ heard, answered }: JobLifeWorld, id: string, offers: Capabilities): string | undefined {
  if (offers.find || offers.dedupesSubmits) return 'the provider'
  if (heard.has(id)) return 'a callback that was taken'
  return answered.get(id)?.isDead === false ? 'a process that lived on' : undefined
}

test('whatever happens in whatever order: no forbidden move, no second payment, and nothing paid is dropped that anybody knows of', async () => {
  const property = fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), capabilities, run)
  await fc.assert(property, {
    numRuns: 500,
    interruptAfterTimeLimit: 90_000,
    markInterruptAsFailure: true,
    endOnFailure: true,
  })
}, 180_000)
