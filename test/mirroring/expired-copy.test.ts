import { expect, test } from 'vitest'
import { answering, mirrorWorld, providerOrigin } from './mirror-world.ts'
test('the output of a job that has expired is not requested from its provider again', async () => {
  const origin = await providerOrigin(answering(503, {}))
  const world = await mirrorWorld({ retentionDays: 1 })
  const id = await world.completedWith(origin.url('1.png'))
  const { expiresAt } = await world.driveUntil(id, ({ attempts }) => attempts === 1)
  // By its expiry, the service believes its clock again.
  const beliefMs = 3_600_000 + 10_000
  world.clock.set(expiresAt - beliefMs)
  await world.clock.advance(beliefMs)
  const requests = origin.heads.length
  await world.clock.advance(300_000)
  await world.service.close()
  expect(origin.heads).toHaveLength(requests)
})
