import { expect, test } from 'vitest'
import type { ProviderReport } from '@genmount/core'
import { type FakeBehaviour, type FakeFault, nonsense, refused } from '@genmount/testing'
import { routedWorld, type Scripts, type WorldOptions } from './routed-world.ts'

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
  ['names a time', refused(90_000)],
  ['is not there', 'connection_refused'],
  ['wants to be paid first', accountFault],
]

/** Creates one job, lets an hour pass, and tells what became of it. */
async function outcomeOf(scripts: Scripts, options?: WorldOptions) {
  const world = routedWorld(scripts, options)
  const id = await world.create(world.start().service)
  await world.clock.advance(3_600_000)
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

test.each(clearRefusals)('where a provider %s the next one makes the job at once', async (_what, submit) => {
  const world = routedWorld({ a: { behave: [{ submit }] }, b: {} })
  const id = await world.create(world.start().service)
  await world.clock.advance(100)
  expect(await world.job(id)).toMatchObject({ phase: 'completed', route: 'b/fake-image', costUsd: 0.01 })
  expect(world.paidBy(id)).toEqual(['b'])
  await world.close()
})

test('a fall-over can be seen in the log: from where, to where, and why', async () => {
  const { logged } = await outcomeOf({ a: { behave: [{ submit: refused() }] }, b: {} })
  expect(logged).toContainEqual(
    expect.stringMatching(/^Job gen_\w+: route a\/fake-image .*Too many requests.* b\/fake-image is next\.$/),
  )
})

test('the first route makes every job that it takes, and the others hear of none', async () => {
  const { tried, route } = await outcomeOf({ a: {}, b: {}, c: {} })
  expect([tried, route]).toEqual([['a'], 'a/fake-image'])
})

test('what a provider fails for good no other is asked for', async () => {
  const { verdict, tried } = await outcomeOf({
    a: { behave: [{ failure: { code: 'content_policy' } }] },
    b: {},
  })
  expect([verdict, tried]).toEqual(['content_policy', ['a']])
})

test('all refuse: all are asked again after a pause that grows with the rounds, until one takes it', async () => {
  const refusing: FakeBehaviour = { submit: refused() }
  const { verdict, tried, paid } = await outcomeOf({
    a: { behave: [refusing, refusing, refusing, {}] },
    b: { behave: [refusing] },
  })
  expect(tried).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a'])
  expect([verdict, paid]).toEqual(['completed', ['a']])
})

test('all refuse and name times: the first that may be asked again is, and no other before its time', async () => {
  const world = routedWorld({
    a: { behave: [{ submit: refused(90_000) }] },
    b: { behave: [{ submit: refused(20_000) }, {}] },
  })
  const id = await world.create(world.start().service)
  await world.clock.advance(19_900)
  expect(world.submittedTo(id)).toEqual(['a', 'b'])
  await world.clock.advance(200)
  expect(world.submittedTo(id)).toEqual(['a', 'b', 'b'])
  expect(await world.job(id)).toMatchObject({ phase: 'completed' })
  await world.close()
})

test('all refuse for ever: the job fails at its deadline, and nothing was paid', async () => {
  const { verdict, paid } = await outcomeOf({
    a: { behave: [{ submit: refused() }] },
    b: { behave: [{ submit: 'connection_refused' }] },
  })
  expect([verdict, paid]).toEqual(['deadline_exceeded', []])
})

test('no provider accepts the account: the job fails at once and says so', async () => {
  const world = routedWorld({
    a: { behave: [{ submit: accountFault }] },
    b: { behave: [{ submit: accountFault }] },
  })
  const id = await world.create(world.start().service)
  await world.clock.advance(100)
  expect((await world.job(id)).error).toEqual({ code: 'provider_rejected', message: 'No credit left.' })
  await world.close()
})

const unknownOutcomes: [string, FakeBehaviour][] = [
  ['breaks off after it was taken on', { answer: 'reset' }],
  ['breaks off before it was taken on', { submit: 'reset' }],
  ['ends in status 500', { answer: 'server_error' }],
  ['is never answered', { answer: 'hang' }],
  ['is never heard', { submit: 'hang' }],
  ['is answered with nonsense', { answer: nonsense.unknownState }],
]

test.each(unknownOutcomes)('a submit that %s is followed by no other route', async (_what, behaviour) => {
  const { verdict, tried } = await outcomeOf({ a: { behave: [behaviour, {}] }, b: {} })
  expect([verdict, tried]).toEqual(['submit_ambiguous', ['a']])
})

test.each(unknownOutcomes)(
  'a submit by the second route that %s is followed neither by the third nor by the first',
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
  'a submit that %s is made again by the same route where the application accepts to pay twice',
  async (_what, behaviour) => {
    const { verdict, tried } = await outcomeOf(
      { a: { behave: [behaviour, { submit: refused() }, {}] }, b: {} },
      { onAmbiguousSubmit: 'resubmit' },
    )
    expect([verdict, tried]).toEqual(['completed', ['a', 'a', 'a']])
  },
)

test.each(unknownOutcomes)(
  'a submit that %s is made again by the same route where that dedupes, though it refuses meanwhile',
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

test.each(unknownOutcomes)('a submit that %s is looked for where it was made', async (_what, behaviour) => {
  const { verdict, paid } = await outcomeOf({
    a: { find: true, behave: [{ submit: refused() }] },
    b: { find: true, behave: [behaviour, {}] },
  })
  expect([verdict, paid]).toEqual(['completed', ['b']])
})

test('a submit that its provider has never heard of may go by any route again', async () => {
  const { verdict, tried } = await outcomeOf({
    a: { find: true, behave: [{ submit: 'reset' }, { submit: refused() }] },
    b: {},
  })
  expect([verdict, tried]).toEqual(['completed', ['a', 'a', 'b']])
})
