import { callbacks } from '@genmount/core/callbacks'
import { expect, test } from 'vitest'
import { fakeWorld, manualClock, quietLog } from '@genmount/testing'
import type { Model, Provider } from '../contracts/provider.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { createGenerationService } from './create-generation-service.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'

const anything: Model['input'] = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as object }) },
}
const model: Model = { id: 'm', outputKind: 'image', input: anything }
const png = { bytes: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) }
const done = { state: 'succeeded', outputs: [png] }

/** A provider in plain JavaScript that returns these reports in order, and repeats the last one. */
function saying(...reports: unknown[]) {
  let calls = 0
  return async () => reports[Math.min(calls++, reports.length - 1)] as never
}

function setUp(provider: Partial<Provider>, options: Partial<GenerationServiceOptions> = {}) {
  const whole = { name: 'odd', models: [model], submit: saying(done), poll: saying(done), ...provider }
  const world = fakeWorld({}, { provider: whole, ...options })
  return { ...world, service: world.service, create: async () => (await world.create({}, { model: 'm' })).id }
}

/** Creates one job, lets an hour pass, and returns the result. */
async function jobAfterAnHour(provider: Partial<Provider>, options?: Partial<GenerationServiceOptions>) {
  const { service, create, jobAfter, log } = setUp(provider, options)
  const job = await jobAfter(3_600_000, await create())
  await service.close()
  return { job, logged: log.lines }
}

test.each([Number.NaN, 'soon', {}, 1n, -5, null, Number.NEGATIVE_INFINITY])(
  'a provider that asks for an impossible pause (%s) delays no job',
  async (retryAfterMs) => {
    const refused = { state: 'refused', message: 'Busy.', retryAfterMs }
    expect((await jobAfterAnHour({ submit: saying(refused, done) })).job.phase).toBe('completed')
    const running = { state: 'running', handle: 1, pollAfterMs: retryAfterMs }
    const polled = { submit: saying(running), poll: saying(refused, running, done) }
    expect((await jobAfterAnHour(polled)).job.phase).toBe('completed')
  },
)

test.each([
  ['Node', Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })],
  ['Bun', new TypeError('ECONNREFUSED: Unable to connect. Is the computer able to access the url?')],
  ['Deno', new Error('error sending request for url (https://acme.example/): client error (Connect): tcp')],
])(
  'a connection that was never made, in the words of %s, counts as a refused submit and is retried',
  async (_runtime, cause) => {
    let submits = 0
    const submit = async () => {
      if (submits++ < 2) throw new TypeError('fetch failed', { cause })
      return done as never
    }
    expect((await jobAfterAnHour({ submit })).job.phase).toBe('completed')
    expect(submits).toBe(3)
  },
)

test('a provider that asks for a pause of ten days is not polled all the time', async () => {
  let submits = 0
  const refused = { state: 'refused', message: 'Busy.', retryAfterMs: 10 * 24 * 3_600_000 }
  const submit = async () => (submits++, refused as never)
  const { clock, service, create } = setUp({ submit }, { deadlineMs: 5 * 3_600_000 })
  await create()
  await clock.advance(4.5 * 3_600_000)
  expect(submits).toBe(5)
  await service.close()
})

test.each([
  ['typicalMs', { models: [{ ...model, typicalMs: Number.NaN }] }],
  ['typicalMs', { models: [{ ...model, typicalMs: Number.POSITIVE_INFINITY }] }],
  ['callTimeoutMs', { callTimeoutMs: Number.NaN }],
  ['callTimeoutMs', { callTimeoutMs: 0 }],
])('a wrong %s throws a TypeError when the service is made', (name, provider) => {
  expect(() => setUp(provider)).toThrow(name)
})

test('the handle of a task does not change when the provider changes its own object later', async () => {
  const task = { id: 'task-1', polls: 0 }
  const seen: unknown[] = []
  const poll: Provider['poll'] = async ({ handle }) => {
    seen.push(handle)
    task.polls++
    return done as never
  }
  const { job } = await jobAfterAnHour({ submit: saying({ state: 'running', handle: task }), poll })
  expect(job.phase).toBe('completed')
  expect(seen).toEqual([{ id: 'task-1', polls: 0 }])
  expect(task.polls).toBe(1)
})

test.each<[string, object]>([
  ['that no JSON can hold', { state: 'running', handle: { id: 1n } }],
  ['that is a function', { state: 'running', handle: () => 1 }],
  [
    'that can not be read',
    {
      state: 'running',
      get handle() {
        throw new Error('no')
      },
    },
  ],
])(
  'a submit that reports a handle %s is ambiguous, and the job is not submitted again',
  async (_what, report) => {
    let submits = 0
    const submit = async () => (submits++, report as never)
    const { job, logged } = await jobAfterAnHour({ submit })
    expect([job.error?.code, submits]).toEqual(['submit_ambiguous', 1])
    expect(logged.filter((line) => line.includes('could not be taken or recorded'))).toEqual([])
  },
)

