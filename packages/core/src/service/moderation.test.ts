import { expect, test, vi } from 'vitest'
import { moderation } from '@genmount/core/moderation'
import { type FakeBehaviour, fakeWorld } from '@genmount/testing'
import type { Output } from '../contracts/provider-report.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import type { Moderate, ModeratedOutputs } from '../moderation/moderate.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'

function setUp(rules: Moderate, behave: FakeBehaviour = {}, rest: Partial<GenerationServiceOptions> = {}) {
  const files = memoryFileStore()
  const put = vi.spyOn(files, 'put')
  return { ...fakeWorld({ behave: [behave] }, { plugins: [moderation(rules)], files, ...rest }), put }
}

const link = { url: 'https://cdn.test/1.png' }
const bytes = { bytes: Uint8Array.of(0, 0, 2, 0), contentType: 'image/x-tga' }

test('an input that moderate refuses is content_policy: no job is made and nothing is spent', async () => {
  const asked: unknown[] = []
  const { service, create, provider } = setUp({
    input: ({ owner, model, input }) => {
      asked.push([owner, model.id, input])
      return { refused: 'No foxes.' }
    },
  })
  await expect(create()).rejects.toMatchObject({ code: 'content_policy', message: 'No foxes.' })
  expect(asked).toEqual([['alice', 'fake-image', expect.objectContaining({ prompt: 'a fox' })]])
  expect((await service.list({ owner: 'alice' })).jobs).toEqual([])
  expect(provider.ledger).toEqual([])
})

test('an input that moderate allows makes a job, and a replay is not checked again', async () => {
  const input = vi.fn(() => 'allowed' as const)
  const { create, jobAfter } = setUp({ input })
  const idempotency = { key: 'one', scope: 'test' }
  const { id } = await create({}, { idempotency })
  expect((await create({}, { idempotency })).id).toBe(id)
  expect(await jobAfter(0, id)).toMatchObject({ phase: 'completed' })
  expect(input).toHaveBeenCalledTimes(1)
})

test.each<[string, () => never]>([
  ['that throws', () => raise(new Error('vision-api.test is away'))],
  ['that says nothing', () => undefined as never],
  ['that says true', () => true as never],
  ['that refuses without a reason', () => ({ refused: '' }) as never],
  ['that never answers', () => new Promise(() => {}) as never],
])('a check of the input %s refuses the create', async (_what, input) => {
  const { create, clock, provider } = setUp({ input })
  const created = create()
  const refused = expect(created).rejects.toMatchObject({
    code: 'moderation_unavailable',
    message: expect.not.stringContaining('vision-api'),
    cause: expect.any(Error),
  })
  await clock.advance(31_000)
  await refused
  expect(provider.ledger).toEqual([])
})

test.each<[string, FakeBehaviour, readonly Output[]]>([
  ['as bytes with the answer to the submit', { outputs: [bytes] }, [bytes]],
  ['as bytes of a task that ran', { outputs: [bytes], delayMs: 3000 }, [bytes]],
  ['as links', { outputs: [link], delayMs: 3000 }, [link]],
  ['as links and bytes', { outputs: [link, bytes] }, [link, bytes]],
])('outputs that moderate refuses fail the job, and its cost is kept: %s', async (_how, behave, shown) => {
  const asked: ModeratedOutputs[] = []
  const { create, clock, jobAfter, jobs, put, log } = setUp(
    {
      outputs: (given) => {
        asked.push(given)
        return { refused: 'There is a fox in it.' }
      },
    },
    { costUsd: 0.25, ...behave },
  )
  const from = clock.now()
  const { id } = await create()
  const job = await jobAfter(10_000, id)
  expect(job).toMatchObject({
    phase: 'failed',
    error: { code: 'content_policy', message: 'There is a fox in it.' },
    costUsd: 0.25,
  })
  expect(asked).toEqual([
    {
      owner: 'alice',
      jobId: id,
      model: expect.objectContaining({ id: 'fake-image' }),
      input: expect.objectContaining({ prompt: 'a fox' }),
      outputs: shown,
    },
  ])
  expect(put).not.toHaveBeenCalled()
  const entries = await jobs.costs?.({ owner: 'alice', from, to: clock.now() + 1, limit: 10 })
  expect(entries).toEqual([expect.objectContaining({ job: id, outcome: 'failed', costUsd: 0.25 })])
  expect(log.lines.join('\n')).toContain('failed as content_policy, paid $0.25')
})

