import { expect, test, vi } from 'vitest'
import type { Job, Provider, ServicePlugin } from '@genmount/core'
import { type FakeProviderOptions, fakeWorld } from '@genmount/testing'
import { failing, never, pluginOf } from '../test-kit/plugin-of.ts'

const world = (fake: FakeProviderOptions, ...plugins: ServicePlugin[]) => fakeWorld(fake, { plugins })
const slow: FakeProviderOptions = { behave: [{ delayMs: 20_000 }] }
const prompt = (text: string) => ({ input: { prompt: text }, letGo() {} })

test('each plugin makes the input for a submit of what the one before has made, and all let go afterwards', async () => {
  const letGo: string[] = []
  const adding = (name: string) =>
    pluginOf(name, {
      submitInput: async (_job: Job, input: { prompt: string }) => ({
        input: { prompt: `${input.prompt} ${name}` },
        letGo: () => void letGo.push(name),
      }),
    })
  const submitted: object[] = []
  const submit: Provider['submit'] = async ({ input }) => {
    submitted.push(input)
    return { state: 'succeeded', outputs: [{ url: 'https://cdn.example/1.png' }] }
  }
  const plugins = [adding('one'), adding('two')]
  const { create, jobAfter } = fakeWorld({}, { plugins, provider: { submit } })
  const { id } = await create()
  expect(await jobAfter(1000, id)).toMatchObject({ phase: 'completed', shownInput: { prompt: 'a fox' } })
  expect(submitted).toMatchObject([{ prompt: 'a fox one two' }])
  expect(letGo).toEqual(['one', 'two'])
})

test('no plugin can change the stored input', async () => {
  const spoil = (input: object) => void Object.assign(input, { prompt: 'spoilt' })
  const { create, jobAfter } = world(
    slow,
    pluginOf('one', {
      submitInput: (_job: Job, input: object) => spoil(input),
      taskInput: (input: object) => (spoil(input), input),
    }),
  )
  const { id } = await create()
  expect(await jobAfter(10_000, id)).toMatchObject({ phase: 'running', input: { prompt: 'a fox' } })
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed', shownInput: { prompt: 'a fox' } })
})

test.each([
  ['throws', failing()],
  ['rejects', async () => failing()()],
  ['returns a text', () => 'a fox'],
  ['returns no input', async () => ({ input: 'a fox', letGo() {} })],
  ['returns no letGo', async () => ({ input: { prompt: 'a fox' } })],
  ['returns a reason without words', async () => ({ gone: 404 })],
  ['returns an unknown reason for later', async () => ({ later: { why: 'mood' } })],
])('after a submitInput that %s, the submit is tried again later', async (how, broken) => {
  let isBroken = true
  const letGo = vi.fn()
  const { create, jobAfter, provider, log } = world(
    {},
    pluginOf('first', { submitInput: async (_job: Job, input: object) => ({ input, letGo }) }),
    pluginOf('broken', { submitInput: () => (isBroken ? broken() : undefined) }),
  )
  const { id } = await create()
  expect(await jobAfter(1, id)).toMatchObject({ phase: 'accepted', setback: { why: 'files' } })
  expect(letGo).toHaveBeenCalled()
  isBroken = false
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  expect(log.errors[0], how).toMatch(new RegExp(`The plugin broken has failed at submitInput of Job ${id} `))
})

test('after a submitInput that hangs, the submit is tried again later, and a late answer is let go', async () => {
  let answer: ((input: unknown) => void) | undefined
  const letGo = vi.fn()
  const { create, jobAfter, clock, log } = world(
    {},
    pluginOf('slow', {
      submitInput: () => (answer ? undefined : new Promise((resolve) => (answer = resolve))),
    }),
  )
  const { id } = await create()
  expect(await jobAfter(11 * 60_000, id)).toMatchObject({ phase: 'completed' })
  expect(log.errors[0]).toContain('The plugin slow has failed at submitInput of Job')
  answer?.({ input: {}, letGo })
  await clock.advance(1)
  expect(letGo).toHaveBeenCalledOnce()
})

test('a plugin that throws as it lets the input go costs no answer of the provider', async () => {
  const letGo = vi.fn()
  const { create, jobAfter, provider, log } = world(
    slow,
    pluginOf('broken', { submitInput: async () => ({ ...prompt('a fox'), letGo: failing() }) }),
    pluginOf('other', { submitInput: async () => ({ ...prompt('a fox'), letGo }) }),
  )
  const { id } = await create()
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  expect(letGo).toHaveBeenCalledOnce()
  expect(log.errors).toEqual([expect.stringContaining(`The plugin broken has failed at letGo of Job ${id} `)])
})

