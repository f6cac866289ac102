import { expect } from 'vitest'
import { type Model, routeModel } from '@genmount/core'
import { type FakeProviderOptions, fakeModels, quietLog } from '@genmount/testing'
import { expectDelivery, testInAllStores, testInMemory } from './paid-job-test.ts'
import type { ProcessChanges, SimulatedWorld, WorldOptions } from './simulated-world.ts'

const model = (id: string): Model => ({ ...fakeModels[0]!, id })

/** A process whose providers have these models, by the names of the providers. */
function serving(models: Readonly<Record<string, readonly string[]>>): ProcessChanges {
  return {
    names: Object.keys(models),
    wrap: (provider) => ({ ...provider, models: (models[provider.name] ?? []).map(model) }),
  }
}

/** A process in which clients get the model `inner` of the provider `old` when they ask for `flux`. */
function routed(inner: string, name?: string): ProcessChanges {
  return {
    ...serving({ old: [inner] }),
    offers: (providers) => [
      routeModel({
        id: 'flux',
        routes: providers.map((provider) => ({ provider, model: inner, name })),
      }),
    ],
  }
}

const deadlineMs = 5 * 60_000
const slow: FakeProviderOptions = { behave: [{ delayMs: 120_000 }] }
const two: WorldOptions = { vendors: { old: slow, new: slow }, service: { deadlineMs }, stepMs: 1000 }
const never = () => new Promise<never>(() => {})

/** Creates a job for `flux` that runs at the provider `old`, and ends its process. */
async function runningJob(world: SimulatedWorld, changes: ProcessChanges): Promise<string> {
  const first = world.start(undefined, changes)
  const id = await world.create(first, 'flux')
  await world.pass(3000)
  expect(await world.job(id)).toMatchObject({ phase: 'running', provider: 'old' })
  first.kill()
  return id
}

/** Which calls about the job the provider got. */
function callsTo(world: SimulatedWorld, name: string, id: string): number {
  const { submits, polls, cancels } = world.vendorOf(name)
  return [...submits, ...polls, ...cancels].filter(({ jobId }) => jobId === id).length
}

const onlyOld = serving({ old: ['flux'] })
const onlyNew = serving({ new: ['flux'] })

for (const [what, before, after, testIn = testInMemory] of [
  [
    'the models of two providers are swapped',
    serving({ old: ['flux'], new: ['other'] }),
    serving({ old: ['other'], new: ['flux'] }),
  ],
  [
    'its model moves to another provider',
    serving({ old: ['flux', 'other'] }),
    serving({ old: ['other'], new: ['flux'] }),
    testInAllStores,
  ],
  ['its model is removed', serving({ old: ['flux', 'other'] }), serving({ old: ['other'] })],
  ['its model is renamed', onlyOld, serving({ old: ['flux-2'] })],
  ['its model is routed', onlyOld, routed('flux')],
  ['its model gets other routes', routed('inner'), { ...routed('inner', 'main') }],
  ['its route leads to another model of its provider', routed('inner', 'main'), routed('better', 'main')],
  ['its model is no longer routed', routed('inner', 'main'), serving({ old: ['inner'], new: ['flux'] })],
] as const)
  testIn(
    `a running job completes at its provider when ${what} in a deployment, and no other provider is asked`,
    two,
    async (world) => {
      const id = await runningJob(world, before)
      const seen: string[] = []
      const wrap: ProcessChanges['wrap'] = (provider) => ({
        ...(after.wrap?.(provider) ?? provider),
        poll: (task, call) => {
          seen.push(task.model)
          return provider.poll(task, call)
        },
      })
      world.start(undefined, { ...after, wrap })
      await expectDelivery(world, id)
      expect(callsTo(world, 'new', id)).toBe(0)
      // The provider is asked with the id by which it knows the model.
      expect(new Set(seen)).toEqual(new Set([before.offers ? 'inner' : 'flux']))
    },
  )

testInMemory(
  'a running job whose provider is removed waits, and completes when the provider is back',
  two,
  async (world) => {
    const id = await runningJob(world, onlyOld)
    const without = world.start(undefined, onlyNew)
    await world.pass(200_000)
    expect(await world.job(id)).toMatchObject({ phase: 'running' })
    expect(callsTo(world, 'new', id)).toBe(0)
    without.kill()
    world.start(undefined, onlyOld)
    await expectDelivery(world, id)
  },
)

testInMemory(
  'the log says once a minute at most which provider the jobs wait for, with the task of one of them',
  two,
  async (world) => {
    const id = await runningJob(world, onlyOld)
    const other = await runningJob(world, onlyOld)
    const log = quietLog()
    world.start(undefined, { ...onlyNew, log })
    await world.pass(300_000)
    expect(log.warnings.filter((line) => line.includes('waits for the provider old'))).toHaveLength(4)
    const fields = log.fields.filter(({ provider }) => provider === 'old')
    expect([id, other]).toContain(fields[0]?.job)
    expect(fields[0]?.task).toContain('fakeTask')
  },
)

