import { expect, test } from 'vitest'
import type { GenerationServiceOptions, ProviderReport } from '@genmount/core'
import { type FakeBehaviour, type FakeFault, nonsense, refused } from '@genmount/testing'
import { routedWorld, type Scripts } from './routed-world.ts'

const accountFault: FakeFault = {
  report: {
    state: 'failed',
    code: 'provider_rejected',
    message: 'No credit left.',
    isAccountAtFault: true,
  } satisfies ProviderReport,
}

const clearRefusals: [string, FakeFault][] = [
  ['is overloaded', refused()],
  ['is overloaded and names the time of the next try', refused(90_000)],
  ['refuses the connection', 'connection_refused'],
  ['reports that the account has no credit', accountFault],
]

/** Creates one job, lets so many minutes pass, and tells what became of it. */
async function outcomeOf(scripts: Scripts, options?: Partial<GenerationServiceOptions>, minutes = 20) {
  const world = routedWorld(scripts, options)
  const id = await world.create(world.start())
  await world.clock.advance(minutes * 60_000)
  const { phase, error, route, costUsd } = await world.job(id)
  const { logged } = world
  await world.close()
  return {
    verdict: error?.code ?? phase,
    route,
    costUsd,
    logged,
    paid: world.paidBy(id),
    tried: world.submittedTo(id),
  }
}

test.each(clearRefusals)('a job goes to the next route at once when a provider %s', async (_what, submit) => {
  const world = routedWorld({ a: { behave: [{ submit }] }, b: {} })
  const id = await world.create(world.start())
  await world.clock.advance(100)
  expect(await world.job(id)).toMatchObject({ phase: 'completed', route: 'b/fake-image', costUsd: 0.01 })
  expect(world.paidBy(id)).toEqual(['b'])
  await world.close()
})

test('the log names the route that refused a job, the reason, and the next route', async () => {
  const { logged } = await outcomeOf({ a: { behave: [{ submit: refused() }] }, b: {} })
  expect(logged).toContainEqual(
    expect.stringMatching(/^Job gen_\w+: route a\/fake-image .*Too many requests.* b\/fake-image is next\.$/),
  )
})

test('a job is submitted only to the first route when its provider accepts the job', async () => {
  const { tried, route } = await outcomeOf({ a: {}, b: {}, c: {} })
  expect([tried, route]).toEqual([['a'], 'a/fake-image'])
})

test('a job that a provider fails for its content goes to no other route', async () => {
  const { verdict, tried } = await outcomeOf({
    a: { behave: [{ failure: { code: 'content_policy' } }] },
    b: {},
  })
  expect([verdict, tried]).toEqual(['content_policy', ['a']])
})

test('a job that all routes refuse is submitted to all of them again, round by round, until one accepts it', async () => {
  const refusing: FakeBehaviour = { submit: refused() }
  const { verdict, tried, paid } = await outcomeOf({
    a: { behave: [refusing, refusing, refusing, {}] },
    b: { behave: [refusing] },
  })
  expect(tried).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a'])
  expect([verdict, paid]).toEqual(['completed', ['a']])
})

test('a job that all routes refuse until a named time goes to the route whose time comes first, and to no route before its time', async () => {
  const world = routedWorld({
    a: { behave: [{ submit: refused(90_000) }] },
    b: { behave: [{ submit: refused(20_000) }, {}] },
  })
  const id = await world.create(world.start())
  await world.clock.advance(19_900)
  expect(world.submittedTo(id)).toEqual(['a', 'b'])
  await world.clock.advance(200)
  expect(world.submittedTo(id)).toEqual(['a', 'b', 'b'])
  expect(await world.job(id)).toMatchObject({ phase: 'completed' })
  await world.close()
})

test('a job that all routes refuse fails as deadline_exceeded at its deadline, and costs nothing', async () => {
  const refusing: Scripts = {
    a: { behave: [{ submit: refused() }] },
    b: { behave: [{ submit: 'connection_refused' }] },
  }
  const { verdict, paid } = await outcomeOf(refusing, {}, 60)
  expect([verdict, paid]).toEqual(['deadline_exceeded', []])
})

test('a job fails as provider_rejected at once when all providers report that the account has no credit', async () => {
  const world = routedWorld({
    a: { behave: [{ submit: accountFault }] },
    b: { behave: [{ submit: accountFault }] },
  })
  const id = await world.create(world.start())
  await world.clock.advance(100)
  expect((await world.job(id)).error).toEqual({ code: 'provider_rejected', message: 'No credit left.' })
  await world.close()
})

const unknownOutcomes: [string, FakeBehaviour][] = [
  ['breaks off after the vendor accepted the task', { answer: 'reset' }],
  ['breaks off before the vendor accepted the task', { submit: 'reset' }],
  ['ends in status 500', { answer: 'server_error' }],
  ['is accepted and never answered', { answer: 'hang' }],
  ['never reaches the vendor', { submit: 'hang' }],
  ['gets a report with an unknown state', { answer: nonsense.unknownState }],
]

test.each(unknownOutcomes)(
  'a job whose submit %s fails as submit_ambiguous and goes to no other route',
  async (_what, behaviour) => {
    const { verdict, tried } = await outcomeOf({ a: { behave: [behaviour, {}] }, b: {} })
    expect([verdict, tried]).toEqual(['submit_ambiguous', ['a']])
  },
)

test.each(unknownOutcomes)(
  'a job whose submit by the second route %s fails as submit_ambiguous and goes to no other route',
  async (_what, behaviour) => {
    const { verdict, tried } = await outcomeOf({
      a: { behave: [{ submit: refused() }, {}] },
      b: { behave: [behaviour, {}] },
      c: {},
    })
    expect([verdict, tried]).toEqual(['submit_ambiguous', ['a', 'b']])
  },
)

test.each(unknownOutcomes)(
  'a job whose submit %s is submitted by the same route again with onAmbiguousSubmit: resubmit',
  async (_what, behaviour) => {
    const { verdict, tried } = await outcomeOf(
      { a: { behave: [behaviour, { submit: refused() }, {}] }, b: {} },
      { onAmbiguousSubmit: 'resubmit' },
    )
    expect([verdict, tried]).toEqual(['completed', ['a', 'a', 'a']])
  },
)

test.each(unknownOutcomes)(
  'a job whose submit %s is submitted again only to the same provider when it dedupes submits',
  async (_what, behaviour) => {
    const { verdict, paid, tried } = await outcomeOf({
      a: {
        dedupesSubmits: true,
        behave: [behaviour, { submit: refused() }, { submit: 'connection_refused' }, {}],
      },
      b: {},
    })
    expect([verdict, paid, tried]).toEqual(['completed', ['a'], ['a', 'a', 'a', 'a']])
  },
)

test.each(unknownOutcomes)(
  'a job whose submit %s is looked for at the provider of that submit, and is paid for once',
  async (_what, behaviour) => {
    const { verdict, paid } = await outcomeOf({
      a: { find: true, behave: [{ submit: refused() }] },
      b: { find: true, behave: [behaviour, {}] },
    })
    expect([verdict, paid]).toEqual(['completed', ['b']])
  },
)

test('a job whose submit its provider can not find is submitted again, by any route', async () => {
  const { verdict, tried } = await outcomeOf({
    a: { find: true, behave: [{ submit: 'reset' }, { submit: refused() }] },
    b: {},
  })
  expect([verdict, tried]).toEqual(['completed', ['a', 'a', 'b']])
})
