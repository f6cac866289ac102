import { expect, test } from 'vitest'
import { type FakeBehaviour, type FakeProviderOptions, fakeWorld, nonsense } from '@genmount/testing'
import type { FileStore } from '../contracts/storage/file-store.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import type { GenerationServiceOptions } from '../service/generation-service-options.ts'

function setUp(
  behave: FakeBehaviour,
  files: FileStore = memoryFileStore(),
  capabilities: FakeProviderOptions = {},
  options: Partial<GenerationServiceOptions> = {},
) {
  const world = fakeWorld({ behave: [behave], ...capabilities }, { files, ...options })
  const { service } = world
  return { ...world, service, create: async () => (await world.create({ num_outputs: 2 })).id }
}

test('output bytes are stored under the media type that their content shows', async () => {
  const files = memoryFileStore()
  const lying = { bytes: Uint8Array.of(0, 0, 2, 0, 0, 0, 0, 0), contentType: 'image/png' }
  const { clock, service, create } = setUp({ outputs: [lying] }, files)
  const id = await create()
  await clock.advance(0)
  const [output] = (await service.get(id, 'alice')).outputs
  expect(output).toEqual({ fileKey: `${id}-0`, contentType: 'application/octet-stream', bytes: 8 })
  expect(await files.open?.(`${id}-0`)).toMatchObject({ size: 8, contentType: 'application/octet-stream' })
})

test.each([
  ['image/x-tga', 'image/x-tga'],
  ['Video/MXF', 'video/mxf'],
  ['image/svg+xml', 'application/octet-stream'],
  ['text/html', 'application/octet-stream'],
  ['video/mp4', 'application/octet-stream'],
  [undefined, 'application/octet-stream'],
])(
  'output bytes without a recognizable type are stored under the type of the provider, %s, as %s',
  async (named, kept) => {
    const files = memoryFileStore()
    const output = { bytes: Uint8Array.of(0, 0, 2, 0), contentType: named }
    const { clock, create } = setUp({ outputs: [output] }, files)
    const id = await create()
    await clock.advance(0)
    expect(await files.open?.(`${id}-0`)).toMatchObject({ contentType: kept })
  },
)

test('output bytes that begin as an SVG are stored as image/svg+xml', async () => {
  const files = memoryFileStore()
  const output = { bytes: new TextEncoder().encode('<?xml version="1.0"?><svg width="1"/>') }
  const { clock, create } = setUp({ outputs: [output] }, files)
  const id = await create()
  await clock.advance(0)
  expect(await files.open?.(`${id}-0`)).toMatchObject({ contentType: 'image/svg+xml' })
})

test('output https URLs are kept unchanged', async () => {
  const { create, jobAfter } = setUp({ outputs: [{ url: 'https://cdn.test/1.png' }] })
  const id = await create()
  expect(await jobAfter(0, id)).toMatchObject({ outputs: [{ url: 'https://cdn.test/1.png' }] })
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
])('unsafe output links fail the job as output_invalid: %s', async (_what, behaviour) => {
  const { create, jobAfter } = setUp(behaviour)
  const id = await create()
  const job = await jobAfter(0, id)
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'output_invalid' } })
  expect(job.error?.message).not.toContain('secret')
})

test.each<[string, FakeBehaviour, FakeProviderOptions]>([
  ['of their task', { delayMs: 1000 }, {}],
  ['with the token of a submit that finished at once', {}, { find: true }],
  ['by that submit again, where it is one task', {}, { dedupesSubmits: true }],
])(
  'a failing file store never causes a second submit: outputs are fetched again, %s',
  async (_how, behaviour, capabilities) => {
    const files = failingFiles()
    const { clock, provider, service, create, jobAfter } = setUp(behaviour, files, capabilities, {
      maxHeldBytes: 0,
    })
    const id = await create()
    expect(await jobAfter(3000, id)).toMatchObject({ phase: 'collecting', attempts: 0 })
    await clock.advance(6000)
    expect((await service.get(id, 'alice')).attempts).toBeGreaterThan(0)
    files.mend()
    expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed', costUsd: 0.02 })
    expect(provider.ledger).toHaveLength(1)
  },
)

/** A file store that fails until `mend` is called. */
function failingFiles(): FileStore & { mend(): void } {
  const working = memoryFileStore()
  let isBroken = true
  return {
    ...working,
    mend: () => void (isBroken = false),
    async put(...file) {
      if (isBroken) throw new Error('The disk is full.')
      return working.put(...file)
    },
  }
}

test.each([10_000, 20 * 60_000])(
  'output bytes that exist only once are held while the file store is away for %d ms',
  async (awayMs) => {
    const files = failingFiles()
    const { clock, provider, service, create, jobAfter } = setUp({}, files)
    const id = await create()
    expect(await jobAfter(awayMs, id)).toMatchObject({ phase: 'collecting' })
    files.mend()
    expect(await jobAfter(10_000, id)).toMatchObject({ phase: 'completed', costUsd: 0.02 })
    expect(provider.ledger).toHaveLength(1)
    await service.close()
    expect(clock.pendingTimers).toBe(0)
  },
)

test('while many outputs wait for the file store, no more jobs are submitted', async () => {
  const files = failingFiles()
  const { clock, provider, service, create } = setUp({}, files, {}, { maxHeldBytes: 150 })
  const ids = [await create()]
  await clock.advance(1000)
  for (let more = 0; more < 5; more++) ids.push(await create())
  await clock.advance(60_000)
  expect(provider.ledger).toHaveLength(1)
  files.mend()
  await clock.advance(60_000)
  for (const id of ids) expect(await service.get(id, 'alice')).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(6)
})

test('outputs in the spool survive their process, and are moved when the file store is back', async () => {
  const files = failingFiles()
  const spool = memoryFileStore()
  const { clock, provider, start, jobAfter } = fakeWorld(
    {},
    { files: { ...files, close: async () => {} }, spool },
  )
  const { service: first } = start()
  const { job } = await first.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a' } })
  await clock.advance(5000)
  expect(await spool.open?.(`${job.id}-0`)).toBeDefined()
  const closed = first.close({ timeoutMs: 1000 })
  await clock.advance(2000)
  await closed

  const { service: second } = start()
  expect(await jobAfter(40_000, job.id, second)).toMatchObject({ phase: 'collecting' })
  files.mend()
  expect(await jobAfter(60_000, job.id, second)).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  expect(await spool.open?.(`${job.id}-0`)).toBeUndefined()
  expect(await files.open?.(`${job.id}-0`)).toBeDefined()
  expect(provider.ledger).toHaveLength(1)
})

test('the files of a job are deleted with it', async () => {
  const files = memoryFileStore()
  const { clock, service, create } = setUp({}, files, {}, { retentionDays: 1 })
  const id = await create()
  await clock.advance(0)
  expect(await files.open?.(`${id}-1`)).toBeDefined()
  await clock.advance(24 * 3_600_000 + 10_000)
  expect(await files.open?.(`${id}-0`)).toBeUndefined()
  expect(await files.open?.(`${id}-1`)).toBeUndefined()
  await service.close()
})