testInAllStores(
  'a job whose provider stays away fails after its deadline with the name of the provider, and completes when the provider is back',
  two,
  async (world) => {
    const id = await runningJob(world, onlyOld)
    const without = world.start(undefined, onlyNew)
    await world.pass(deadlineMs - 10_000)
    expect((await world.job(id)).phase).toBe('running')
    await world.pass(150_000)
    const { phase, error } = await world.job(id)
    expect([phase, error?.code]).toEqual(['failed', 'provider_lost'])
    expect(error?.message).toContain('provider old')
    await world.pass(60_000)
    expect((await world.job(id)).phase).toBe('failed')
    without.kill()
    world.start(undefined, onlyOld)
    await expectDelivery(world, id)
    expect(callsTo(world, 'new', id)).toBe(0)
  },
)

for (const [kind, offers, verdict, testIn = testInMemory] of [
  ['can not look for tasks', {}, 'submit_ambiguous'],
  ['finds tasks', { find: true }, 'completed', testInAllStores],
  ['recognises repeated submits', { dedupesSubmits: true }, 'completed'],
] as const)
  testIn(
    `a job whose submit lost its answer is not paid for again at the provider to which its model has moved, when its own ${kind}`,
    {
      vendors: {
        old: { ...offers, behave: [{ answer: 'reset', delayMs: 5000 }, { delayMs: 5000 }] },
        new: { ...slow, find: true, dedupesSubmits: true },
      },
      stepMs: 1000,
    },
    async (world) => {
      const first = world.start(undefined, onlyOld)
      const id = await world.create(first, 'flux')
      await world.pass(100)
      first.kill()
      const without = world.start(undefined, onlyNew)
      await world.pass(120_000)
      expect(await world.job(id)).toMatchObject({ phase: 'submitting', provider: 'old' })
      without.kill()
      world.start(undefined, serving({ old: ['other'], new: ['flux'] }))
      await world.pass(120_000)
      const { phase, error } = await world.job(id)
      expect(error?.code ?? phase).toBe(verdict)
      expect([callsTo(world, 'new', id), world.vendor.ledger.length]).toEqual([0, 1])
    },
  )

testInMemory(
  'jobs that wait for their turn are submitted to the provider to which their model has moved, and paid for once',
  two,
  async (world) => {
    const full = serving({ old: ['flux'] })
    const first = world.start(undefined, {
      ...full,
      wrap: (provider) => ({ ...provider, models: [model('flux')], maxConcurrentJobs: 1, submit: never }),
    })
    const [, waiting] = [await world.create(first, 'flux'), await world.create(first, 'flux')]
    await world.pass(1000)
    expect((await world.job(waiting)).phase).toBe('accepted')
    first.kill()
    world.start(undefined, onlyNew)
    expect(
      await world.passUntil(async () => (await world.job(waiting)).phase === 'completed', 400_000, 1000),
    ).toBe(true)
    expect(callsTo(world, 'old', waiting)).toBe(0)
    expect(callsTo(world, 'new', waiting)).toBeGreaterThan(0)
  },
)

testInMemory(
  'a job that waits for its turn when its model is removed fails at its deadline as one that has cost nothing, with the name of the model',
  two,
  async (world) => {
    const first = world.start(undefined, {
      ...onlyOld,
      wrap: (provider) => ({ ...provider, models: [model('flux')], maxConcurrentJobs: 1, submit: never }),
    })
    const [, waiting] = [await world.create(first, 'flux'), await world.create(first, 'flux')]
    await world.pass(1000)
    first.kill()
    world.start(undefined, serving({ new: ['other'] }))
    await world.pass(deadlineMs + 120_000)
    const { error, costUsd, isCostKnown } = await world.job(waiting)
    expect(error?.code).toBe('deadline_exceeded')
    expect(error?.message).toContain('the model flux')
    expect([costUsd, isCostKnown]).toEqual([0, true])
  },
)

testInMemory(
  'a running job waits while its provider does not accept the key of the service, and completes when the key is right',
  two,
  async (world) => {
    const id = await runningJob(world, onlyOld)
    const status = 401
    const rejected = world.start(undefined, {
      ...onlyOld,
      wrap: (provider) => ({
        ...provider,
        models: [model('flux')],
        async poll() {
          throw Object.assign(new Error('The provider answered with status 401.'), { status })
        },
      }),
    })
    await world.pass(200_000)
    expect((await world.job(id)).phase).toBe('running')
    rejected.kill()
    world.start(undefined, onlyOld)
    await expectDelivery(world, id)
  },
)

testInAllStores(
  'two apps that share a store and serve one model id from different providers complete their own running jobs',
  two,
  async (world) => {
    const apps = [world.start(undefined, onlyOld), world.start(undefined, onlyNew)]
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, index) => world.create(apps[index % 2]!, 'flux')),
    )
    await world.pass(200_000)
    for (const id of ids) {
      const job = await world.job(id)
      const { phase, provider = '' } = job
      expect(phase).toBe('completed')
      expect(callsTo(world, provider === 'old' ? 'new' : 'old', id)).toBe(0)
    }
    const paid = ['old', 'new'].flatMap((name) => world.vendorOf(name).ledger)
    expect(paid).toHaveLength(ids.length)
  },
)
