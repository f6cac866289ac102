import { expectDelivery } from './paid-job-test.ts'
import type { SimulatedWorld } from './simulated-world.ts'

export const answeredLate =
  'a process that gets the answer to its claim after 40 s does not submit the job, which another process has finished'

/** Checks {@link answeredLate}. */
export async function checkAnsweredLate(world: SimulatedWorld): Promise<void> {
  const held = Promise.withResolvers<void>()
  let isHeld = false
  const slow = world.start((job) => {
    if (job.phase !== 'submitting' || isHeld) return
    isHeld = true
    return held.promise
  })
  world.start()
  const id = await world.create(slow)
  await world.passUntil(() => isHeld)
  await world.pass(40_000)
  await expectDelivery(world, id)
  held.resolve()
  await world.pass(120_000)
  await expectDelivery(world, id)
}
