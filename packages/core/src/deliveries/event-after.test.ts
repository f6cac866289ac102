import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import type { DeliveryAnswer } from '../contracts/plugin/webhooks.ts'
import { nextJob } from '../job/job-machine.ts'
import { longestPauseMs } from '../job/job-state.ts'
import { eventAfter } from './deliverer.ts'

const hourMs = 60 * 60_000

/** Delivers the end of a job again and again. @returns the instants of all tries, from the end of the job */
function triesOf(answer: DeliveryAnswer, retentionDays = 7) {
  const createdAt = Date.UTC(2026, 0, 1)
  const url = 'https://receiver.example/'
  let job = exampleJob({
    phase: 'running',
    createdAt,
    retentionDays,
    webhook: { url, events: ['job.failed'] },
  })
  const at = createdAt
  const take = (event: Parameters<typeof nextJob>[1], now: number) => {
    const next = nextJob({ ...job, claim: { ...job.claim, until: job.claim?.until ?? now } }, event, now)
    if (typeof next === 'string') throw new Error(next)
    job = next
  }
  take({ type: 'failed', code: 'provider_failed', message: 'No.' }, at)
  const { completedAt = at } = job
  const instants: number[] = []
  for (let now = job.webhook?.dueAt; now !== undefined; now = job.webhook?.dueAt) {
    instants.push(now - completedAt)
    take({ type: 'delivering', token: 'a', until: now + 30_000 }, now)
    take(eventAfter(job, 'a', { event: 'job.failed', at: now }, answer, now, now), now)
  }
  return { instants, job }
}

test('a failing webhook is sent again after growing pauses of at most an hour, for three days', () => {
  const { instants, job } = triesOf({ status: 500 })
  const pauses = instants.slice(1).map((at, index) => at - (instants[index] ?? 0))
  expect(Math.max(...pauses)).toBeLessThanOrEqual(longestPauseMs)
  expect(pauses[0]).toBeLessThan(2000)
  expect(instants.at(-1)).toBeGreaterThan(71 * hourMs)
  expect(instants.at(-1)).toBeLessThan(72 * hourMs)
  expect(instants.length).toBeLessThan(130)
  expect(job.webhook?.attempts).toHaveLength(20)
  expect(job.dueAt).toBeUndefined()
})

test('a failing webhook is not sent any more when its job expires', () => {
  const { instants, job } = triesOf({ error: 'Nobody answers.' }, 1)
  expect(instants.at(-1)).toBeGreaterThan(22 * hourMs)
  expect((job.completedAt ?? 0) + (instants.at(-1) ?? 0)).toBeLessThan(job.expiresAt)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, -5])(
  'a Retry-After of %s from a receiver is ignored or capped',
  (asked) => {
    const { instants } = triesOf({ status: 429, retryAfterMs: asked })
    expect(instants.length).toBeGreaterThan(70)
  },
)
