import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Json, Provider, ProviderReport } from '@genmount/core'
import {
  fakeModels,
  fakeProvider,
  manualClock,
  providerSuite,
  type FakeProviderOptions,
} from '@genmount/testing'
import { failingCases } from '../suite.ts'

const image = { model: 'fake-image', input: { prompt: 'a fox' } }
const video = { model: 'fake-video', input: { prompt: 'a fox', duration: 2 } }
const capable: FakeProviderOptions = {
  behave: [{ delayMs: 300, pollAfterMs: 50 }],
  dedupesSubmits: true,
  find: true,
  cancel: true,
  sendCallback: () => {},
}

function suiteWith(damage: (provider: Provider) => Partial<Provider> = () => ({}), options = capable) {
  return providerSuite(() => {
    const clock = manualClock()
    const fake = fakeProvider({ ...options, clock })
    const provider = { ...fake, ...damage(fake) }
    return { provider, clock, finishWithinMs: 5_000, unknownHandle: { fakeTask: 404 } }
  }, [image])
}

/** Changes the reports of a provider. */
function saying(change: (report: ProviderReport) => unknown) {
  return (provider: Provider): Partial<Provider> => ({
    submit: async (task, call) => change(await provider.submit(task, call)) as ProviderReport,
    poll: async (task, call) => change(await provider.poll(task, call)) as ProviderReport,
  })
}

test('a provider that keeps the contract passes every case, with and without the optional capabilities', async () => {
  expect(await failingCases(suiteWith())).toEqual([])
  expect(await failingCases(suiteWith(undefined, {}))).toEqual([])
  expect(await failingCases(suiteWith(undefined, { ...capable, find: 'list' }))).toEqual([])
  expect(await failingCases(suiteWith(undefined, { behave: [{ delayMs: 0 }] }))).toEqual([])
})

test('several samples are cases of their own, named after their models', async () => {
  const suite = providerSuite(() => ({ provider: fakeProvider() }), [image, video])
  expect(await failingCases(suite)).toEqual([])
  expect(Object.keys(suite)).toContain('fake-video: the schema refuses unknown fields')
})

test('each of several samples of one model is tested', async () => {
  const wrong = { model: 'fake-image', input: { size: 5 } }
  const suite = providerSuite(() => ({ provider: fakeProvider() }), [wrong, image, video])
  expect(await failingCases(suite)).toContain('fake-image: the schema takes the sample and gives JSON')
  expect(Object.keys(suite)).toContain('fake-image (2): the schema takes the sample and gives JSON')
})

test('a provider that has what its author says it lacks fails', async () => {
  const suite = providerSuite(() => ({ provider: fakeProvider({ cancel: true }) }), [image], {
    lacks: ['cancel', 'find'],
  })
  expect(await failingCases(suite)).toEqual(['the provider lacks cancel, find'])
  expect(Object.keys(suite)).not.toContain('a running task can be canceled, once and twice')
})

test('a vendor that is busy at first passes', async () => {
  const busy = { report: { state: 'refused', message: 'busy', retryAfterMs: 500 } }
  const options: FakeProviderOptions = { behave: [{ submit: busy }, { submit: busy }, { delayMs: 100 }] }
  expect(await failingCases(suiteWith(undefined, options))).toEqual([])
})

test('a provider that lists its tasks under other handles than it reports fails the case of the list', async () => {
  const listing = (of: (handle: Json) => Json) => (provider: Provider) => {
    const handles: Json[] = []
    return {
      async submit(...given: Parameters<Provider['submit']>) {
        const report = await provider.submit(...given)
        if (report.state === 'running') handles.push(report.handle)
        return report
      },
      async *list() {
        for (const handle of handles) yield { handle: of(handle), state: 'running' as const }
      },
    }
  }
  expect(await failingCases(suiteWith(listing((handle) => handle)))).toEqual([])
  expect(await failingCases(suiteWith(listing(() => 'another')))).toEqual([
    'a task that was submitted is in the list, where the provider lists tasks',
  ])
})

interface Fault {
  readonly damage: (provider: Provider) => Partial<Provider>
  readonly fails: readonly string[]
}

