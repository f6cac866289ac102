import { expect, test } from 'vitest'
import { resetAfter, saying } from './fal-faults.ts'
import { contentRefusal } from './fal-fixtures.ts'
import { falWorld } from './fal-world.ts'

test('a prompt that is refused at the door is one of content policy', async () => {
  const { fake, create, end } = await falWorld()
  fake.intercept.submit = saying(422, contentRefusal.json)
  expect(await end(await create())).toMatchObject({
    phase: 'failed',
    error: { code: 'content_policy', message: expect.stringContaining('prompt: The content could not') },
  })
})

test.each([
  ['no request id', saying(200, { status: 'IN_QUEUE' }), 0],
  ['a request id that leads elsewhere', saying(200, { request_id: '../../keys' }), 0],
])('a submit that ends in %s is not made a second time', async (_what, fault, taken) => {
  const { fake, create, end } = await falWorld()
  fake.intercept.submit = fault
  expect(await end(await create())).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
  expect(fake.ledger).toHaveLength(taken)
  expect(fake.routesAsked()).toEqual(['submit'])
})

test('a submit whose answer was lost is found again by its webhook', async () => {
  const { fake, clock, service, create, until } = await falWorld()
  fake.intercept.submit = resetAfter
  const id = await create()
  await until(({ error }) => error?.code === 'submit_ambiguous', id)
  await service.receiveCallback(id, fake.webhookOf(fake.ledger[0]!, clock.now()))
  const found = await until(({ phase }) => phase === 'completed', id)
  expect(found).toMatchObject({ phase: 'completed', costUsd: 0.003 })
  expect(fake.ledger).toHaveLength(1)
})
