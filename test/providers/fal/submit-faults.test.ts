import { expect, test } from 'vitest'
import { falKey } from './fal-fake.ts'
import {
  enormous,
  htmlPage,
  only,
  resetAfter,
  resetBefore,
  saying,
  silence,
  truncated,
} from './fal-faults.ts'
import { contentRefusal } from './fal-fixtures.ts'
import { falWorld } from './fal-world.ts'

const secret = falKey.split(':')[1]!

test.each([
  [400, 'provider_rejected'],
  [401, 'provider_rejected'],
  [402, 'provider_rejected'],
  [403, 'provider_rejected'],
  [404, 'provider_rejected'],
  [409, 'provider_rejected'],
  [422, 'provider_rejected'],
])(
  'a submit that fal refuses with %s fails the job as %s, and nothing was taken on',
  async (status, code) => {
    const { fake, create, end, written } = await falWorld()
    fake.intercept.submit = saying(status, { detail: `Not with Key ${falKey} or ${secret}.` })
    const id = await create()
    const job = await end(id)
    expect(job).toMatchObject({ phase: 'failed', error: { code }, costUsd: 0 })
    expect(fake.ledger).toHaveLength(0)
    expect(fake.routesAsked()).toEqual(['submit'])
    expect(await written(id)).not.toContain(secret)
  },
)

test('a prompt that is refused at the door is one of content policy', async () => {
  const { fake, create, end } = await falWorld()
  fake.intercept.submit = saying(422, contentRefusal.json)
  expect(await end(await create())).toMatchObject({
    phase: 'failed',
    error: { code: 'content_policy', message: expect.stringContaining('prompt: The content could not') },
  })
})

test.each([
  ['7', 7],
  [() => new Date(Date.now() + 60_000).toUTCString(), 50],
  ['soon', 0],
  [undefined, 0],
])('a submit is made again after 429 with Retry-After %s', async (retryAfter, atLeastSeconds) => {
  const { fake, clock, create, end } = await falWorld()
  const value = typeof retryAfter === 'function' ? retryAfter() : retryAfter
  const headers = value === undefined ? {} : { 'retry-after': value }
  fake.intercept.submit = only(1, saying(429, { detail: 'Queue is full.' }, headers))
  const startedAt = clock.now()
  const job = await end(await create())
  expect(job.phase).toBe('completed')
  expect(fake.ledger).toHaveLength(1)
  expect((job.startedAt! - startedAt) / 1000).toBeGreaterThanOrEqual(atLeastSeconds)
})

test('a vendor that wants ten days is waited for no longer than the job may take', async () => {
  const { fake, clock, create, end } = await falWorld()
  fake.intercept.submit = saying(429, { detail: 'Later.' }, { 'retry-after': '864000' })
  const startedAt = clock.now()
  expect(await end(await create())).toMatchObject({ phase: 'failed', error: { code: 'deadline_exceeded' } })
  expect(clock.now() - startedAt).toBeLessThan(40 * 60_000)
  expect(fake.routesAsked()).toEqual(['submit'])
})

test.each([
  ['500', saying(500), 0],
  ['503 that could be tried again', saying(503, { detail: 'Busy.' }, { 'x-fal-retryable': 'true' }), 0],
  ['504', saying(504), 0],
  ['408', saying(408), 0],
  ['a page of a proxy', htmlPage, 0],
  ['a reset before it was taken on', resetBefore, 0],
  ['a reset after it was taken on', resetAfter, 1],
  ['truncated JSON', truncated, 1],
  ['50 MB', enormous, 1],
  ['no request id', saying(200, { status: 'IN_QUEUE' }), 0],
  ['a request id that leads elsewhere', saying(200, { request_id: '../../keys' }), 0],
  ['a redirect', saying(307, {}, { location: 'https://evil.example/' }), 0],
  ['silence', silence, 0],
])('a submit that ends in %s is not made a second time', async (_what, fault, taken) => {
  const { fake, create, end, written } = await falWorld()
  fake.intercept.submit = fault
  const id = await create()
  expect(await end(id)).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
  expect(fake.ledger).toHaveLength(taken)
  expect(fake.routesAsked()).toEqual(['submit'])
  expect(await written(id)).not.toContain(secret)
})

test('a submit that is answered after 30 seconds of silence is a task like any other', async () => {
  const { fake, clock, create, end } = await falWorld()
  fake.intercept.submit = (response, act) =>
    void clock.after(30_000, () => response.end(JSON.stringify(act().json)))
  expect(await end(await create())).toMatchObject({ phase: 'completed', costUsd: 0.003 })
  expect(fake.ledger).toHaveLength(1)
})

test('a submit whose answer was lost is found again by its webhook', async () => {
  const { fake, clock, service, create, until, end } = await falWorld()
  fake.intercept.submit = resetAfter
  const id = await create()
  await until(({ phase, claimedUntil }) => phase === 'submitting' && claimedUntil === undefined, id)
  await service.receiveCallback(id, fake.webhookOf(fake.ledger[0]!, clock.now()))
  expect(await end(id)).toMatchObject({ phase: 'completed', costUsd: 0.003 })
  expect(fake.ledger).toHaveLength(1)
})

test('one job that hangs does not hold up another', async () => {
  const { fake, create, end, jobs } = await falWorld()
  fake.intercept.submit = only(1, silence)
  const hanging = await create()
  const other = await create()
  expect(await end(other)).toMatchObject({ phase: 'completed' })
  expect(await jobs.get(hanging)).toMatchObject({ phase: 'submitting' })
  expect(await end(hanging)).toMatchObject({ error: { code: 'submit_ambiguous' } })
})
