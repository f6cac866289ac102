import { expect, test } from 'vitest'
import { type Job, type JobListRequest, type JobStore, memoryBackend } from '@genmount/core'
import { exampleJob, fakeProvider, fakeWorld, manualClock, quietLog } from '@genmount/testing'
import { createGenerationService } from '../service/create-generation-service.ts'

/** A world with one job created in each second: job number n has the prompt `job n`. */
async function worldWith(count: number, request: (n: number) => object = () => ({})) {
  const world = fakeWorld()
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    ids.push((await world.create({ prompt: `job ${n}` }, request(n))).id)
    await world.clock.advance(1000)
  }
  return { ...world, service: world.service, ids, newest: ids.toReversed() }
}

async function idsOf(service: { list: Function }, request: Partial<JobListRequest> = {}) {
  const { jobs } = await service.list({ owner: 'alice', ...request })
  return jobs.map(({ id }: Job) => id)
}

test('an owner lists only their own jobs, the newest first', async () => {
  const { service, newest, create } = await worldWith(3)
  await create({}, { owner: 'bob' })
  expect(await service.list({ owner: 'alice' })).toMatchObject({ jobs: newest.map((id) => ({ id })) })
  expect(await idsOf(service, { owner: 'carol' })).toEqual([])
  await service.close()
})

test('all pages of a list together have each job once, while jobs are made and deleted', async () => {
  const { service, newest, create, jobs } = await worldWith(7)
  const first = await service.list({ owner: 'alice', limit: 3 })
  expect(first.jobs.map(({ id }) => id)).toEqual(newest.slice(0, 3))
  await create()
  await jobs.delete(newest[2]!)
  await jobs.delete(newest[4]!)
  const second = await service.list({ owner: 'alice', limit: 3, after: first.next })
  expect(second.jobs.map(({ id }) => id)).toEqual([newest[3], newest[5], newest[6]])
  expect(second.next).toBeUndefined()
  await service.close()
})

test('jobs are listed in the order of their creation after the clock was put back', async () => {
  const { service, ids, clock, create } = await worldWith(3)
  clock.set(clock.now() - 1500)
  const { id } = await create()
  expect(await idsOf(service)).toEqual([ids[2], id, ids[1], ids[0]])
  await service.close()
})

test('each filter of a list leaves out the jobs that do not match', async () => {
  const world = await worldWith(4, (n) => ({
    model: n === 1 ? 'fake-video' : 'fake-image',
    metadata: n < 2 ? { shot: `${n}`, film: 'kites' } : undefined,
  }))
  const { service, ids, create } = world
  const createdAt = (await service.get(ids[2]!, 'alice')).createdAt
  const running = (await create({ delay_ms: 600_000 })).id
  const [job0, job1, job2, job3] = ids
  expect(await idsOf(service, { status: 'processing' })).toEqual([running])
  expect(await idsOf(service, { status: 'completed' })).toEqual([job3, job2, job1, job0])
  expect(await idsOf(service, { status: 'failed' })).toEqual([])
  expect(await idsOf(service, { model: 'fake-video' })).toEqual([job1])
  expect(await idsOf(service, { outputKind: 'video' })).toEqual([job1])
  expect(await idsOf(service, { createdFrom: createdAt })).toEqual([running, job3, job2])
  expect(await idsOf(service, { createdBefore: createdAt })).toEqual([job1, job0])
  expect(await idsOf(service, { createdFrom: createdAt, createdBefore: createdAt + 1 })).toEqual([job2])
  expect(await idsOf(service, { createdBefore: createdAt, after: job1 })).toEqual([job0])
  expect(await idsOf(service, { metadata: { film: 'kites' } })).toEqual([job1, job0])
  expect(await idsOf(service, { metadata: { film: 'kites', shot: '0' } })).toEqual([job0])
  expect(await idsOf(service, { metadata: { toString: 'x' } })).toEqual([])
  await service.close()
})

