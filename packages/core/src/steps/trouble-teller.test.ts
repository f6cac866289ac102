import { callbacks } from '@genmount/core/callbacks'
import { expect, test } from 'vitest'
import { type FakeProviderOptions, fakeWorld } from '@genmount/testing'
import { providerFailures } from '../errors/error-codes.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a secret fox' } }

function setUp(fake: FakeProviderOptions = {}) {
  const stores = { areAway: false }
  const files = memoryFileStore()
  const away = async () => Promise.reject(new Error('no route to host'))
  const world = fakeWorld(fake)
  const service = world.serviceOver({
    jobs: { replace: (...write) => (stores.areAway ? away() : world.jobs.replace(...write)) },
    files: { ...files, put: (...file) => (stores.areAway ? away() : files.put(...file)) },
  })
  return { ...world, service, stores, told: world.log.errors }
}

test('an ambiguous submit is logged once, with its owner and that it may have been paid for', async () => {
  const { clock, service, told } = setUp({ behave: [{ answer: 'reset' }] })
  const { job } = await service.create(request)
  await clock.advance(10 * 60_000)
  const whose = `Job ${job.id} (owner alice, model fake-image, provider fake)`
  expect(told).toEqual([expect.stringContaining(`${whose} failed as submit_ambiguous, perhaps paid: `)])
  await service.close()
})

test('a job that fails as provider_lost is logged with the vendor’s id of the task', async () => {
  const { clock, service, told } = setUp({
    behave: [{ delayMs: 0, poll: { report: { state: 'unknown', message: 'There is no such task.' } } }],
  })
  await service.create(request)
  await clock.advance(10 * 60_000)
  expect(told).toEqual([
    expect.stringMatching(/provider fake, task \{"fakeTask":1\}\) failed as provider_lost, probably paid: /),
  ])
  await service.close()
})

test.each<[string, FakeProviderOptions, RegExp]>([
  [
    'a handle',
    { behave: [{ delayMs: 5000 }], latencyMs: 500 },
    /task \{"fakeTask":1\}\): the outcome of a step, running, could not be written/,
  ],
  ['what was paid for bytes', { latencyMs: 500 }, /succeeded \(cost \$0.01\), could not be written/],
])(
  '%s that the service holds when it must close goes to the log, and nothing of the input',
  async (_what, fake, line) => {
    const { clock, service, stores, told } = setUp(fake)
    const { job } = await service.create(request)
    await clock.advance(100)
    stores.areAway = true
    await clock.advance(20_000)
    const closed = service.close({ timeoutMs: 5000 })
    await clock.advance(6000)
    await closed
    const lines = told.filter((message) => message.startsWith(`Job ${job.id}`))
    expect(lines).toEqual([expect.stringMatching(line)])
    expect(told.join()).not.toContain('secret fox')
  },
)

test('a failed job is logged once with its fields, whatever the reason is', async () => {
  for (const code of providerFailures) {
    const { clock, service, log } = setUp({ behave: [{ failure: { code, message: 'No.' } }] })
    const { job } = await service.create(request)
    await clock.advance(60_000)
    const own = log.fields.filter((fields) => fields.job === job.id)
    expect(own).toEqual([
      expect.objectContaining({ owner: 'alice', model: 'fake-image', provider: 'fake', code }),
    ])
    await service.close()
  }
})

test('failures that owners cause are logged once a minute for each code, with the number of those left out', async () => {
  const { clock, service, log } = setUp({ behave: [{ failure: { code: 'content_policy' } }] })
  const many = async (count: number) => {
    for (let index = 0; index < count; index++) await service.create(request)
    await clock.advance(30_000)
  }
  await many(50)
  await many(1)
  expect(log.warnings.filter((line) => line.includes('content_policy'))).toHaveLength(1)
  await many(1)
  const told = log.fields.filter(({ code }) => code === 'content_policy')
  expect(told.map(({ leftOut }) => leftOut)).toEqual([undefined, 50])
  expect(log.errors).toEqual([])
  await service.close()
})

test('a vendor account that is not accepted is logged once a minute with the status, for submits and for polls', async () => {
  const account = { state: 'failed', code: 'provider_rejected', message: 'No credit left.', status: 402 }
  const locked = Object.assign(new Error('The provider answered with status 401: no'), { status: 401 })
  const { clock, provider, service, log } = setUp({ behave: [{ submit: { report: account } }] })
  for (let index = 0; index < 20; index++) await service.create(request)
  await clock.advance(1000)
  expect(log.fields.filter(({ status }) => status === 402)).toHaveLength(1)
  expect(log.warnings.join()).toContain('No credit left.')
  await service.close()

  const polled = fakeWorld({ behave: [{ delayMs: 20_000 }] })
  const other = polled.serviceOver({ provider: { poll: () => Promise.reject(locked) } })
  for (let index = 0; index < 20; index++) await other.create(request)
  await polled.clock.advance(10_000)
  expect(polled.log.fields.filter(({ status }) => status === 401)).toHaveLength(1)
  expect(provider.name).toBe('fake')
  await other.close()
})

