import { describe, expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { costEntryOf } from './cost-entry-of.ts'
import { nextJob } from './job-machine.ts'

const now = 1_000_000

describe('a job whose create was refused although its insert may have reached the store', () => {
  const job = (changes: Partial<Job>) =>
    exampleJob({ id: 'gen_1', clientToken: 't', createdAt: now, ...changes })
  const webhook = { url: 'https://client.test/hook', events: ['job.failed'] } as const
  const withdrawn = (given: Job, unusedClaim?: string) =>
    nextJob(given, { type: 'withdrawn', unusedClaim }, now)

  test('has expired, sends no webhook, and is in no usage', () => {
    const gone = withdrawn(job({ webhook })) as Job
    expect(gone).toMatchObject({ phase: 'failed', expiresAt: 0 })
    expect(gone.webhook).toBeUndefined()
    expect(costEntryOf(gone)).toBeUndefined()
  })

  test('is withdrawn unless another process has submitted it, also while a process looks for its task', () => {
    const begun = job({ phase: 'submitting', claimedUntil: now + 1, claimToken: 'own', submitToken: 'own' })
    expect(withdrawn(begun, 'own')).toMatchObject({ phase: 'failed' })
    expect(withdrawn({ ...begun, claimToken: 'other' }, 'own')).toMatchObject({ phase: 'failed' })
    expect(withdrawn({ ...begun, claimToken: 'other', submitToken: 'other' }, 'own')).toBe('wrong_phase')
    expect(withdrawn({ ...begun, phase: 'running' }, 'own')).toBe('wrong_phase')
    expect(withdrawn(begun)).toBe('wrong_phase')
  })
})
