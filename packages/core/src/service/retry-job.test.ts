import { expect, test } from 'vitest'
import { limits } from '@genmount/core/limits'
import { fakeWorld } from '@genmount/testing'

const noCredit = { failure: { code: 'provider_rejected' }, costUsd: 0 } as const

test('a retry of a job that failed before anything was spent makes one new job, also when it is repeated', async () => {
  const { service, clock, create, provider } = fakeWorld({ behave: [noCredit, { costUsd: 0.02 }] })
  const failed = await create({ prompt: 'a fox' }, { metadata: { order: '7' } })
  await clock.advance(1000)
  const [again, twin] = [await service.retry(failed.id), await service.retry(failed.id)]
  expect(twin.id).toBe(again.id)
  expect(again.id).not.toBe(failed.id)
  await clock.advance(1000)
  expect(await service.get(again.id, 'alice')).toMatchObject({
    phase: 'completed',
    costUsd: 0.02,
    shownInput: failed.shownInput,
    metadata: { order: '7' },
  })
  expect((await service.get(failed.id, 'alice')).phase).toBe('failed')
  expect(provider.submits.length).toBe(2)
  await service.close()
})

test('two retries at the same time make one job', async () => {
  const { service, clock, create } = fakeWorld({ behave: [noCredit, {}] })
  const failed = await create()
  await clock.advance(1000)
  const both = await Promise.allSettled([service.retry(failed.id), service.retry(failed.id)])
  const ids = both.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []))
  expect(new Set(ids).size).toBe(1)
  await clock.advance(1000)
  expect((await service.list({ owner: 'alice' })).jobs).toHaveLength(2)
  await service.close()
})

test.each([
  ['has completed', {}, 'it has completed'],
  ['was paid for', { failure: { code: 'provider_failed' }, costUsd: 0.2 }, 'it has cost 0.2 USD'],
  ['may have been paid for', { answer: 'reset' }, 'it is unknown whether it has cost anything'],
] as const)('a retry of a job that %s is refused', async (_what, behaviour, why) => {
  const { service, clock, create, provider } = fakeWorld({ behave: [behaviour] })
  const { id } = await create()
  await clock.advance(10 * 60_000)
  await expect(service.retry(id)).rejects.toMatchObject({
    code: 'invalid_request',
    message: `The job can't be retried: ${why}.`,
  })
  expect(provider.submits.length).toBe(1)
  await service.close()
})

test('a retry of a job whose input was not kept whole is refused', async () => {
  const { service, clock, create } = fakeWorld({ behave: [noCredit] })
  const { id } = await create({ prompt: 'a fox', image: 'data:image/png;base64,AAAA' })
  await clock.advance(1000)
  await expect(service.retry(id)).rejects.toThrow('a data URI or a very long text')
  await service.close()
})

test('a retry of a processing, canceled, expired or unknown job is refused', async () => {
  const { service, clock, create } = fakeWorld(
    { behave: [{ delayMs: 60_000 }, { ...noCredit }] },
    { retentionDays: 1 },
  )
  await expect(service.retry('gen_nobody')).rejects.toMatchObject({ code: 'job_not_found' })
  const processing = await create()
  await expect(service.retry(processing.id)).rejects.toMatchObject({ code: 'job_processing' })
  await service.cancel(processing.id, 'alice')
  await clock.advance(60_000)
  await expect(service.retry(processing.id)).rejects.toMatchObject({ code: 'invalid_request' })
  const failed = await create()
  await clock.advance(25 * 3_600_000)
  await expect(service.retry(failed.id)).rejects.toMatchObject({ code: 'job_not_found' })
  await service.close()
})

test('a retry by the operator is not refused by the limits of the owner, and its job counts in them', async () => {
  const ofAlice = { runningJobs: 1, spendUsdPerDay: 0.01 }
  const asked: string[] = []
  const { service, clock, create, provider } = fakeWorld(
    { behave: [noCredit, { costUsd: 0.02 }, { delayMs: 60_000 }] },
    {
      plugins: [
        limits((owner) => (asked.push(owner), owner === 'alice' ? ofAlice : {}), {
          reserveUsd: { 'fake-image': 0.005 },
        }),
      ],
      admit: ({ model }) => void asked.push(model.id),
      maxRunningJobsPerOwner: 1,
    },
  )
  const failed = await create()
  await clock.advance(1000)
  await create()
  await clock.advance(1000)
  await expect(create()).rejects.toMatchObject({ code: 'insufficient_quota' })
  asked.length = 0
  const again = await service.retry(failed.id)
  await clock.advance(1000)
  expect(asked).toEqual([])
  expect(await service.get(again.id, 'alice')).toMatchObject({ phase: 'running', reservedUsd: 0.005 })
  expect(provider.submits.length).toBe(3)
  await clock.advance(11_000)
  await expect(create()).rejects.toMatchObject({ code: 'too_many_running_jobs' })
  await service.close()
})

test('a retry of a job that is still processing says so, as a read shows the job, when a new process has a clock by which it has expired', async () => {
  const { clock, create, serviceOver } = fakeWorld({ behave: [{ delayMs: 60_000 }] })
  const { id, expiresAt } = await create()
  await clock.advance(1000)
  clock.set(expiresAt + 1000)
  const restarted = serviceOver()
  expect((await restarted.get(id, 'alice')).phase).toBe('running')
  await expect(restarted.retry(id)).rejects.toMatchObject({ code: 'job_processing' })
  await restarted.close()
})