test('outputs that moderate allows complete the job, and no file is stored before', async () => {
  const order: string[] = []
  const { create, jobAfter, put } = setUp(
    {
      outputs: () => {
        order.push('looked at')
        return 'allowed'
      },
    },
    { outputs: [bytes, bytes] },
  )
  put.mockImplementation(async () => void order.push('stored'))
  const { id } = await create()
  expect(await jobAfter(1000, id)).toMatchObject({ phase: 'completed' })
  expect(order).toEqual(['looked at', 'stored', 'stored'])
})

test('a check of the outputs that throws for less than a minute does not fail a paid job', async () => {
  let calls = 0
  const outputs = () => (++calls < 4 ? raise(new Error('away')) : ('allowed' as const))
  const { create, jobAfter } = setUp({ outputs }, { outputs: [bytes] })
  const { id } = await create()
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
  expect(calls).toBe(4)
})

test.each<[string, () => never]>([
  ['throws again and again', () => raise(new Error('vision-api.test is away'))],
  ['says nothing', () => undefined as never],
  ['never answers', () => new Promise(() => {}) as never],
])(
  'when the check of the outputs %s, the job fails with a reason and delivers no output',
  async (_what, outputs) => {
    const { create, jobAfter, put, log } = setUp({ outputs }, { outputs: [bytes], costUsd: 0.25 })
    const { id } = await create()
    expect(await jobAfter(20 * 60_000, id)).toMatchObject({
      phase: 'failed',
      error: { code: 'service_failed', message: expect.not.stringContaining('vision-api') },
      costUsd: 0.25,
    })
    expect(put).not.toHaveBeenCalled()
    expect(log.lines.join('\n')).toContain(`outputs of job ${id} could not be checked`)
  },
)

test.each<[string, FakeBehaviour]>([
  ['links', { outputs: [link], delayMs: 1000 }],
  ['bytes', { outputs: [bytes], delayMs: 1000 }],
])(
  'after a process has died while moderate checks %s, the next process checks again',
  async (_what, behave) => {
    const world = fakeWorld({ behave: [behave] })
    const hangs = world.start({ plugins: [moderation({ outputs: () => new Promise(() => {}) })] })
    const { job } = await hangs.service.create({
      owner: 'alice',
      model: 'fake-image',
      input: { prompt: 'a' },
    })
    await world.clock.advance(5000)
    hangs.die()
    const next = world.start({ plugins: [moderation({ outputs: () => ({ refused: 'No.' }) })] })
    await world.clock.advance(10 * 60_000)
    expect(await next.service.get(job.id, 'alice')).toMatchObject({
      phase: 'failed',
      error: { code: 'content_policy' },
    })
  },
)

test('a close during the check of the outputs leaves the job to the next process, which checks again', async () => {
  const world = fakeWorld({ behave: [{ outputs: [link], delayMs: 1000 }] })
  const { service } = world.start({ plugins: [moderation({ outputs: () => new Promise(() => {}) })] })
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a' } })
  await world.clock.advance(5000)
  const closed = service.close({ timeoutMs: 1000 })
  await world.clock.advance(5000)
  await closed
  const next = world.start({ plugins: [moderation({ outputs: () => ({ refused: 'No.' }) })] })
  await world.clock.advance(60_000)
  expect((await next.service.get(job.id, 'alice')).error?.code).toBe('content_policy')
})

function raise(error: Error): never {
  throw error
}
