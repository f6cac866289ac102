import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import type { Job, JobPhase } from '../contracts/job.ts'
import { checkInstants, movedEvent } from './instants.ts'
import type { JobEvent } from './job-event.ts'
import { nextJob } from './job-machine.ts'

const start = Date.UTC(2026, 0, 1)
const instant = fc.double({ min: start, max: start + 1e9, noNaN: true })
const maybe = fc.option(instant, { nil: undefined })
const phase = fc.constantFrom<JobPhase>(
  'accepted',
  'submitting',
  'running',
  'collecting',
  'completed',
  'failed',
)
const url = 'https://app.test/hook'

const job = fc
  .record({
    phase,
    createdAt: instant,
    expiresAt: instant,
    deadlineAt: instant,
    startedAt: maybe,
    updatedAt: maybe,
    checkedAt: maybe,
    dueAt: maybe,
    earliestAt: maybe,
    claim: maybe,
    cancelAskedAt: maybe,
    since: maybe,
    setbackAt: maybe,
    tryAt: maybe,
    owedAt: maybe,
  })
  .map(({ since, setbackAt, tryAt, owedAt, ...rest }) => {
    const stated = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
    return exampleJob({
      ...(stated as Partial<Job>),
      outputs: [{ url: 'https://cdn.test/1.png' }],
      ...(since !== undefined && { unknown: { since, count: 2 } }),
      ...(setbackAt !== undefined && { setback: { why: 'busy', at: setbackAt } }),
      webhook: {
        url,
        events: ['job.completed', 'job.failed'],
        token: 't',
        ...(owedAt !== undefined && { dueAt: owedAt }),
        ...(tryAt !== undefined && { attempts: [{ event: 'job.failed', at: tryAt }] }),
      },
    })
  })

const outputs = [{ url: 'https://cdn.test/1.png' }]
const events: fc.Arbitrary<JobEvent> = fc
  .tuple(instant, instant, instant)
  .chain(([at, later, third]) =>
    fc.constantFrom<JobEvent>(
      { type: 'claim', until: at, token: 'c' },
      { type: 'claim', until: at, token: 'c', nextPoll: { earliestAt: later, dueAt: third } },
      { type: 'freed' },
      { type: 'retaken', until: at, token: 'r' },
      { type: 'renew', until: at },
      { type: 'running', handle: 'h', earliestAt: at, dueAt: later },
      { type: 'adopted', handle: 'h' },
      { type: 'hinted', pollAt: at },
      { type: 'awaiting', retryAt: at },
      { type: 'refused', retryAt: at, why: 'busy' },
      { type: 'unknown', retryAt: at, why: 'unknown_task' },
      { type: 'postponed', retryAt: at, why: 'no_answer' },
      { type: 'interrupted' },
      { type: 'succeeded', outputs, costUsd: 1 },
      { type: 'succeeded', outputs, costUsd: 1, collected: { copyAt: at } },
      { type: 'collected', outputs, copyAt: at },
      { type: 'copied', outputs, retryAt: at },
      { type: 'owed' },
      { type: 'delivering', token: 't', until: at },
      { type: 'delivered', token: 't', attempt: { event: 'job.failed', at } },
      { type: 'undelivered', token: 't', attempt: { event: 'job.failed', at }, retryAt: later },
      { type: 'cancelAsked' },
      { type: 'deleted' },
      { type: 'undeletable', retryAt: at },
      { type: 'failed', code: 'provider_failed', message: 'No.' },
    ),
  )

test('every job has all its instants in whole milliseconds after every event, whatever arithmetic made the instants of the event, of the job and of the clock', () => {
  let moves = 0
  fc.assert(
    fc.property(job, events, instant, (from, event, now) => {
      const next = nextJob(from, event, now)
      if (typeof next === 'string') return
      moves++
      checkInstants(next)
    }),
    { numRuns: 3000 },
  )
  expect(moves).toBeGreaterThan(300)
})

test('the instants of an event that waits to be written move with the clock, also the instant at which its outputs are copied', () => {
  const succeeded = { type: 'succeeded', outputs, costUsd: 1, inferenceMs: 7 } as const
  const event: JobEvent = { ...succeeded, collected: { copyAt: start } }
  expect(movedEvent(event, 9000)).toEqual({ ...succeeded, collected: { copyAt: start + 9000 } })
  const running = { type: 'running', handle: { doneAt: 1 } } as const
  expect(movedEvent({ ...running, earliestAt: start, dueAt: start + 1 }, -9000)).toEqual({
    ...running,
    earliestAt: start - 9000,
    dueAt: start - 8999,
  })
})