/** The cases that follow a task to its end. */
const followedToTheEnd = [
  'a sample ends in outputs that can be had, of the kind the model makes',
  'a task is found again by its handle, by another instance and after a trip through JSON',
  'a poll can be made again, also of a task that has finished',
]

/** The cases that read the report of a submit that starts a task. */
const startedByReport = [
  ...followedToTheEnd,
  'two tasks at a time are two tasks',
  'a poll whose signal aborts returns promptly',
  'one client token is one task, where the provider dedupes',
  'a task is found by its client token or callback URL, and no other is',
  'a running task can be canceled, once and twice',
]

const faults: Record<string, Fault> = {
  'is not ready': {
    damage: () => ({ ready: () => Promise.reject(new Error('The worker is missing.')) }),
    fails: ['a provider is ready before its first use, and when it is asked again'],
  },
  'has two models of one name': {
    damage: ({ models }) => ({ models: [...models, ...models] }),
    fails: ['provider and models have names, and no two models the same'],
  },
  'has a model that takes no time': {
    damage: ({ models }) => ({
      models: models.map((model) => (model.id === 'fake-image' ? model : { ...model, typicalMs: 0 })),
    }),
    fails: ['models say what they make, and their numbers are sane'],
  },
  'refuses its own sample': {
    damage: ({ models }) => ({
      models: models.map((model) => ({ ...model, input: v.strictObject({ text: v.string() }) })),
    }),
    fails: [
      'the schema takes the sample and gives JSON',
      ...followedToTheEnd,
      'two tasks at a time are two tasks',
      'a submit whose signal has aborted returns promptly',
      'a submit whose signal aborts on the way returns promptly',
      'a poll whose signal aborts returns promptly',
      'a task that the vendor does not know is unknown now, and not failed for one such answer',
      'a handle that was never given neither succeeds nor fails at the first answer',
      'one client token is one task, where the provider dedupes',
      'a task is found by its client token or callback URL, and no other is',
      'a running task can be canceled, once and twice',
    ],
  },
  'makes something else': {
    damage: ({ models }) => ({ models: models.map((model) => ({ ...model, outputKind: 'video' })) }),
    fails: ['a sample ends in outputs that can be had, of the kind the model makes'],
  },
  'takes unknown fields': {
    damage: () => ({
      models: fakeModels.map((model) => ({ ...model, input: v.object({ prompt: v.string() }) })),
    }),
    fails: ['the schema refuses unknown fields'],
  },
  'throws from its schema': {
    damage: ({ models }) => ({
      models: models.map((model) => ({
        ...model,
        input: v.pipe(
          v.unknown(),
          v.rawCheck(({ dataset }) => {
            if (typeof dataset.value !== 'object' || dataset.value === null) throw new TypeError('no object')
          }),
          v.strictObject({ prompt: v.string() }),
        ),
      })),
    }),
    fails: ['the schema refuses what is no object, and does not throw'],
  },
  'says a state that nobody knows': {
    damage: saying((report) => (report.state === 'running' ? { ...report, state: 'queued' } : report)),
    fails: startedByReport,
  },
  'gives handles that are no JSON': {
    damage: saying((report) =>
      report.state === 'running' ? { ...report, handle: new Map([[1, 2]]) } : report,
    ),
    fails: startedByReport,
  },
  'finds tasks only by the very handle that it gave': {
    damage: (provider) => {
      const given = new WeakSet<object>()
      return {
        async submit(task, call) {
          const report = await provider.submit(task, call)
          if (report.state === 'running') given.add(report.handle as object)
          return report
        },
        poll: async (task, call) =>
          provider.poll(given.has(Object(task.handle)) ? task : { ...task, handle: null }, call),
      }
    },
    fails: followedToTheEnd,
  },
  'finishes without outputs': {
    damage: saying((report) => (report.state === 'succeeded' ? { ...report, outputs: [] } : report)),
    fails: followedToTheEnd,
  },
  'gives outputs without bytes': {
    damage: saying((report) =>
      report.state === 'succeeded' ? { ...report, outputs: [{ bytes: new Uint8Array() }] } : report,
    ),
    fails: followedToTheEnd,
  },
  'gives outputs as local files': {
    damage: saying((report) =>
      report.state === 'succeeded' ? { ...report, outputs: [{ url: 'file:///tmp/1.png' }] } : report,
    ),
    fails: followedToTheEnd,
  },
  'charges less than nothing': {
    damage: saying((report) => (report.state === 'succeeded' ? { ...report, costUsd: -0.01 } : report)),
    fails: followedToTheEnd,
  },
  'takes a time that is not a number': {
    damage: saying((report) =>
      report.state === 'succeeded' ? { ...report, inferenceMs: Number.NaN } : report,
    ),
    fails: followedToTheEnd,
  },
  'forgets a task once it has told its outcome': {
    damage: (provider) => {
      const told = new Set<string>()
      return {
        async poll(task, call) {
          if (told.has(task.jobId)) return provider.poll({ ...task, handle: null }, call)
          const report = await provider.poll(task, call)
          if (report.state === 'succeeded') told.add(task.jobId)
          return report
        },
      }
    },
    fails: ['a poll can be made again, also of a task that has finished'],
  },
  'changes the task that it is given': {
    damage: (provider) => ({
      submit: (task, call) => provider.submit(Object.assign(task, { model: 'fake-video' }), call),
    }),
    fails: [
      ...followedToTheEnd,
      'two tasks at a time are two tasks',
      'a submit whose signal has aborted returns promptly',
      'a submit whose signal aborts on the way returns promptly',
      'a poll whose signal aborts returns promptly',
      'one client token is one task, where the provider dedupes',
      'a task is found by its client token or callback URL, and no other is',
      'a running task can be canceled, once and twice',
    ],
  },
  'never finishes': {
    damage: saying((report) =>
      report.state === 'succeeded' ? { state: 'running', handle: { fakeTask: 1 } } : report,
    ),
    fails: followedToTheEnd,
  },
  'does not mind its signal': {
    damage: (provider) => ({
      submit: (task, call) => (call.signal.aborted ? new Promise(() => {}) : provider.submit(task, call)),
    }),
    fails: ['a submit whose signal has aborted returns promptly'],
  },
  'succeeds for any handle': {
    damage: (provider) => ({
      async poll(task, call) {
        const report = await provider.poll(task, call)
        if (report.state !== 'unknown') return report
        return { state: 'succeeded', outputs: [{ url: 'https://vendor.test/1.png' }] }
      },
    }),
    fails: [
      'a task that the vendor does not know is unknown now, and not failed for one such answer',
      'a handle that was never given neither succeeds nor fails at the first answer',
    ],
  },
  'gives a task up at the first 404': {
    damage: (provider) => ({
      async poll(task, call) {
        const report = await provider.poll(task, call)
        if (report.state !== 'unknown') return report
        return { state: 'failed', code: 'provider_lost', message: report.message }
      },
    }),
    fails: [
      'a task that the vendor does not know is unknown now, and not failed for one such answer',
      'a handle that was never given neither succeeds nor fails at the first answer',
    ],
  },
  'says that it dedupes and does not': {
    damage: (provider) => ({
      submit: (task, call) => provider.submit({ ...task, clientToken: crypto.randomUUID() }, call),
    }),
    fails: [
      'one client token is one task, where the provider dedupes',
      'a task is found by its client token or callback URL, and no other is',
    ],
  },
  'finds every token': {
    damage: () => ({ find: async () => ({ state: 'running', handle: 'any' }) }),
    fails: ['a task is found by its client token or callback URL, and no other is'],
  },
  'does not find a task by its list': {
    damage: () => ({ find: async () => ({ state: 'unknown', message: 'Not found so far.' }) }),
    fails: ['a task is found by its client token or callback URL, and no other is'],
  },
  'finds no token': {
    damage: () => ({ find: async () => undefined }),
    fails: ['a task is found by its client token or callback URL, and no other is'],
  },
  'takes every callback': {
    damage: () => ({ readCallback: async () => 'any' }),
    fails: ['a callback that nobody signed is refused'],
  },
}

describe('a broken provider fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { damage, fails }) => {
    expect(await failingCases(suiteWith(damage))).toEqual(fails)
  })
})
