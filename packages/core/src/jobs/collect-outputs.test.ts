import { expect, test } from 'vitest'
import {
  type FakeBehaviour,
  fakeProvider,
  type FakeProviderOptions,
  manualClock,
  nonsense,
} from '@genmount/testing'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { createGenerationService } from './generation-service.ts'

const quiet = { warn() {}, error() {} }

function setUp(behave: FakeBehaviour, files = memoryFileStore(), capabilities: FakeProviderOptions = {}) {
  const clock = manualClock()
  const provider = fakeProvider({ clock, behave: [behave], ...capabilities })
  const service = createGenerationService({ providers: [provider], clock, log: quiet, files })
  const create = async () =>
    (await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a', num_outputs: 2 } }))
      .job.id
  return { clock, provider, service, create }
}

test('bytes are kept in the file store under the type that they really have', async () => {
  const files = memoryFileStore()
  const lying = { bytes: new TextEncoder().encode('<script>'), contentType: 'image/png' }
  const { clock, service, create } = setUp({ outputs: [lying] }, files)
  const id = await create()
  await clock.advance(0)
  const [output] = (await service.get(id, 'alice')).outputs
  expect(output).toEqual({ fileKey: `${id}-0`, contentType: 'application/octet-stream' })
  expect(await files.open?.(`${id}-0`)).toMatchObject({ size: 8, contentType: 'application/octet-stream' })
})

test('https URLs are kept as they are', async () => {
  const { clock, service, create } = setUp({ outputs: [{ url: 'https://cdn.test/1.png' }] })
  const id = await create()
  await clock.advance(0)
  expect(await service.get(id, 'alice')).toMatchObject({ outputs: [{ url: 'https://cdn.test/1.png' }] })
})

const worthless = Object.entries(nonsense)
  .filter(
    ([, { report }]) =>
      typeof report === 'object' && 'outputs' in report && 'state' in report && report.state === 'succeeded',
  )
  .map(([what, answer]): [string, FakeBehaviour] => [what, { answer }])

test.each<[string, FakeBehaviour]>([
  ...worthless,
  ['plain http', { outputs: [{ url: 'http://cdn.test/1.png' }] }],
  ['credentials', { outputs: [{ url: 'https://me:secret@cdn.test/1.png' }] }],
])('outputs that nobody should be led to fail the job as invalid: %s', async (_what, behaviour) => {
  const { clock, service, create } = setUp(behaviour)
  const id = await create()
  await clock.advance(0)
  const job = await service.get(id, 'alice')
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'output_invalid' } })
  expect(job.error?.message).not.toContain('secret')
})

test.each<[string, FakeBehaviour, FakeProviderOptions]>([
  ['of their task', { delayMs: 1000 }, {}],
  ['with the token of a submit that finished at once', {}, { find: true }],
  ['by that submit again, where it is one task', {}, { dedupesSubmits: true }],
])(
  'a file store in trouble never costs a second generation: outputs are asked for again, %s',
  async (_how, behaviour, capabilities) => {
    const working = memoryFileStore()
    let isBroken = true
    const files = {
      ...working,
      put: async (...file: Parameters<typeof working.put>) => {
        if (isBroken) throw new Error('The disk is full.')
        return working.put(...file)
      },
    }
    const { clock, provider, service, create } = setUp(behaviour, files, capabilities)
    const id = await create()
    await clock.advance(3000)
    await expect
      .poll(async () => (await service.get(id, 'alice')).phase, { timeout: 10_000 })
      .toBe('collecting')
    await expect
      .poll(async () => clock.advance(100).then(async () => (await service.get(id, 'alice')).attempts), {
        timeout: 10_000,
      })
      .toBeGreaterThan(0)
    isBroken = false
    await clock.advance(60_000)
    expect(await service.get(id, 'alice')).toMatchObject({ phase: 'completed', costUsd: 0.02 })
    expect(provider.ledger).toHaveLength(1)
  },
)

test('files are deleted with their job', async () => {
  const files = memoryFileStore()
  const { clock, service, create } = setUp({}, files)
  const id = await create()
  await clock.advance(0)
  expect(await files.open?.(`${id}-1`)).toBeDefined()
  await clock.advance(7 * 24 * 3_600_000 + 10_000)
  expect(await files.open?.(`${id}-0`)).toBeUndefined()
  expect(await files.open?.(`${id}-1`)).toBeUndefined()
  await service.close()
})
