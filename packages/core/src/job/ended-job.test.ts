import { describe, expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { nextJob } from './job-machine.ts'

const now = 1_000_000

describe('a job whose owner asks to cancel it during its submit', () => {
  const held = { claim: { until: now + 1, token: 'c' }, startedAt: now - 5 }
  const submitting: Job = { ...exampleJob(), phase: 'submitting', ...held }
  const asked = nextJob(submitting, { type: 'cancelAsked' }, now) as Job

  test('stays with the process that submits it, and is due at once when its provider has the task', () => {
    expect(asked).toMatchObject({ ...held, cancelAskedAt: now })
    expect(nextJob(asked, { type: 'cancelAsked' }, now)).toBe('already_asked')
    const reclaimed = nextJob(asked, { type: 'claim', until: now + 9, token: 'd' }, now + 1) as Job
    const running = { type: 'running', handle: 'h', earliestAt: now + 1000, dueAt: now + 2000 } as const
    for (const submitted of [asked, reclaimed])
      expect(nextJob(submitted, running, now + 2)).toMatchObject({ earliestAt: now + 2, dueAt: now + 2 })
  })

  test('is known to have cost nothing when its provider refuses it', () => {
    const refused = nextJob(asked, { type: 'refused', retryAt: now + 5000 }, now)
    const end = { phase: 'failed', error: { code: 'canceled' }, costUsd: 0, isCostKnown: true }
    expect(refused).toMatchObject(end)
    expect(refused).toMatchObject({ startedAt: undefined })
  })
})