test('a busy provider is logged once a minute, and the error of a job that fails at its deadline says so', async () => {
  const busy = { state: 'refused', message: 'Organisation org-77 has too many requests.', status: 429 }
  const { clock, service, log } = setUp({ behave: [{ submit: { report: busy } }] })
  const { job } = await service.create(request)
  await clock.advance(59_000)
  expect(log.fields.filter(({ status }) => status === 429)).toHaveLength(1)
  await clock.advance(31 * 60_000)
  const { error } = await service.get(job.id, 'alice')
  expect(error).toEqual({
    code: 'deadline_exceeded',
    message: expect.stringMatching(
      /^The job has not finished within its time: fake was busy; last tried 00:\d\d UTC\.$/,
    ),
  })
  expect(JSON.stringify(await service.get(job.id, 'alice'))).not.toContain('org-77')
  await service.close()
})

test.each<[string, FakeProviderOptions, RegExp]>([
  [
    'cannot be reached',
    { behave: [{ submit: 'connection_refused' }] },
    /fake could not be reached; last tried/,
  ],
  ['is still working', { behave: [{ delayMs: 3 * 3_600_000 }] }, /time: fake was still working on it\.$/],
  [
    'answers polls with errors',
    { behave: [{ delayMs: 1, poll: 'server_error' }] },
    /gave no usable answer; last tried/,
  ],
])('the error of a job that fails at its deadline says that its provider %s', async (_what, fake, words) => {
  const { clock, service } = setUp(fake)
  const { job } = await service.create(request)
  await clock.advance(32 * 60_000)
  expect((await service.get(job.id, 'alice')).error?.message).toMatch(words)
  await service.close()
})

test('a job that fails at its deadline is logged once by several processes together', async () => {
  const { clock, create, serviceOver, log } = fakeWorld({ behave: [{ delayMs: 3 * 3_600_000 }] })
  const { id } = await create()
  for (const service of [serviceOver(), serviceOver()]) service.start()
  await clock.advance(40 * 60_000)
  expect(log.fields.filter(({ job }) => job === id).map(({ code }) => code)).toEqual(['deadline_exceeded'])
})

test('a job that continues after submit_ambiguous is logged again at its new end', async () => {
  const world = fakeWorld(
    {
      behave: [{ answer: 'reset', delayMs: 1000, failure: { code: 'provider_failed' } }],
      sendCallback: () => {},
    },
    { plugins: [callbacks({ baseUrl: 'https://app.example' })] },
  )
  const service = world.serviceOver()
  const { job } = await service.create(request)
  await world.clock.advance(10 * 60_000)
  await service.receiveCallback(job.id, world.provider.callbackFor(job.id))
  await world.clock.advance(60_000)
  const codes = world.log.fields.flatMap(({ code }) => code ?? [])
  expect(codes).toEqual(['submit_ambiguous', 'provider_failed'])
  await service.close()
})

test('a failed job keeps the words of the vendor for the operator, shortened and without credentials', async () => {
  const cause = new Error(`Bearer r8_0123456789abcdef0123456789 ${'is not accepted '.repeat(60)}`)
  const { service, clock } = setUp({
    behave: [{ failure: { code: 'provider_failed', message: 'Failed.', status: 500, cause } }],
  })
  const { job } = await service.create(request)
  await clock.advance(10_000)
  const { error } = (await service.get(job.id, 'alice'))!
  expect(error).toMatchObject({ code: 'provider_failed', message: 'Failed.' })
  expect(error?.detail).toMatch(/^HTTP 500: Bearer \[secret\] is not accepted /)
  expect(error?.detail).toHaveLength(500)
  await service.close()
})

test.each([
  [{ status: 402 }, 'HTTP 402'],
  [{ cause: new Error('No credit left.') }, 'No credit left.'],
  [{}, undefined],
])('a failed job keeps what there is of status and cause: %o', async (words, detail) => {
  const { service, clock } = setUp({ behave: [{ failure: { code: 'provider_rejected', ...words } }] })
  const { job } = await service.create(request)
  await clock.advance(10_000)
  const { error } = (await service.get(job.id, 'alice'))!
  expect(error?.code).toBe('provider_rejected')
  expect(error?.detail).toBe(detail)
  await service.close()
})
