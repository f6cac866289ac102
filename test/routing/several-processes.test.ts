import { expect, test } from 'vitest'
import type { Provider } from '@genmount/core'
import { type FakeProviderOptions, refused } from '@genmount/testing'
import { routedWorld } from './routed-world.ts'

test('a running job is asked after where it runs, by a process that knows its routes in another order', async () => {
  const world = routedWorld({
    a: { behave: [{ submit: refused() }, {}] },
    b: { behave: [{ delayMs: 20_000 }] },
  })
  const first = world.start(['a', 'b'])
  const id = await world.create(first.service)
  await world.clock.advance(1000)
  expect(await world.job(id)).toMatchObject({ phase: 'running', route: 'b/fake-image' })
  first.kill()
  world.start(['b', 'a'])
  await world.clock.advance(60_000)
  expect(await world.job(id)).toMatchObject({ phase: 'completed', route: 'b/fake-image' })
  expect([world.paidBy(id), world.provider('a').polls]).toEqual([['b'], []])
  await world.close()
})

test('a job whose route no process has waits for one that has it', async () => {
  const world = routedWorld({ a: { behave: [{ delayMs: 20_000 }] }, b: {} })
  const first = world.start()
  const id = await world.create(first.service)
  await world.clock.advance(1000)
  first.kill()
  world.start(['b'])
  await world.clock.advance(300_000)
  expect(await world.job(id)).toMatchObject({ phase: 'running' })
  world.start(['b', 'a'])
  await world.clock.advance(60_000)
  expect(await world.job(id)).toMatchObject({ phase: 'completed', route: 'a/fake-image' })
  await world.close()
})

test('a job whose route is gone for good fails at its deadline, says why, and holds up no other', async () => {
  const world = routedWorld({ a: { behave: [{ delayMs: 20_000 }] }, b: {} })
  const first = world.start()
  const id = await world.create(first.service)
  await world.clock.advance(1000)
  first.kill()
  const other = await world.create(world.start(['b']).service)
  await world.clock.advance(60_000)
  expect(await world.job(other)).toMatchObject({ phase: 'completed', route: 'b/fake-image' })
  // Two minutes longer, for another process that may still have the route.
  await world.clock.advance(1_920_000)
  const { error } = await world.job(id)
  expect(error?.code).toBe('provider_lost')
  expect(error?.message).toContain('a/fake-image')
  expect(world.paidBy(id)).toEqual(['a'])
  await world.close()
})

test('a submit of unknown outcome whose route is gone fails as ambiguous, and no other route is tried', async () => {
  const world = routedWorld({ a: { find: true, behave: [{ answer: 'reset' }] }, b: {} })
  const first = world.start()
  const id = await world.create(first.service)
  await world.clock.advance(100)
  first.kill()
  world.start(['b'])
  await world.clock.advance(3_600_000)
  expect((await world.job(id)).error?.code).toBe('submit_ambiguous')
  expect(world.provider('b').submits).toEqual([])
  await world.close()
})

test('two processes that know the routes in opposite orders pay nobody twice', async () => {
  const world = routedWorld({
    a: { latencyMs: 150, behave: [{ submit: refused() }, { delayMs: 9000 }] },
    b: { latencyMs: 150, behave: [{ submit: 'connection_refused' }, { delayMs: 9000 }] },
  })
  const services = [world.start(['a', 'b']).service, world.start(['b', 'a']).service]
  const ids = await Promise.all(Array.from({ length: 40 }, (_, i) => world.create(services[i % 2]!)))
  await world.clock.advance(300_000)
  for (const id of ids) {
    expect(await world.job(id)).toMatchObject({ phase: 'completed' })
    expect(world.paidBy(id)).toHaveLength(1)
  }
  await world.close()
})

const never = new Promise<never>(() => {})

