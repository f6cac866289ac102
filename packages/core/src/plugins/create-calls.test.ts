import { expect, test, vi } from 'vitest'
import { GenerationError, type ServicePlugin } from '@genmount/core'
import { fakeWorld } from '@genmount/testing'
import { failing, never, pluginOf } from '../test-kit/plugin-of.ts'

const world = (...plugins: ServicePlugin[]) => fakeWorld({}, { plugins })
const stored = async ({ jobs }: ReturnType<typeof fakeWorld>) =>
  await jobs.list?.({ owner: 'alice', limit: 10, maxLength: 1_000_000 })

/** A plugin that gives a place to each job, and records whether the places are left. */
function counting(name: string) {
  const left: boolean[] = []
  const place = { inserts: vi.fn(), leave: (isStored: boolean) => void left.push(isStored) }
  return { left, place, plugin: pluginOf(name, { admit: () => place }) }
}

test('admit of the app is called before the plugins, which are called in their order', async () => {
  const calls: string[] = []
  const noting = (name: string) => pluginOf(name, { admit: () => void calls.push(name) })
  const { create } = fakeWorld(
    {},
    { plugins: [noting('b'), noting('a')], admit: () => void calls.push('app') },
  )
  await create()
  expect(calls).toEqual(['app', 'b', 'a'])
})

test('each plugin resolves what the one before has made of the input, and what they stand for is stored', async () => {
  const standIn = (name: string, from: string, to: string) =>
    pluginOf(name, {
      resolveInput: async (_owner: string, input: { prompt: string }) => ({
        input: { prompt: input.prompt.replace(from, to) },
        restored: ({ prompt }: { prompt: string }) => ({ prompt: prompt.replace(to, from) }),
        mustLiveUntil() {},
      }),
    })
  const { create } = world(standIn('one', 'ref:1', 'ref:2'), standIn('two', 'ref:2', 'a fox'))
  expect((await create({ prompt: 'ref:1' })).input).toMatchObject({ prompt: 'ref:1' })
})

test('no plugin can change the input of a new job', async () => {
  const spoil = (input: object) => void Object.assign(input, { prompt: 'spoilt' })
  const { create } = world(
    pluginOf('one', {
      resolveInput: (_owner: string, input: object) => spoil(input),
      admit: ({ input }: { input: object }) => spoil(input),
    }),
  )
  expect((await create()).input).toMatchObject({ prompt: 'a fox' })
})

test('a refusal by a later plugin takes the places of the earlier ones back, and stores nothing', async () => {
  const [one, two] = [counting('one'), counting('two')]
  const refuses = pluginOf('refuses', {
    admit: () => {
      throw new GenerationError('content_policy', 'Not here.')
    },
  })
  const all = world(one.plugin, two.plugin, refuses)
  await expect(all.create()).rejects.toThrow('Not here.')
  expect([one.left, two.left]).toEqual([[false], [false]])
  expect(await stored(all)).toEqual([])
})

