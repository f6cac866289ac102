import { expect, test } from 'vitest'
import { exampleJob, manualClock } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { memoryJobStore } from '../defaults/memory-job-store.ts'
import { ending } from '../pacing/ending.ts'
import { claimJob } from '../claims/claim-job.ts'
import { clockSteps } from '../clock/clock-steps.ts'
import type { JobEvent } from './job-event.ts'
import { nextJob } from './job-machine.ts'
import { replaceJob } from '../claims/replace-job.ts'

const watchedStore = () => ({ ...memoryJobStore(), wrote() {} })

const clock = manualClock()
const now = clock.now()
const until = now + 30_000
const url = 'https://receiver.example/'

/** A completed job that has outputs to copy and owes a delivery, both now. */
const owing = exampleJob({
  phase: 'completed',
  dueAt: now,
  earliestAt: now,
  webhook: { url, events: ['job.completed'], dueAt: now },
})

function after(job: Job, ...events: readonly JobEvent[]): Job {
  return events.reduce((before, event) => {
    const next = nextJob(before, event, now)
    if (typeof next === 'string') throw new Error(`${event.type}: ${next}`)
    return next
  }, job)
}

const claim: JobEvent = { type: 'claim', until, token: 'copy' }
const delivering: JobEvent = { type: 'delivering', token: 'try', until }
const attempt = { event: 'job.completed', at: now, status: 200 } as const
const delivered: JobEvent = { type: 'delivered', token: 'try', attempt }
const copied: JobEvent = { type: 'copied', outputs: [{ fileKey: 'a' }] }

test.each([
  ['claim, delivering, delivered, copied', [claim, delivering, delivered, copied]],
  ['claim, delivering, copied, delivered', [claim, delivering, copied, delivered]],
  ['delivering, claim, delivered, copied', [delivering, claim, delivered, copied]],
  ['delivering, delivered, claim, copied', [delivering, delivered, claim, copied]],
  ['claim, copied, delivering, delivered', [claim, copied, delivering, delivered]],
])('copying and delivering in the order %s end with both done and nothing left', (_order, events) => {
  const job = after(owing, ...events)
  expect(job).toMatchObject({ outputs: [{ fileKey: 'a' }], webhook: { attempts: [attempt] } })
  expect([job.dueAt, job.earliestAt, job.claim?.until, job.webhook?.dueAt]).toEqual(Array(4).fill(undefined))
})

test('a webhook is neither begun while another process sends it nor ended by another process', () => {
  const trying = after(owing, delivering)
  expect(nextJob(trying, { type: 'delivering', token: 'other', until }, now)).toBe('not_due')
  expect(nextJob(trying, { ...delivered, token: 'other' }, now)).toBe('not_claimed')
  expect(nextJob(after(trying, delivered), delivered, now)).toBe('not_claimed')
})

test('no webhook is delivered of a job that has not finished', () => {
  const running = exampleJob({ phase: 'running', webhook: { url, events: ['job.completed'], dueAt: now } })
  for (const event of [delivering, delivered]) expect(nextJob(running, event, now)).toBe('wrong_phase')
})

test('a finished job owes its delivery again when an operator asks, unless a try is under way or its client wants none', () => {
  const owed: JobEvent = { type: 'owed' }
  const trying = after(owing, delivering)
  expect(nextJob(trying, owed, now)).toBe('already_claimed')
  expect(nextJob(trying, owed, until)).toMatchObject({ webhook: { dueAt: until } })
  const given = after(trying, { ...delivered, type: 'undelivered' } as JobEvent)
  expect(given.webhook?.dueAt).toBeUndefined()
  const again = after(given, owed)
  expect(again).toMatchObject({ dueAt: now, webhook: { dueAt: now, attempts: [attempt] } })
  expect(after(again, delivering, delivered).webhook?.attempts).toEqual([attempt, attempt])
  const unwanted = { ...given, webhook: { url, events: ['job.failed'] } } as const
  expect(nextJob(unwanted, owed, now)).toBe('finished')
  expect(nextJob(exampleJob({ phase: 'completed' }), owed, now)).toBe('finished')
  expect(nextJob(exampleJob({ phase: 'running', webhook: given.webhook! }), owed, now)).toBe('wrong_phase')
})

test('a job write that loses against the write of a delivery is not taken for stored', async () => {
  const jobs = watchedStore()
  await jobs.insert(owing)
  await jobs.replace(after(owing, delivering), owing.revision)
  expect(await replaceJob(jobs, after(owing, claim), owing)).not.toHaveProperty('written')
  const trying = after(owing, claim, delivering)
  const other = watchedStore()
  await other.insert(after(owing, claim))
  await other.replace(trying, trying.revision - 1)
  const lost = after(owing, claim, { type: 'renew', until: until + 1 })
  expect(await replaceJob(other, lost, after(owing, claim))).not.toHaveProperty('written')
})

test('a claim for copying succeeds although a delivery was written since the job was read', async () => {
  const jobs = watchedStore()
  await jobs.insert(owing)
  await jobs.replace(after(owing, delivering), owing.revision)
  const context = { jobs, clock, clockSteps: clockSteps(clock), processes: undefined, givingUp: ending() }
  const made = await claimJob(context, owing, {
    by: {},
    onBeat: () => {},
    onDoubt: () => {},
  })
  expect(made?.job).toMatchObject({ claim: { until }, webhook: { token: 'try' } })
  made?.release()
})