/** Lets a process come to its second route and die in that submit, before or after it was heard; then another takes over. */
async function afterCrash(isHeard: boolean, offers: Partial<FakeProviderOptions>) {
  const world = routedWorld({
    a: { behave: [{ submit: refused() }, {}] },
    b: { ...offers, behave: [{ delayMs: 5000 }] },
    c: {},
  })
  const kills: (() => void)[] = []
  const deadly = (provider: Provider): Provider => ({
    ...provider,
    submit(task, call) {
      if (provider.name !== 'b') return provider.submit(task, call)
      for (const kill of kills) kill()
      if (isHeard) void provider.submit(task, call)
      return never
    },
  })
  const { service, kill } = world.start(undefined, deadly)
  kills.push(kill)
  const id = await world.create(service)
  await world.clock.advance(1000)
  expect(await world.job(id)).toMatchObject({ phase: 'submitting', route: 'b/fake-image' })
  world.start(['c', 'b', 'a'])
  await world.clock.advance(600_000)
  const { error, phase } = await world.job(id)
  return { verdict: error?.code ?? phase, paid: world.paidBy(id), tried: world.submittedTo(id) }
}

test.each([
  ['nobody can ask', {}, 'submit_ambiguous', ['b']],
  ['can be found', { find: true }, 'completed', ['b']],
  ['can be made again', { dedupesSubmits: true }, 'completed', ['b']],
])(
  'a crash in a submit that was heard and that %s leads to no other route',
  async (_what, offers, verdict, paid) => {
    const outcome = await afterCrash(true, offers)
    expect([outcome.verdict, outcome.paid]).toEqual([verdict, paid])
    expect(outcome.tried).not.toContain('c')
  },
)

test.each([
  ['nobody can ask', {}, 'submit_ambiguous', []],
  ['can be found to be unknown', { find: true }, 'completed', ['c']],
  ['can be made again', { dedupesSubmits: true }, 'completed', ['b']],
])(
  'a crash in a submit that was never heard and that %s pays at most once',
  async (_what, offers, verdict, paid) => {
    const outcome = await afterCrash(false, offers)
    expect([outcome.verdict, outcome.paid]).toEqual([verdict, paid])
  },
)

test('a lost answer is adopted from the callback of the provider that was asked, and of no other', async () => {
  const world = routedWorld(
    { a: { behave: [{ submit: refused() }] }, b: { behave: [{ answer: 'reset', delayMs: 30_000 }] } },
    { callingBack: ['a', 'b'], callbackBaseUrl: 'https://app.test' },
  )
  const urls: string[] = []
  const noting = (provider: Provider): Provider => ({
    ...provider,
    submit(task, call) {
      urls.push(call.callbackUrl ?? '')
      return provider.submit(task, call)
    },
  })
  const { service } = world.start(undefined, noting)
  const id = await world.create(service)
  // Each URL takes a hash, which a pool of threads makes in its own time.
  for (let round = 0; urls.length < 2 && round < 1000; round++) await world.clock.advance(1)
  expect(urls.map((url) => url.split('/')[5])).toEqual(['a', 'b'])
  const token = urls[1]!.split('/').at(-1)!
  const genuine = world.provider('b').callbackFor(id)
  expect(await service.receiveCallback(id, genuine, { provider: 'a', token })).toBe(false)
  expect(await world.job(id)).toMatchObject({ phase: 'submitting' })
  expect(await service.receiveCallback(id, genuine, { provider: 'b', token })).toBe(true)
  await world.clock.advance(60_000)
  expect(await world.job(id)).toMatchObject({ phase: 'completed', route: 'b/fake-image' })
  expect(world.paidBy(id)).toEqual(['b'])
  await world.close()
})

test('a job that takes too long is called off where it runs', async () => {
  const world = routedWorld({
    a: { cancel: true, behave: [{ submit: refused() }] },
    b: { cancel: true, behave: [{ delayMs: 7_200_000 }] },
  })
  const id = await world.create(world.start().service)
  await world.clock.advance(3_600_000)
  expect((await world.job(id)).error?.code).toBe('deadline_exceeded')
  expect([world.provider('a').cancels.length, world.provider('b').cancels.length]).toEqual([0, 1])
  await world.close()
})
