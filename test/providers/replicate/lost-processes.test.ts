import { expect, onTestFinished, test } from 'vitest'
import { resetAfterwards } from './fault.ts'
import { replicateWorld } from './replicate-world.ts'

const secret = 'whsec_' + btoa('a key that both sides know')

test('a prediction whose creation was never answered is adopted by its webhook', async () => {
  const world = await replicateWorld({ webhookSecret: secret, now: () => 1_800_000_000_000 })
  onTestFinished(() => world.close())
  const { fake } = world
  fake.faults.create = resetAfterwards
  const { id } = await world.create('troubled')
  await world.until(id, ({ phase, attempts }) => phase === 'submitting' && attempts > 0)
  expect(fake.ledger).toHaveLength(1)
  await world.receiveCallback(id, fake.ledger[0]!, { secret, sentAt: 1_800_000_000_000 })
  expect(await world.until(id)).toMatchObject({ phase: 'completed', handle: fake.ledger[0] })
  expect(fake.ledger).toHaveLength(1)
})