test('an expired job is not listed, although it is still stored', async () => {
  const { service, clock, ids, jobs } = await worldWith(1)
  const { expiresAt } = (await jobs.get(ids[0]!))!
  const believedAfterMs = 3_600_000 + 10_000
  clock.set(expiresAt - 1 - believedAfterMs)
  await clock.advance(believedAfterMs)
  expect(await idsOf(service)).toEqual(ids)
  clock.set(expiresAt)
  expect(await idsOf(service)).toEqual([])
  await service.close()
})

/** A service over a store that counts the jobs that lists read. */
function countedService(list: NonNullable<JobStore['list']>) {
  const backend = memoryBackend()
  const read: Job[] = []
  const counted: JobStore['list'] = async (query) => {
    const jobs = await list(query)
    read.push(...jobs)
    return jobs
  }
  const service = createGenerationService({
    providers: [fakeProvider()],
    backend: { ...backend, jobs: { ...backend.jobs, list: counted } },
    clock: manualClock(),
    log: quietLog(),
  })
  return { service, read }
}

test('a filter that matches no job reads 1,000 jobs a page, and the next page continues there', async () => {
  const { service, read } = countedService(async ({ before = 'gen_1000000', limit }) => {
    const next = Number(before.slice(4))
    return Array.from({ length: limit }, (_, index) =>
      exampleJob({
        id: `gen_${String(next - 1 - index).padStart(7, '0')}`,
        expiresAt: Number.MAX_SAFE_INTEGER,
      }),
    )
  })
  const page = await service.list({ owner: 'alice', status: 'failed' })
  expect(page).toEqual({ jobs: [], next: 'gen_0999000' })
  expect(read).toHaveLength(1000)
  await service.list({ owner: 'alice', status: 'failed', after: page.next })
  expect(read.at(-1)?.id).toBe('gen_0998000')
  await service.close()
})

test('a job that a faulty store gives of another owner is not shown', async () => {
  const { service } = countedService(async ({ before }) =>
    before ? [] : [exampleJob({ owner: 'alice\ufffd', expiresAt: Number.MAX_SAFE_INTEGER })],
  )
  expect(await service.list({ owner: 'alice\ud800' })).toEqual({ jobs: [] })
  await service.close()
})

test('a page of a list without a filter reads one job more than it shows', async () => {
  const { service, read } = countedService(async ({ limit }) =>
    Array.from({ length: limit }, (_, n) =>
      exampleJob({ id: `gen_${9000 - n}`, expiresAt: Number.MAX_SAFE_INTEGER }),
    ),
  )
  expect((await service.list({ owner: 'alice', limit: 7 })).jobs).toHaveLength(7)
  expect(read).toHaveLength(8)
  await service.close()
})

test('jobs with long inputs come in shorter pages, and none is left out', async () => {
  const { service, jobs } = fakeWorld()
  const ids = Array.from({ length: 30 }, (_, n) => `gen_${10 + n}`)
  const input = { prompt: 'long '.repeat(120_000) }
  for (const id of ids) await jobs.insert(exampleJob({ id, phase: 'running', shownInput: input }))
  const pages: string[][] = []
  let after: string | undefined
  do {
    const { jobs: found, next } = await service.list({ owner: 'alice', limit: 100, after })
    pages.push(found.map(({ id }) => id))
    after = next
  } while (after)
  expect(pages.flat()).toEqual(ids.toReversed())
  expect(Math.max(...pages.map((page) => page.length))).toBe(15)
  await service.close()
})

test('a list over a store that can not list is refused, and a wrong request names the field', async () => {
  const { list: _list, ...jobs } = memoryBackend().jobs
  const service = createGenerationService({
    providers: [fakeProvider()],
    backend: { ...memoryBackend(), jobs },
    log: quietLog(),
  })
  await expect(service.list({ owner: 'alice' })).rejects.toMatchObject({ code: 'not_supported' })
  await expect(service.list({ owner: 'alice', limit: 101 })).rejects.toThrow(
    'list: limit must be a whole number from 1 to 100',
  )
  await expect(service.list({ owner: '' })).rejects.toThrow('list: owner must be')
  await service.close()
})
