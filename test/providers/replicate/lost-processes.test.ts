import { callbacks } from '@genmount/core/callbacks'
import { expect, onTestFinished, test } from 'vitest'
import { webhookSecret } from './fake-replicate.ts'
import { creates, replicateWorld } from './replicate-world.ts'

test('a Replicate job whose create was not answered completes by its webhook', async () => {
  const world = await replicateWorld(
    { webhookSecret, now: () => 1_800_000_000_000 },
    { plugins: [callbacks({ baseUrl: 'https://app.example' })] },
  )
  onTestFinished(() => world.close())
  const { fake } = world
  fake.trouble(creates, { after: 'reset' })
  const id = await world.create('troubled')
  await world.finished(id, ({ phase, attempts }) => phase === 'submitting' && attempts > 0)
  expect(fake.ledger).toHaveLength(1)
  await world.service.receiveCallback?.(id, fake.webhookOf(fake.ledger[0]!, 1_800_000_000_000))
  expect(await world.finished(id)).toMatchObject({ phase: 'completed', handle: fake.ledger[0] })
  expect(fake.ledger).toHaveLength(1)
})
