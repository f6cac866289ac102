import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

const line = `The clock was set ahead by 8 d. No job, file or upload expires before it has run evenly for 1 h; if it is wrong, set it right before then.`

test('a clock that is set 8 days ahead deletes no job and no file within an hour, is told in the log and in health, and is believed after the hour', async () => {
  const files = memoryFileStore()
  const { clock, service, log, create, jobs } = fakeWorld({}, { files })
  const { id } = await create()
  await clock.advance(2 * hourMs)
  expect((await service.health()).clock).toEqual({ isBelieved: true })
  const { outputs } = await service.get(id, 'alice')
  clock.set(clock.now() + 8 * dayMs)
  await clock.advance(hourMs - 10_000)
  expect(log.errors).toEqual([line])
  expect((await service.health()).clock).toMatchObject({ isBelieved: false })
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'completed', outputs })
  expect((await service.list({ owner: 'alice' })).jobs).toHaveLength(1)
  expect(await files.open?.(outputs[0]?.fileKey ?? '')).toBeDefined()
  await clock.advance(minuteMs)
  await expect(service.get(id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
  expect(await jobs.get(id)).toBeUndefined()
  expect(await files.open?.(outputs[0]?.fileKey ?? '')).toBeUndefined()
  expect((await service.health()).clock).toEqual({ isBelieved: true })
  await service.close()
})

test('a job outlives a clock that is 8 days ahead for half an hour, and expires at its own time', async () => {
  const { clock, service, create, jobs } = fakeWorld({}, { retentionDays: 1 })
  const { id, createdAt } = await create()
  await clock.advance(2 * hourMs)
  clock.set(clock.now() + 8 * dayMs)
  await clock.advance(hourMs / 2)
  clock.set(clock.now() - 8 * dayMs)
  await clock.advance(createdAt + dayMs - clock.now() - minuteMs)
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'completed' })
  await clock.advance(2 * minuteMs)
  expect(await jobs.get(id)).toBeUndefined()
  await service.close()
})

test('a process that starts while the clock is 8 days ahead hides jobs but deletes nothing in its first hour, and a repeated create gets the job of its key', async () => {
  const { clock, provider, start, serviceOver, jobs } = fakeWorld()
  const { service: first, die } = start()
  const idempotency = { scope: 's', key: 'k' }
  const { job } = await first.create({ ...request, idempotency })
  await clock.advance(minuteMs)
  die()
  clock.set(clock.now() + 8 * dayMs)
  const second = serviceOver()
  second.start()
  await expect(second.get(job.id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
  await clock.advance(hourMs - minuteMs)
  expect(await jobs.get(job.id)).toMatchObject({ phase: 'completed' })
  expect(await second.create({ ...request, idempotency })).toMatchObject({
    replayed: true,
    job: { id: job.id },
  })
  await clock.advance(2 * minuteMs)
  expect(await jobs.get(job.id)).toBeUndefined()
  expect(provider.ledger).toHaveLength(1)
  await second.close()
})

test('a job that a process hides because the clock is 8 days ahead is there again when the clock is right', async () => {
  const { clock, start, serviceOver } = fakeWorld()
  const { service: first, die } = start()
  const { job } = await first.create(request)
  await clock.advance(minuteMs)
  die()
  clock.set(clock.now() + 8 * dayMs)
  const second = serviceOver()
  second.start()
  await expect(second.get(job.id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
  clock.set(clock.now() - 8 * dayMs)
  expect(await second.get(job.id, 'alice')).toMatchObject({ phase: 'completed' })
  expect((await second.list({ owner: 'alice' })).jobs).toHaveLength(1)
  await second.close()
})

test('a job that expired while no process lived is neither read nor listed after the start, and is deleted after an hour', async () => {
  const { clock, start, serviceOver, jobs } = fakeWorld()
  const { service: first, die } = start()
  const { job } = await first.create(request)
  await clock.advance(minuteMs)
  die()
  // Not advanced, because the timers of the dead process would go off for all these days.
  clock.set(clock.now() + 8 * dayMs)
  const second = serviceOver()
  second.start()
  await expect(second.get(job.id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
  expect((await second.list({ owner: 'alice' })).jobs).toEqual([])
  await clock.advance(hourMs + minuteMs)
  expect(await jobs.get(job.id)).toBeUndefined()
  await second.close()
})

test('a deleted job is gone at once in a process that has just started', async () => {
  const { clock, service, create, jobs } = fakeWorld()
  const { id } = await create()
  await clock.advance(minuteMs)
  await service.delete(id, 'alice')
  await expect(service.get(id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
  expect(await jobs.get(id)).toBeUndefined()
  await service.close()
})

test.each([
  ['an hour', hourMs],
  ['8 days', 8 * dayMs],
  ['a day back', -dayMs],
])(
  'a paid task completes its job when the clock is set by %s and the process dies at that moment',
  async (_by, byMs) => {
    const { clock, provider, start, serviceOver, jobs } = fakeWorld({
      behave: [{ delayMs: 20 * minuteMs }],
    })
    const { service: first, die } = start()
    const { job } = await first.create(request)
    await clock.advance(minuteMs)
    die()
    clock.set(clock.now() + byMs)
    const second = serviceOver()
    second.start()
    await clock.advance(22 * minuteMs)
    expect(await jobs.get(job.id)).toMatchObject({ phase: 'completed' })
    expect(provider.ledger).toHaveLength(1)
    await second.close()
  },
)

test('a task that was under way when its process died fails at its deadline, which is as far away as it was when the job was last written', async () => {
  const working = { report: { state: 'running', handle: { fakeTask: 1 } } } as const
  const { clock, start, serviceOver, jobAfter } = fakeWorld({ behave: [{ delayMs: 0, poll: working }] })
  const { service: first, die } = start()
  const { job } = await first.create(request)
  await clock.advance(10 * minuteMs)
  die()
  clock.set(clock.now() + dayMs)
  const second = serviceOver()
  second.start()
  expect(await jobAfter(18 * minuteMs, job.id, second)).toMatchObject({ phase: 'running' })
  expect(await jobAfter(4 * minuteMs, job.id, second)).toMatchObject({ error: { code: 'deadline_exceeded' } })
  await second.close()
})

test.each([
  ['a key', { idempotency: { scope: 's', key: 'k' } }],
  ['no key', {}],
])(
  'nothing is left of a job with %s that its owner deleted while the clock was 8 days ahead and the files could not be deleted, minutes after both are right, although its process has died',
  async (_what, idempotency) => {
    const files = memoryFileStore()
    let isAway = false
    const remove: typeof files.delete = async (key) => {
      if (isAway) throw new Error('EROFS')
      return files.delete(key)
    }
    const { clock, start, serviceOver, jobs } = fakeWorld({}, { files: { ...files, delete: remove } })
    const { service, die } = start()
    const { job } = await service.create({ ...request, ...idempotency })
    await clock.advance(2 * hourMs)
    const [output] = (await service.get(job.id, 'alice')).outputs
    clock.set(clock.now() + 8 * dayMs)
    isAway = true
    await service.delete(job.id, 'alice')
    await clock.advance(5 * minuteMs)
    die()
    clock.set(clock.now() - 8 * dayMs)
    const second = serviceOver()
    second.start()
    await clock.advance(5 * minuteMs)
    isAway = false
    await clock.advance(5 * minuteMs)
    expect(await files.open?.(output?.fileKey ?? '')).toBeUndefined()
    const { input, shownInput = {}, outputs = [] } = (await jobs.get(job.id)) ?? {}
    expect([input, shownInput, outputs]).toEqual([undefined, {}, []])
    await second.close()
  },
)
