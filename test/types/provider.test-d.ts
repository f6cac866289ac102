import type { Job, JsonObject, Provider, ProviderFailure, ProviderReport } from '@genmount/core'
import { fakeProvider, fakeWorld, type FakeProvider } from '@genmount/testing'
import { expectTypeOf, test } from 'vitest'

const named = { name: 'acme', models: [] }
const running = { state: 'running', handle: 'task-1' } as const

test('a Provider needs a name, models, submit and poll, and nothing else', () => {
  const least: Provider = { ...named, submit: async () => running, poll: async () => running }
  expectTypeOf(least.submit).returns.resolves.toEqualTypeOf<ProviderReport>()
  // @ts-expect-error Without a poll nobody would learn of the end of a task.
  const deaf: Provider = { ...named, submit: async () => running }
  expectTypeOf(deaf).toEqualTypeOf<Provider>()
})

test('submit gets the input as JSON without a handle, and poll gets the handle', () => {
  expectTypeOf<Parameters<Provider['submit']>[0]['input']>().toEqualTypeOf<JsonObject>()
  expectTypeOf<Parameters<Provider['poll']>[0]>().toHaveProperty('handle')
  expectTypeOf<Parameters<Provider['submit']>[0]>().not.toHaveProperty('handle')
  expectTypeOf<Parameters<Provider['submit']>[1]['signal']>().toEqualTypeOf<AbortSignal>()
})

test('a report of a provider has one of five states, each with its own fields', () => {
  expectTypeOf<ProviderReport['state']>().toEqualTypeOf<
    'running' | 'succeeded' | 'failed' | 'refused' | 'unknown'
  >()
  const reports: ProviderReport[] = [
    { state: 'succeeded', outputs: [{ url: 'https://cdn.example/1.png' }], costUsd: undefined },
    { state: 'failed', code: 'content_policy', message: 'Not that.' },
    { state: 'refused', message: 'Busy.', retryAfterMs: 2000 },
    // @ts-expect-error A task that runs is found again by its handle.
    { state: 'running' },
    // @ts-expect-error A handle is stored as JSON.
    { state: 'running', handle: new Map() },
    // @ts-expect-error Not a reason that a provider can give: the service alone knows it.
    { state: 'failed', code: 'submit_ambiguous', message: 'No.' },
    // @ts-expect-error An output is a URL or bytes.
    { state: 'succeeded', outputs: ['https://cdn.example/1.png'] },
    // @ts-expect-error A state that there is not.
    { state: 'done', outputs: [] },
  ]
  expectTypeOf(reports).toEqualTypeOf<ProviderReport[]>()
  expectTypeOf<'deadline_exceeded'>().not.toExtend<ProviderFailure>()
})

test('a Job is readonly, and has undefined for what is not known', () => {
  expectTypeOf<Job['completedAt']>().toEqualTypeOf<number | undefined>()
  const rename = (job: Job) => {
    // @ts-expect-error The store alone changes jobs.
    job.owner = 'bob'
  }
  expectTypeOf(rename).parameter(0).toEqualTypeOf<Job>()
})

test('the fakes of @genmount/testing have the types of what they replace', () => {
  expectTypeOf<FakeProvider>().toExtend<Provider>()
  expectTypeOf(fakeWorld().create).returns.resolves.toEqualTypeOf<Job>()
  // @ts-expect-error A behaviour that there is not.
  fakeProvider({ behave: [{ delay: 5 }] })
})
