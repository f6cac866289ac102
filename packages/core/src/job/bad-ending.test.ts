import { expect, test } from 'vitest'
import { type FakeProviderOptions, fakeWorld } from '@genmount/testing'
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

test('a submit of which nobody knows what came is told once, with whose it was and that it was perhaps paid for', async () => {
  const { clock, service, told } = setUp({ behave: [{ answer: 'reset' }] })
  const { job } = await service.create(request)
  await clock.advance(10 * 60_000)
  const whose = `Job ${job.id} (owner alice, model fake-image, provider fake)`
  expect(told).toEqual([expect.stringContaining(`${whose} failed as submit_ambiguous, perhaps paid: `)])
  await service.close()
})

test('a task that its provider has lost is told with what the vendor calls it', async () => {
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

test('a job that fails because of its task is nobody’s trouble', async () => {
  const { clock, service, told } = setUp({ behave: [{ failure: { code: 'content_policy' } }] })
  await service.create(request)
  await clock.advance(60_000)
  expect(told).toEqual([])
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
