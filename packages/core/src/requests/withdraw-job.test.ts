import { describe, expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'

const fox = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

/**
 * A client gets the answer that its job could not be stored, although it was stored. The process that withdraws the job
 * freezes just before it deletes the job, another process goes on for a minute, and then the delete happens.
 * @param isBegun whether the job was inserted with a claim, because it need not wait for its turn
 */
async function frozenBeforeDelete(isBegun: boolean) {
  const world = fakeWorld({ dedupesSubmits: true })
  const { clock, jobs, provider } = world
  const thawed = Promise.withResolvers<void>()
  let inserted: Job | undefined
  let isCutOff = false
  let die = () => {}
  const cutOff: Partial<JobStore> = {
    async insert(job) {
      const outcome = await jobs.insert(job)
      if (!isCutOff) return outcome
      inserted = job
      throw new Error('connection reset')
    },
    async get(id) {
      if (isCutOff) throw new Error('connection reset')
      return jobs.get(id)
    },
    async delete(id) {
      die()
      await thawed.promise
      return jobs.delete(id)
    },
  }
  const never = new Promise<never>(() => {})
  const { service, ...first } = world.start({
    jobs: cutOff,
    provider: { maxConcurrentJobs: 1, submit: () => never },
  })
  // This job takes the only place at the provider.
  if (!isBegun) await service.create({ ...fox, owner: 'bob' })
  isCutOff = true
  const refused = expect(service.create(fox)).rejects.toMatchObject({ code: 'store_unavailable' })
  await clock.advance(0)
  await refused
  die = first.die
  isCutOff = false
  await clock.advance(500)
  const second = world.serviceOver()
  second.start()
  await clock.advance(60_000)
  thawed.resolve()
  await clock.advance(10_000)
  await second.close()
  return { inserted, paid: provider.ledger, left: await jobs.get(inserted?.id ?? '') }
}

describe.each([
  ['with a claim', true],
  ['without a claim', false],
])('a job that was stored %s although its create was refused', (_how, isBegun) => {
  test('is not submitted while a frozen process is about to delete it', async () => {
    const { inserted, paid, left } = await frozenBeforeDelete(isBegun)
    expect(inserted?.phase).toBe(isBegun ? 'submitting' : 'accepted')
    expect(paid.filter(({ jobId }) => jobId === inserted?.id)).toEqual([])
    expect(left).toBeUndefined()
  })
})

/** A service whose inserts are refused. The jobs are in `late`, and the test inserts them later. */
function lateWorld() {
  const world = fakeWorld()
  const late: Job[] = []
  const { service } = world.start({
    jobs: {
      insert(job) {
        late.push(job)
        throw new Error('connection reset')
      },
    },
  })
  return { ...world, service, late }
}

test('a job whose insert reaches the store after its create was refused is withdrawn', async () => {
  const { service, clock, jobs, provider, late } = lateWorld()
  await expect(service.create(fox)).rejects.toMatchObject({ code: 'store_unavailable' })
  await clock.advance(500)
  for (const job of late) await jobs.insert(job)
  await clock.advance(60_000)
  expect(late).toHaveLength(1)
  expect(await jobs.get(late[0]?.id ?? '')).toBeUndefined()
  expect(provider.ledger).toEqual([])
})

test.each([0, 10_000])(
  'a job with an idempotency key whose insert reaches the store %d ms late is made once, although another process has found it',
  async (lateMs) => {
    const { service, clock, jobs, provider, late, serviceOver } = lateWorld()
    const other = serviceOver()
    other.start()
    const keyed = { ...fox, idempotency: { scope: '', key: 'a fox' } }
    await expect(service.create(keyed)).rejects.toMatchObject({ code: 'store_unavailable' })
    await clock.advance(500 + lateMs)
    for (const job of late) await jobs.insert(job)
    await clock.advance(90_000)
    expect((await jobs.get(late[0]?.id ?? ''))?.phase).toBe('completed')
    expect(provider.ledger).toHaveLength(1)
    await other.close()
  },
)