test.each([
  ['throws', failing()],
  ['hangs', never],
  ['returns a text', () => 'a fox'],
])('when taskInput %s, the provider is polled with the stored input', async (_how, taskInput) => {
  const { create, jobAfter, log } = world(slow, pluginOf('broken', { taskInput }))
  const { id } = await create()
  expect(await jobAfter(10 * 60_000, id)).toMatchObject({ phase: 'completed' })
  expect(log.errors[0]).toContain('The plugin broken has failed at taskInput')
})

test.each([
  ['throws', failing()],
  ['rejects', async () => failing()()],
  ['returns true', async () => true],
  ['returns null', async () => null],
  ['returns an unknown code', async () => ({ code: 'bad', message: 'Bad.' })],
  ['returns no words', async () => ({ code: 'content_policy' })],
])(
  'a check of outputs that %s is repeated, and the outputs are stored when it recovers',
  async (_how, broken) => {
    let isBroken = true
    const { create, jobAfter, log } = world(
      {},
      pluginOf('checks', { checkOutputs: async () => (isBroken ? broken() : undefined) }),
    )
    const { id } = await create()
    expect(await jobAfter(10_000, id)).toMatchObject({ phase: 'collecting' })
    isBroken = false
    expect(await jobAfter(10_000, id)).toMatchObject({ phase: 'completed' })
    expect(log.errors[0]).toContain(`The plugin checks has failed at checkOutputs of Job ${id} `)
  },
)

test.each([
  ['fails', failing()],
  ['hangs', never],
  ['returns nonsense', async () => true],
])(
  'outputs whose check %s to the end are withheld, and the job fails in words, with its cost',
  async (_how, checkOutputs) => {
    const { create, jobAfter, provider, service } = world({}, pluginOf('checks', { checkOutputs }))
    const { id } = await create()
    const job = await jobAfter(2 * 3_600_000, id)
    expect(job).toMatchObject({
      phase: 'failed',
      error: { code: 'service_failed', message: 'The outputs could not be checked, so they are withheld.' },
    })
    expect(job.costUsd).toBe(provider.ledger[0]?.costUsd)
    expect(await service.files.open?.(job.outputs[0]?.fileKey ?? '')).toBe(undefined)
  },
)

test('the first objection to outputs fails the job, and the later plugins are not asked', async () => {
  const later = vi.fn()
  const { create, jobAfter } = world(
    {},
    pluginOf('agrees', { checkOutputs: async () => undefined }),
    pluginOf('objects', { checkOutputs: async () => ({ code: 'content_policy', message: 'No dragons.' }) }),
    pluginOf('later', { checkOutputs: later }),
  )
  const { id } = await create()
  expect(await jobAfter(1000, id)).toMatchObject({
    error: { code: 'content_policy', message: 'No dragons.' },
  })
  expect(later).not.toHaveBeenCalled()
})

test.each([
  ['throws', failing()],
  ['rejects', async () => failing()()],
  ['hangs', never],
  ['returns no URL', () => 'here'],
])('after a urlOf that %s, the provider gets no URL, and the job goes on', async (_how, broken) => {
  const urls: unknown[] = []
  const submit: Provider['submit'] = async (_task, { callbackUrl }) => {
    urls.push(callbackUrl)
    return { state: 'succeeded', outputs: [{ url: 'https://cdn.example/1.png' }] }
  }
  const arriveFrom = failing()
  const plugins = [pluginOf('broken', { vendorCallbacks: { urlOf: broken, arriveFrom } })]
  const { create, jobAfter, log } = fakeWorld({}, { plugins, provider: { submit } })
  const { id } = await create()
  expect(await jobAfter(20_000, id)).toMatchObject({ phase: 'completed' })
  expect(urls).toEqual([undefined])
  expect(log.errors[0]).toMatch(new RegExp(`The plugin broken has failed at urlOf of Job ${id} `))
})

test('after an arriveFrom that throws, a job is polled as without callbacks', async () => {
  const plugins = [pluginOf('broken', { vendorCallbacks: { urlOf: () => undefined, arriveFrom: failing() } })]
  const { create, jobAfter } = fakeWorld(slow, { plugins })
  const { id } = await create()
  expect(await jobAfter(40_000, id)).toMatchObject({ phase: 'completed' })
})
