import { expect, test } from 'vitest'
import { fakeWorld } from './fake-world.ts'
import { quietLog } from './quiet-log.ts'

test('a service before the fake provider makes a job as the clock is moved, and another one finds it', async () => {
  const { create, jobAfter, provider, serviceOver } = fakeWorld({ behave: [{ delayMs: 5000 }] })
  const { id, owner, model, shownInput } = await create({ num_outputs: 2 }, { model: 'fake-video' })
  expect([owner, model, shownInput]).toEqual(['alice', 'fake-video', { prompt: 'a fox', num_outputs: 2 }])
  expect(await jobAfter(1000, id)).toMatchObject({ phase: 'running' })
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
  expect(await jobAfter(0, id, serviceOver())).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
})

test('what a process does as it dies has no effect, and the next one goes on', async () => {
  const { clock, start, jobs, jobAfter, provider } = fakeWorld({ behave: [{ delayMs: 5000 }] })
  const { service: doomed, die } = start()
  const { job } = await doomed.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  await clock.advance(1000)
  die()
  const [stored, polls] = [await jobs.get(job.id), provider.polls.length]
  await clock.advance(600_000)
  expect([await jobs.get(job.id), provider.polls.length]).toEqual([stored, polls])
  const { service } = start()
  expect(await jobAfter(10_000, job.id, service)).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
})

test('a process can have single calls of the store and of the provider answered in another way', async () => {
  const { create, jobAfter, serviceOver, log } = fakeWorld(
    {},
    { provider: { submit: async () => ({ state: 'failed', code: 'content_policy', message: 'Not that.' }) } },
  )
  expect(await jobAfter(0, (await create()).id)).toMatchObject({ error: { code: 'content_policy' } })
  const away = serviceOver({ jobs: { get: () => Promise.reject(new Error('The disk is gone.')) } })
  await expect(away.get('job-1', 'alice')).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(log.errors).toEqual([])
})

test('a quiet log keeps what it is told, and the causes as they were', () => {
  const log = quietLog()
  const cause = new Error('The disk is gone.')
  log.warn('Careful.')
  log.error('No.', { job: 'job-1', cause })
  log.error('No again.')
  expect([log.warnings, log.errors]).toEqual([['Careful.'], ['No.', 'No again.']])
  expect(log.lines).toEqual(['Careful.', 'No. Error: The disk is gone.', 'No again.'])
  expect(log.causes).toEqual([cause])
  expect(log.fields).toEqual([{}, { job: 'job-1', cause }, {}])
})
