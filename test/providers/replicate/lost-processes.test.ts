import { afterEach, expect, test } from 'vitest'
import { answer, resetAfterwards } from './fault.ts'
import { models, replicateWorld, type World } from './replicate-world.ts'

const worlds: World[] = []
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()))
})

async function begin(options?: Parameters<typeof replicateWorld>[0]): Promise<World> {
  const world = await replicateWorld(options)
  worlds.push(world)
  return world
}

const secret = 'whsec_' + btoa('a key that both sides know')

test('a prediction whose creation was never answered is adopted by its webhook', async () => {
  const world = await begin({ webhookSecret: secret, now: () => 1_800_000_000_000 })
  const { fake } = world
  fake.faults.create = resetAfterwards
  const { id } = await world.create('troubled')
  await world.until(id, ({ phase, attempts }) => phase === 'submitting' && attempts > 0)
  expect(fake.ledger).toHaveLength(1)
  await world.receiveCallback(id, fake.ledger[0]!, { secret, sentAt: 1_800_000_000_000 })
  expect(await world.until(id)).toMatchObject({ phase: 'completed', handle: fake.ledger[0] })
  expect(fake.ledger).toHaveLength(1)
})

test.each([
  ['is signed with another key', { secret: 'whsec_' + btoa('another key'), sentAt: 1_800_000_000_000 }],
  ['is older than five minutes', { secret, sentAt: 1_800_000_000_000 - 301_000 }],
  ['comes from the future', { secret, sentAt: 1_800_000_000_000 + 301_000 }],
])('a webhook that %s changes nothing', async (_name, sender) => {
  const world = await begin({ webhookSecret: secret, now: () => 1_800_000_000_000 })
  const { fake } = world
  fake.faults.create = resetAfterwards
  const { id } = await world.create('troubled')
  const job = await world.until(id, ({ phase, attempts }) => phase === 'submitting' && attempts > 0)
  await world.receiveCallback(id, fake.ledger[0]!, sender)
  expect(await world.jobs.get(id)).toEqual(job)
  expect(await world.until(id)).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
})

test('a webhook asks for a poll at once, and what it says itself counts for nothing', async () => {
  const slow = { ...models['troubled']!, typicalMs: 60_000 }
  const world = await begin({
    models: { troubled: slow },
    webhookSecret: secret,
    now: () => 1_800_000_000_000,
  })
  const { fake } = world
  fake.faults.get = answer(503, {})
  const { id } = await world.create('troubled')
  const { handle } = await world.until(id, ({ phase }) => phase === 'running')
  const prediction = fake.predictions.get(String(handle))!
  fake.predictions.set(prediction.id, {
    ...prediction,
    status: 'succeeded',
    output: 'https://forged.example/a.png',
  })
  await world.clock.advance(2000)
  const before = fake.requests.length
  await world.receiveCallback(id, prediction.id, { secret, sentAt: 1_800_000_000_000 })
  await expect.poll(() => fake.requests.length).toBe(before + 1)
  expect(await world.jobs.get(id)).toMatchObject({ phase: 'running', outputs: [] })
})
