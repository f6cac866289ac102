import { expect, test } from 'vitest'
import { answering, mirrorWorld, providerOrigin } from './mirror-world.ts'
test('the output of a job that has expired is not requested from its provider again', async () => {
  const origin = await providerOrigin(answering(503, {}))
  const world = await mirrorWorld({ retentionDays: 1 })
  const id = await world.completedWith(origin.url('1.png'))
  const { expiresAt } = await world.driveUntil(id, ({ attempts }) => attempts === 1)
  world.clock.set(expiresAt)
  await world.clock.advance(2_000)
  await world.service.close()
  expect(origin.heads).toHaveLength(1)
})
