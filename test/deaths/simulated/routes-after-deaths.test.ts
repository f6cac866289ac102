import { callbacks } from '@genmount/core/callbacks'
import { expect, test } from 'vitest'
import type { Provider } from '@genmount/core'
import { type FakeProviderOptions, refused } from '@genmount/testing'
import { routedWorld } from '../../routing/routed-world.ts'

test('a running job of a killed process is polled at its provider by a process with the routes in another order', async () => {
  const world = routedWorld({
    a: { behave: [{ submit: refused() }, {}] },
    b: { behave: [{ delayMs: 20_000 }] },
  })
  const first = world.start(['a', 'b'])
  const id = await world.create(first)
  await world.clock.advance(1000)
  expect(await world.job(id)).toMatchObject({ phase: 'running', route: 'b/fake-image' })
  first.kill()
  world.start(['b', 'a'])
  await world.clock.advance(60_000)
  expect(await world.job(id)).toMatchObject({ phase: 'completed', route: 'b/fake-image' })
  expect([world.paidBy(id), world.vendorOf('a').polls]).toEqual([['b'], []])
  await world.close()
})

test('a running job whose provider no process has any more waits for a process that has the provider', async () => {
  const world = routedWorld({ a: { behave: [{ delayMs: 20_000 }] }, b: {} })
  const first = world.start()
  const id = await world.create(first)
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

test('a job whose provider no process has any more fails as provider_lost after its deadline, and delays no other job', async () => {
  const world = routedWorld({ a: { behave: [{ delayMs: 20_000 }] }, b: {} })
  const first = world.start()
  const id = await world.create(first)
  await world.clock.advance(1000)
  first.kill()
  const other = await world.create(world.start(['b']))
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

test('a job whose submit had an unknown outcome fails as submit_ambiguous when its route is gone, without a submit by another route', async () => {
  const world = routedWorld({ a: { find: true, behave: [{ answer: 'reset' }] }, b: {} })
  const first = world.start()
  const id = await world.create(first)
  await world.clock.advance(100)
  first.kill()
  world.start(['b'])
  await world.clock.advance(3_600_000)
  expect((await world.job(id)).error?.code).toBe('submit_ambiguous')
  expect(world.vendorOf('b').submits).toEqual([])
  await world.close()
})

test('two processes with the same routes in opposite orders pay for each job once', async () => {
  const world = routedWorld({
    a: { latencyMs: 150, behave: [{ submit: refused() }, { delayMs: 9000 }] },
    b: { latencyMs: 150, behave: [{ submit: 'connection_refused' }, { delayMs: 9000 }] },
  })
  const processes = [world.start(['a', 'b']), world.start(['b', 'a'])]
  const ids = await Promise.all(Array.from({ length: 40 }, (_, i) => world.create(processes[i % 2]!)))
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
  const deadly = (provider: Provider): Provider => ({
    ...provider,
    submit(task, call) {
      if (provider.name !== 'b') return provider.submit(task, call)
      process.kill()
      if (isHeard) void provider.submit(task, call)
      return never
    },
  })
  const process = world.start(undefined, deadly)
  const id = await world.create(process)
  await world.clock.advance(1000)
  expect(await world.job(id)).toMatchObject({ phase: 'submitting', route: 'b/fake-image' })
  world.start(['c', 'b', 'a'])
  await world.clock.advance(600_000)
  const { error, phase } = await world.job(id)
  return { verdict: error?.code ?? phase, paid: world.paidBy(id), tried: world.submittedTo(id) }
}

test.each([
  ['can not look for tasks', {}, 'submit_ambiguous', ['b']],
  ['finds tasks', { find: true }, 'completed', ['b']],
  ['recognises repeated submits', { dedupesSubmits: true }, 'completed', ['b']],
])(
  'a job whose process was killed in a submit that reached a provider which %s goes by no other route',
  async (_what, offers, verdict, paid) => {
    const outcome = await afterCrash(true, offers)
    expect([outcome.verdict, outcome.paid]).toEqual([verdict, paid])
    expect(outcome.tried).not.toContain('c')
  },
)

test.each([
  ['can not look for tasks', {}, 'submit_ambiguous', []],
  ['finds tasks', { find: true }, 'completed', ['c']],
  ['recognises repeated submits', { dedupesSubmits: true }, 'completed', ['b']],
])(
  'a job whose process was killed in a submit that never reached a provider which %s is paid for at most once',
  async (_what, offers, verdict, paid) => {
    const outcome = await afterCrash(false, offers)
    expect([outcome.verdict, outcome.paid]).toEqual([verdict, paid])
  },
)

test('a job whose submit lost its answer goes on with a callback from the provider of that submit, and from no other provider', async () => {
  const world = routedWorld(
    {
      a: { sendCallback() {}, behave: [{ submit: refused() }] },
      b: { sendCallback() {}, behave: [{ answer: 'reset', delayMs: 30_000 }] },
    },
    { plugins: [callbacks({ baseUrl: 'https://app.test' })] },
  )
  const urls: string[] = []
  const noting = (provider: Provider): Provider => ({
    ...provider,
    submit(task, call) {
      urls.push(call.callbackUrl ?? '')
      return provider.submit(task, call)
    },
  })
  const process = world.start(undefined, noting)
  const id = await world.create(process)
  // Each URL takes a hash, which a pool of threads makes in its own time.
  for (let round = 0; urls.length < 2 && round < 10_000; round++) await world.clock.advance(1)
  expect(urls.map((url) => url.split('/')[5])).toEqual(['a', 'b'])
  const token = urls[1]!.split('/').at(-1)!
  const genuine = world.vendorOf('b').callbackFor(id)
  expect(await process.service.receiveCallback?.(id, genuine, { provider: 'a', token })).toBe(false)
  expect(await world.job(id)).toMatchObject({ phase: 'submitting' })
  expect(await process.service.receiveCallback?.(id, genuine, { provider: 'b', token })).toBe(true)
  await world.clock.advance(60_000)
  expect(await world.job(id)).toMatchObject({ phase: 'completed', route: 'b/fake-image' })
  expect(world.paidBy(id)).toEqual(['b'])
  await world.close()
})

test('a job that is still running at its deadline is canceled at the provider that runs it', async () => {
  const world = routedWorld({
    a: { cancel: true, behave: [{ submit: refused() }] },
    b: { cancel: true, behave: [{ delayMs: 7_200_000 }] },
  })
  const id = await world.create(world.start())
  await world.clock.advance(3_600_000)
  expect((await world.job(id)).error?.code).toBe('deadline_exceeded')
  expect([world.vendorOf('a').cancels.length, world.vendorOf('b').cancels.length]).toEqual([0, 1])
  await world.close()
})
