import type { FakeBehaviour } from '@genmount/testing'
import { expect, test } from 'vitest'
import type { Provider } from '../contracts/provider.ts'
import { callbackWorld } from '../test-kit/callback-world.ts'

const nothing = { headers: {}, body: new Uint8Array() }
const unread = () => Promise.reject(new Error('The body is read.'))
const slow = { delayMs: 300_000, pollAfterMs: 60_000 }

/** A service before a vendor whose callbacks prove nothing. */
const setUp = (changes: Partial<Provider> = {}, behave: [FakeBehaviour, ...FakeBehaviour[]] = [slow]) =>
  callbackWorld({ behave }, { provider: { callbacksAreHints: true, ...changes } })

test('an unsigned callback makes its job polled at once, and its body is not read', async () => {
  const { clock, service, fake, create, addressOf } = setUp()
  const { id } = await create()
  await clock.advance(5000)
  expect(fake.polls).toHaveLength(0)
  expect(await service.receiveCallback(id, unread, addressOf(0))).toBe(true)
  await clock.advance(10)
  expect(fake.polls).toHaveLength(1)
  await service.close()
})

test('an unsigned callback without the secret of its job’s URL is refused, and nothing is polled', async () => {
  const { clock, service, fake, create, addressOf } = setUp()
  const [one] = [await create(), await create()]
  await clock.advance(5000)
  const before = await service.get(one!.id, 'alice')
  const own = addressOf(0)
  for (const address of [
    undefined,
    addressOf(1),
    { ...own, token: '' },
    { ...own, token: '0'.repeat(64) },
    { ...own, provider: 'other' },
  ])
    expect(await service.receiveCallback(one!.id, nothing, address)).toBe(false)
  await clock.advance(10)
  expect(fake.polls).toHaveLength(0)
  expect(await service.get(one!.id, 'alice')).toEqual(before)
  await service.close()
})

test('many unsigned callbacks cause one poll a second and few writes', async () => {
  const { clock, service, fake, create, addressOf } = setUp()
  const { id } = await create()
  await clock.advance(5000)
  const { revision } = await service.get(id, 'alice')
  for (let times = 0; times < 1000; times++) {
    expect(await service.receiveCallback(id, unread, addressOf(0))).toBe(true)
    if (times % 10 === 0) await clock.advance(50)
  }
  expect(fake.polls.length).toBeGreaterThan(2)
  expect(fake.polls.length).toBeLessThanOrEqual(7)
  const written = (await service.get(id, 'alice')).revision - revision
  expect(written).toBeLessThanOrEqual(3 * fake.polls.length + 1)
  await service.close()
})

test('an unsigned callback before the answer to the submit makes its job polled as soon as the task is known', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const polls: number[] = []
  const { clock, service, create, addressOf } = setUp({
    async submit() {
      await answered
      return { state: 'running', handle: 'task' }
    },
    async poll({ handle }) {
      polls.push(clock.now())
      return { state: 'running', handle }
    },
  })
  const { id } = await create()
  for (let times = 0; times < 100; times++)
    expect(await service.receiveCallback(id, unread, addressOf(0))).toBe(true)
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'submitting' })
  const { revision } = await service.get(id, 'alice')
  expect(revision).toBeLessThanOrEqual(3)
  answer()
  await clock.advance(10)
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'running', handle: 'task' })
  await clock.advance(2000)
  expect(polls).toHaveLength(1)
  await service.close()
})

test('a job with an ambiguous submit does not wait for unsigned callbacks, which can not name a task', async () => {
  const { clock, service, fake, create, addressOf } = setUp({
    submit: () => Promise.reject(new Error('The connection broke.')),
  })
  const { id } = await create()
  await clock.advance(5000)
  expect(await service.get(id, 'alice')).toMatchObject({ error: { code: 'submit_ambiguous' } })
  expect(await service.receiveCallback(id, unread, addressOf(0))).toBe(true)
  await clock.advance(5000)
  expect(await service.get(id, 'alice')).toMatchObject({ error: { code: 'submit_ambiguous' } })
  expect(fake.polls).toHaveLength(0)
  await service.close()
})

test('a job that ends within its submit does not count as a lost callback', async () => {
  const refused: FakeBehaviour = {
    submit: { report: { state: 'failed', code: 'content_policy', message: 'No.' } },
  }
  const { clock, service, fake, create, addressOf } = setUp({}, [
    { delayMs: 120_000 },
    refused,
    { delayMs: 1e9 },
  ])
  const { id } = await create()
  await service.receiveCallback(id, unread, addressOf(0))
  await clock.advance(160_000)
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'completed' })
  const second = await create()
  expect(await service.get(second.id, 'alice')).toMatchObject({ error: { code: 'content_policy' } })
  const before = fake.polls.length
  await create()
  await clock.advance(600_000)
  expect(fake.polls.length - before).toBeLessThanOrEqual(21)
  await service.close()
})
