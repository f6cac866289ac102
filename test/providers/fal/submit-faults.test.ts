import { expect, test } from 'vitest'
import { isFor } from './fal-fake.ts'
import { contentRefusal } from './fal-fixtures.ts'
import { falWorld } from './fal-world.ts'

test('a fal job whose submit is refused for its prompt fails as content_policy', async () => {
  const { fake, create, finished } = await falWorld()
  fake.trouble(isFor('submit'), { instead: contentRefusal })
  expect(await finished(await create())).toMatchObject({
    phase: 'failed',
    error: { code: 'content_policy', message: expect.stringContaining('prompt: The content could not') },
  })
})

test.each([
  ['no request id', { status: 'IN_QUEUE' }],
  ['a request id that leads elsewhere', { request_id: '../../keys' }],
])(
  'a submit to fal that is answered with %s fails as submit_ambiguous and is not repeated',
  async (_what, json) => {
    const { fake, create, finished } = await falWorld()
    fake.trouble(isFor('submit'), { instead: { json } })
    expect(await finished(await create())).toMatchObject({
      phase: 'failed',
      error: { code: 'submit_ambiguous' },
    })
    expect(fake.ledger).toHaveLength(0)
    expect(fake.routesAsked()).toEqual(['submit'])
  },
)

test('a fal job whose submit was not answered completes by its webhook', async () => {
  const { fake, clock, service, create, finished } = await falWorld()
  fake.trouble(isFor('submit'), { after: 'reset' })
  const id = await create()
  await finished(id, ({ error }) => error?.code === 'submit_ambiguous')
  await service.receiveCallback?.(id, fake.webhookOf(fake.ledger[0]!, clock.now()))
  const found = await finished(id, ({ phase }) => phase === 'completed')
  expect(found).toMatchObject({ phase: 'completed', costUsd: 0.003 })
  expect(fake.ledger).toHaveLength(1)
})
