import { expect, test } from 'vitest'
import { fakeWorld, refused } from '@genmount/testing'
import type { JobTransition } from '../contracts/job.ts'

const steps = (told: readonly JobTransition[]) => told.map(({ from, to }) => `${from ?? 'new'} > ${to}`)

test('onTransition is called once for each phase of a job, after it is stored, and not for a poll without news', async () => {
  const told: JobTransition[] = []
  const { serviceOver, clock, jobs } = fakeWorld({ behave: [{ submit: refused() }, { delayMs: 20_000 }] })
  const stored: (number | undefined)[] = []
  const service = serviceOver({
    retentionDays: 1,
    onTransition: async (transition) => {
      told.push(transition)
      stored.push((await jobs.get(transition.job.id))?.revision)
    },
  })
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  for (let second = 0; second < 40; second++) {
    await clock.advance(1000)
    await service.get(job.id, 'alice')
  }
  await clock.advance(25 * 3_600_000)
  expect(steps(told)).toEqual([
    'new > accepted',
    'accepted > submitting',
    'submitting > accepted',
    'accepted > submitting',
    'submitting > running',
    'running > completed',
  ])
  expect(stored.slice(0, 5)).toEqual(told.slice(0, 5).map(({ job: { revision } }) => revision))
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
  await service.close()
})

test('of several services over one store, only one calls onTransition for each phase', async () => {
  const told: JobTransition[] = []
  const onTransition = (transition: JobTransition) => void told.push(transition)
  const { start, clock } = fakeWorld({ behave: [{ delayMs: 20_000 }] })
  const [first, second] = [start({ onTransition }), start({ onTransition })]
  const { job } = await first.service.create({
    owner: 'alice',
    model: 'fake-image',
    input: { prompt: 'a fox' },
  })
  await clock.advance(1000)
  first.die()
  for (let step = 0; step < 120; step++) {
    await clock.advance(1000)
    await second.service.get(job.id, 'alice')
  }
  expect(steps(told).at(-1)).toBe('running > completed')
  expect(new Set(steps(told)).size).toBe(told.length)
})

test('an onTransition that throws is logged, and the job goes on', async () => {
  const { serviceOver, clock, log } = fakeWorld()
  const service = serviceOver({
    onTransition: () => {
      throw new Error('no room for events')
    },
  })
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  await clock.advance(1000)
  expect((await service.get(job.id, 'alice')).phase).toBe('completed')
  expect(log.errors[0]).toContain(`The app has failed at onTransition of Job ${job.id}`)
  await service.close()
})