test.each<[string, unknown]>([
  ['without a URL beside them', { ...png, url: undefined }],
  ['with a URL beside them that leads nowhere', { ...png, url: 'javascript:alert(1)' }],
])('output bytes %s are stored as they were reported', async (_what, output) => {
  const { job } = await jobAfterAnHour({ submit: saying({ state: 'succeeded', outputs: [output] }) })
  expect(job).toMatchObject({ phase: 'completed', outputs: [{ fileKey: `${job.id}-0` }] })
  expect(job.outputs[0]).not.toHaveProperty('url')
})

test('an output with changing getters is stored as it was checked', async () => {
  let reads = 0
  const shifty = {
    get url() {
      return reads++ === 0 ? 'https://cdn.test/1.png' : 'javascript:alert(1)'
    },
  }
  const { job } = await jobAfterAnHour({ submit: saying({ state: 'succeeded', outputs: [shifty] }) })
  expect(job).toMatchObject({ phase: 'completed', outputs: [{ url: 'https://cdn.test/1.png' }] })
})

test('a failure with an unknown code becomes provider_failed', async () => {
  for (const code of [undefined, 'teapot', 'submit_ambiguous', 'constructor']) {
    const { job } = await jobAfterAnHour({ submit: saying({ state: 'failed', code, message: 'No.' }) })
    expect(job.error).toEqual({ code: 'provider_failed', message: 'No.' })
  }
})

test('a provider message of any length and content is shown and logged as one short line', async () => {
  const message = `a\r\n\x1b[31m2026 error: forged\u2028${'x'.repeat(1e6)}`
  const failed = await jobAfterAnHour({
    submit: saying({ state: 'failed', code: 'provider_failed', message }),
  })
  expect(failed.job.error?.message).toMatch(/^a {2}.*forged x+…$/)
  expect(failed.job.error?.message.length).toBeLessThan(1100)
  const { logged } = await jobAfterAnHour({ submit: () => Promise.reject(new Error(message)) })
  const line = logged.find((entry) => entry.includes('forged')) ?? ''
  expect(line).not.toMatch(/\p{Cc}/u)
  expect(line.length).toBeLessThan(1200)
})

test.each<[string, () => never]>([
  [
    'nothing',
    () => {
      throw undefined
    },
  ],
  [
    'what has no text',
    () => {
      throw Object.create(null)
    },
  ],
  [
    'an error whose message can not be read',
    () => {
      throw Object.defineProperty(new Error(), 'message', {
        get() {
          throw new Error('no')
        },
      })
    },
  ],
])('a provider that throws %s counts as an unknown outcome', async (_what, submit) => {
  const { job, logged } = await jobAfterAnHour({ submit })
  expect(job.error?.code).toBe('submit_ambiguous')
  expect(logged.filter((line) => line.includes('could not be taken or recorded'))).toEqual([])
})

test('a connection that broke after it was made does not count as never made', async () => {
  for (const [syscall, verdict] of [
    ['read', 'submit_ambiguous'],
    ['connect', 'completed'],
  ]) {
    let submits = 0
    const fault = Object.assign(new Error('gone'), { code: 'EHOSTUNREACH', syscall })
    const submit = async () => {
      if (submits++ === 0) throw new TypeError('fetch failed', { cause: fault })
      return done as never
    }
    const { job } = await jobAfterAnHour({ submit })
    expect(job.error?.code ?? job.phase).toBe(verdict)
  }
})

test('a callback without a handle adopts no task', async () => {
  const { clock, service, create } = setUp(
    { submit: () => Promise.reject(new Error('reset')), readCallback: saying(undefined) },
    { plugins: [callbacks({ baseUrl: 'https://app.example' })] },
  )
  const id = await create()
  await clock.advance(100)
  await service.receiveCallback?.(id, { headers: {}, body: new Uint8Array() })
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'submitting' })
  await service.close()
})

test('a log that throws delays no job and causes no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const fail = () => {
    throw new Error('disk full')
  }
  const submit = saying({ state: 'running', handle: 1 })
  let polls = 0
  const poll = async () => {
    if (polls++ === 0) throw new Error('reset')
    return done as never
  }
  const { job } = await jobAfterAnHour({ submit, poll }, { log: { warn: fail, error: fail } })
  process.off('unhandledRejection', note)
  expect(job.phase).toBe('completed')
  expect(unhandled).toEqual([])
})

test('a provider whose close throws does not keep other parts open', async () => {
  const clock = manualClock()
  const closed: string[] = []
  const closing = (name: string) => async () => void closed.push(name)
  const broken = [
    {
      close: () => {
        throw new Error('at once')
      },
    },
    { close: () => Promise.reject(new Error('later')) },
    { close: closing('provider') },
  ]
  const providers = broken.map((part, i) => ({
    name: `p${i}`,
    models: [{ ...model, id: `m${i}` }],
    submit: saying(done),
    poll: saying(done),
    ...part,
  }))
  const service = createGenerationService({
    providers,
    clock,
    log: quietLog(),
    backend: { ...memoryBackend({ clock }), close: closing('backend') },
    files: { ...memoryFileStore(), close: () => Promise.reject(new Error('disk')) },
  })
  service.start()
  await service.close()
  expect(closed).toEqual(['provider', 'backend'])
})
