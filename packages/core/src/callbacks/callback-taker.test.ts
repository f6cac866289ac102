import { expect, test } from 'vitest'
import { callbacks } from '@genmount/core/callbacks'
import { type FakeBehaviour, fakeModels, fakeWorld } from '@genmount/testing'
import type { CallbackRequest } from '../contracts/callback-request.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { callbackWorld } from '../test-kit/callback-world.ts'
import type { GenerationServiceOptions } from '../service/generation-service-options.ts'

function setUp(
  behave: FakeBehaviour | [FakeBehaviour, ...FakeBehaviour[]],
  options: Partial<GenerationServiceOptions> = {},
) {
  let arrives = true
  const sendCallback = (jobId: string, request: CallbackRequest) =>
    arrives && world.service.receiveCallback(jobId, request)
  const world = callbackWorld({ behave: Array.isArray(behave) ? behave : [behave], sendCallback }, options)
  const read = (id: string) => world.service.get(id, 'alice')
  const lose = () => void (arrives = false)
  return { ...world, read, lose }
}

const slow = { delayMs: 300_000, pollAfterMs: 60_000 }

test('a vendor gets the callback URL of its job, and the token of another job is refused', async () => {
  const { clock, fake, service, create, read, urls, addressOf } = setUp(slow)
  const [one, other] = [await create(), await create()]
  await clock.advance(5000)
  const first = addressOf(0)
  expect(urls[0]).toMatch(/^https:\/\/app\.example\/media\/v1\/callbacks\/fake\/gen_\w+\/[0-9a-f]{64}$/)
  expect(urls[0]).toContain(`/${one.id}/`)
  const genuine = fake.callbackFor(one.id)
  const before = await read(one.id)
  for (const address of [
    addressOf(1),
    { ...first, provider: 'other' },
    { ...first, token: '' },
    { ...first, token: one.clientToken },
  ])
    expect(await service.receiveCallback(one.id, genuine, address)).toBe(false)
  const forged = { ...genuine, body: new TextEncoder().encode('{}') }
  expect(await service.receiveCallback(one.id, forged, first)).toBe(false)
  expect(await service.receiveCallback('gen_0', genuine, first)).toBe(false)
  expect(await read(one.id)).toEqual(before)
  expect(await service.receiveCallback(one.id, genuine, first)).toBe(true)
  expect(await read(other.id)).toMatchObject({ phase: 'running' })
  await service.close()
})

test('a callback makes its job polled at once, and replayed callbacks at most once a second', async () => {
  const { clock, fake, service, create } = setUp(slow)
  const { id } = await create()
  await clock.advance(5000)
  expect(fake.polls).toHaveLength(0)
  const genuine = fake.callbackFor(id)
  await service.receiveCallback(id, genuine)
  await clock.advance(10)
  expect(fake.polls).toHaveLength(1)
  for (let i = 0; i < 100; i++) {
    await service.receiveCallback(id, genuine)
    await clock.advance(50)
  }
  expect(fake.polls.length).toBeGreaterThan(2)
  expect(fake.polls.length).toBeLessThanOrEqual(7)
  await service.close()
})

test('a callback during a poll makes its job polled again within about a second', async () => {
  const polls: number[] = []
  const answer = Promise.withResolvers<void>()
  const { clock, service, provider, create } = fakeWorld(
    {
      models: fakeModels.map((model) => ({ ...model, typicalMs: 600_000 })),
      behave: [{ delayMs: 1e9 }],
      sendCallback: () => {},
    },
    {
      plugins: [callbacks({ baseUrl: 'https://app.example' })],
      provider: {
        async poll({ handle }) {
          polls.push(clock.now())
          if (polls.length === 1) await answer.promise
          return { state: 'running', handle }
        },
      },
    },
  )
  const job = await create()
  // The hash in the URL takes real time.
  await expect.poll(() => clock.advance(0).then(() => provider.ledger.length)).toBe(1)
  await clock.advance(2000)
  const read = service.get(job.id, 'alice')
  await clock.advance(100)
  expect(polls).toHaveLength(1)
  expect(await service.receiveCallback(job.id, provider.callbackFor(job.id))).toBe(true)
  answer.resolve()
  await clock.advance(3000)
  expect(polls).toHaveLength(2)
  await read
  await service.close()
})

test('a provider whose callbacks arrive is polled rarely, and as usual when they stop', async () => {
  const { clock, fake, service, create, read, lose } = setUp({ delayMs: 120_000 })
  const polled = async () => {
    const before = fake.polls.length
    const { id } = await create()
    await clock.advance(125_000)
    expect(await read(id)).toMatchObject({ phase: 'completed' })
    return fake.polls.length - before
  }
  await polled()
  const beside = await polled()
  expect(beside).toBeLessThanOrEqual(5)
  lose()
  const { id } = await create()
  await clock.advance(160_000)
  expect(await read(id)).toMatchObject({ phase: 'completed' })
  const { id: next } = await create()
  await clock.advance(135_000)
  expect(await read(next)).toMatchObject({ phase: 'completed' })
  await service.close()
})

test('outputs that are collected in two attempts do not count as a lost callback', async () => {
  const working = memoryFileStore()
  let failures = 2
  const put: typeof working.put = async (...file) => {
    // A TypeError is thrown once.
    if (failures-- > 0) throw new TypeError('not now')
    return working.put(...file)
  }
  const { clock, fake, service, create, read } = setUp([{ delayMs: 120_000 }, { delayMs: 1e9 }], {
    files: { ...working, put },
  })
  const { id } = await create()
  await clock.advance(135_000)
  expect(await read(id)).toMatchObject({ phase: 'completed' })
  const before = fake.polls.length
  await create()
  await clock.advance(600_000)
  expect(fake.polls.length - before).toBeLessThanOrEqual(21)
  await service.close()
})

test('no callback URL is sent to a provider that reads no callbacks', async () => {
  const { clock, service, create, urls } = callbackWorld({ behave: [slow] })
  await create()
  await clock.advance(0)
  expect(urls).toEqual([undefined])
  await service.close()
})

test('a wrong base URL of callbacks throws a TypeError', () => {
  for (const wrong of ['app.example', 'ftp://app.example', 'https://app.example/?a=1', ''])
    expect(() => callbacks({ baseUrl: wrong })).toThrow('callbacks: baseUrl must be an http or https URL')
})
