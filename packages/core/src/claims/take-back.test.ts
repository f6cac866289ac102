import { describe, expect, test } from 'vitest'
import { exampleJob, fakeWorld } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import { nextJob } from '../job/job-machine.ts'
import { takeBack } from './take-back.ts'

const fox = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

/**
 * A client gets the answer that its job could not be stored, although it was stored. The process that deletes the job
 * freezes at once after the delete, and another process goes on for a minute.
 * @param isBegun whether the job was inserted with a claim, because it need not wait for its turn
 */
async function frozenAtDelete(isBegun: boolean) {
  const world = fakeWorld({ dedupesSubmits: true })
  const { clock, jobs, provider } = world
  const never = new Promise<never>(() => {})
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
    async delete(id, expectedRevision) {
      await jobs.delete(id, expectedRevision)
      die()
      return never
    },
  }
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
  await second.close()
  return { inserted, paid: provider.ledger, left: await jobs.get(inserted?.id ?? '') }
}

describe.each([
  ['with a claim', true],
  ['without a claim', false],
])('a job that was stored %s although its create was refused', (_how, isBegun) => {
  test('is deleted by one write, so that nobody submits it if the process freezes then', async () => {
    const { inserted, paid, left } = await frozenAtDelete(isBegun)
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

test('a job whose insert reaches the store after its create was refused is deleted', async () => {
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

describe('a write without an answer', () => {
  const tokens = { id: 'gen_1', claimToken: 'own:1', forMs: 1000 }

  /** A store with a job that was inserted with the claim `own:1`, and then had other events. */
  async function stored(...events: Parameters<typeof nextJob>[1][]) {
    const { jobs, clock, log } = fakeWorld()
    const after = (job: Job, event: Parameters<typeof nextJob>[1]) => nextJob(job, event, clock.now()) as Job
    const made = exampleJob({ id: 'gen_1', clientToken: 't', createdAt: clock.now(), revision: 0 })
    const first = after(made, { type: 'claim', until: clock.now() + 30_000, token: 'own:1' })
    await jobs.insert(first)
    await clock.advance(30_000)
    let job = first
    for (const event of events) {
      const next = after(job, event)
      await jobs.replace(next, job.revision)
      job = next
    }
    const written: Job[] = []
    const watched = { ...jobs, wrote: (given: Job) => void written.push(given) }
    const context = { jobs: watched, clock, log, givingUp: { hasEnded: false, onEnd: () => () => {} } }
    return { context, jobs, clock, log, written }
  }
  const claimed = (token: string) => ({ type: 'claim', until: Number.MAX_SAFE_INTEGER, token }) as const
  const other = { type: 'claim', until: 1_000, token: 'other:1' } as const
  const postponed = { type: 'postponed', retryAt: 5000 } as const

  test.each([
    ['nobody has found', []],
    ['another process is looking for', [other]],
    ['another process has looked for in vain', [other, postponed]],
  ])('whose job %s leaves no claim on it', async (_how, events) => {
    const { context, jobs, written } = await stored(...events)
    expect(await takeBack(context, { ...tokens, isUnwanted: false })).toMatchObject({ phase: 'accepted' })
    const left = await jobs.get('gen_1')
    expect([left?.phase, left?.claim?.until, left?.submitToken]).toEqual(['accepted', undefined, undefined])
    expect(written).toHaveLength(1)
  })

  test.each([
    ['nobody has found', []],
    ['another process is looking for', [other]],
    ['another process has looked for in vain', [other, postponed]],
  ])('whose unwanted job %s leaves no job', async (_how, events) => {
    const { context, clock, jobs } = await stored(...events)
    const took = takeBack(context, { ...tokens, isUnwanted: true })
    await clock.advance(30_000)
    expect(await took).toBeUndefined()
    expect(await jobs.get('gen_1')).toBeUndefined()
  })

  test.each([true, false])(
    'changes no job that another process has submitted: unwanted %s',
    async (isUnwanted) => {
      const { context, jobs, log, written } = await stored(claimed('other:1'), {
        type: 'renew',
        until: Number.MAX_SAFE_INTEGER,
        isSubmit: true,
      })
      const before = await jobs.get('gen_1')
      expect(before?.submitToken).toBe('other:1')
      await takeBack(context, { ...tokens, isUnwanted })
      expect(await jobs.get('gen_1')).toEqual(before)
      expect(written).toEqual([])
      expect(log.warnings.some((line) => line.includes('was told that it is not stored'))).toBe(isUnwanted)
    },
  )
})