test('a plugin whose place throws when it is left keeps no other place, and the job goes on', async () => {
  const one = counting('one')
  const broken = pluginOf('broken', { admit: () => ({ leave: failing() }) })
  const all = world(broken, one.plugin)
  const { id } = await all.create()
  expect(one.left).toEqual([true])
  expect(await all.jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
  expect(all.log.errors).toEqual([`The plugin broken has failed at leave of Job ${id}: out of order`])
})

test('a plugin whose place rejects when it is left is logged', async () => {
  const all = world(pluginOf('broken', { admit: () => ({ leave: async () => failing()() }) }))
  await all.create()
  await all.clock.advance(1)
  expect(all.log.errors.join()).toContain('The plugin broken has failed at leave of Job gen_')
})

test('after a refusal all places are left, also when one throws, and the client gets the refusal', async () => {
  const one = counting('one')
  const broken = pluginOf('broken', { admit: () => ({ leave: failing() }) })
  const refuses = pluginOf('refuses', { admit: failing('Not here.') })
  const all = world(broken, one.plugin, refuses)
  await expect(all.create()).rejects.toThrow('Not here.')
  expect(one.left).toEqual([false])
})

test('a plugin that throws as the job is inserted refuses the job, and all places are left', async () => {
  const one = counting('one')
  const all = world(one.plugin, pluginOf('broken', { admit: () => ({ inserts: failing() }) }))
  await expect(all.create()).rejects.toThrow('out of order')
  expect(one.left).toEqual([false])
  expect(await stored(all)).toEqual([])
})

test('a place that a plugin gives after its time is up is left', async () => {
  const one = counting('one')
  let admit = (_place: unknown) => {}
  const all = world(pluginOf('slow', { admit: () => new Promise((resolve) => (admit = resolve)) }))
  const refused = expect(all.create()).rejects.toThrow('admit of the plugin slow has not answered')
  await all.clock.advance(61_000)
  await refused
  admit(one.place)
  await all.clock.advance(1)
  expect(one.left).toEqual([false])
})

test.each([
  [
    'admit',
    { admit: () => 'welcome' },
    'The result of admit of the plugin liar must be a place of the job, or nothing, not a text.',
  ],
  ['admit', { admit: () => ({ maxUnfinished: Number.NaN }) }, 'admit of the plugin liar'],
  ['admit', { admit: () => ({ leave: true }) }, 'admit of the plugin liar'],
  ['admit', { admit: () => ({ reservation: { usd: -1 } }) }, 'admit of the plugin liar'],
  ['resolveInput', { resolveInput: () => 'welcome' }, 'resolveInput of the plugin liar'],
  ['resolveInput', { resolveInput: async () => ({}) }, 'resolveInput of the plugin liar'],
  [
    'restored',
    {
      resolveInput: async (_: string, input: object) => ({
        input,
        restored: () => undefined,
        mustLiveUntil() {},
      }),
    },
    'restored of the plugin liar',
  ],
  [
    'webhookOf',
    { createFields: { names: { url: 'hook' }, webhookOf: () => ({ url: 5 }) } },
    'webhookOf of the plugin liar',
  ],
])(
  'a plugin that returns nonsense from %s has the job refused, and the error names it',
  async (_hook, hooks, words) => {
    const one = counting('one')
    const all = world(one.plugin, pluginOf('liar', hooks))
    const input = 'createFields' in hooks ? { hook: 'https://a.example' } : {}
    await expect(all.create(input)).rejects.toThrow(words)
    expect(one.left.filter(Boolean)).toEqual([])
    expect(await stored(all)).toEqual([])
  },
)

test('a plugin that hangs in resolveInput has the job refused after a minute, and the key of the request is free', async () => {
  const resolveInput = vi.fn<() => Promise<never> | undefined>(never)
  const all = world(pluginOf('slow', { resolveInput }))
  const request = { idempotency: { scope: 'create', key: 'key-1' } }
  const refused = expect(all.create({}, request)).rejects.toThrow(
    'The resolveInput of the plugin slow has not answered within 60000 ms.',
  )
  await vi.waitFor(() => expect(resolveInput).toHaveBeenCalled())
  await all.clock.advance(61_000)
  await refused
  resolveInput.mockReturnValue(undefined)
  expect((await all.create({}, request)).phase).toBe('accepted')
})

test('the lowest number of unfinished jobs that a plugin allows holds', async () => {
  const all = world(
    pluginOf('many', { admit: () => ({ maxUnfinished: 5 }) }),
    pluginOf('one', { admit: () => ({ maxUnfinished: 1 }) }),
  )
  await all.create()
  await expect(all.create()).rejects.toMatchObject({ code: 'too_many_running_jobs' })
})

test('a plugin reserves what a job may cost, and a second one that does so too fails the create', async () => {
  const reservation = {
    usd: 3,
    budgets: [{ mostMicroUsd: 5_000_000, from: 0, costsFrom: 0 }],
    leftUsd: () => 0,
    refusal: (takenMicroUsd: readonly number[]) =>
      new GenerationError('insufficient_quota', `${takenMicroUsd[0]} are taken.`),
  }
  const one = world(pluginOf('one', { admit: () => ({ reservation }) }))
  expect(await one.create()).toMatchObject({ reservedUsd: 3 })
  await expect(one.create()).rejects.toMatchObject({
    code: 'insufficient_quota',
    message: '3000000 are taken.',
  })
  const two = world(
    pluginOf('one', { admit: () => ({ reservation }) }),
    pluginOf('two', { admit: () => ({ reservation }) }),
  )
  await expect(two.create()).rejects.toThrow(
    'The plugins one and two both reserve the cost of a job; only one may.',
  )
})

test('what admit of the app returns is ignored', async () => {
  const { create } = fakeWorld({}, { admit: (() => 'welcome') as never })
  expect((await create()).phase).toBe('accepted')
})
