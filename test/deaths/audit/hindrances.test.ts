import { describe, expect, test } from 'vitest'
import type { Findings } from './findings.ts'
import { hindrancesOf, unhinderedMs } from './hindrances.ts'
import { breaches } from './rules.ts'
import { whoCouldHaveKnown } from './what-was-known.ts'
import type { JobObject } from '../campaign/witness.ts'
import { recoveryMs } from '../campaign/campaign.ts'
import type { DiaryEntry } from '../service/diary.ts'
import { quickWish } from '../vendor/task-wish.ts'

const life = { pid: 1, diedAt: undefined, exitCode: null, frozen: [] }
const freeMs = (diary: readonly DiaryEntry[], diedAt?: number) =>
  unhinderedMs(0, 1000, hindrancesOf({ diary, lives: [{ ...life, diedAt }] }, 1))

test('the auditor expects no work of a process while it waits for a CPU, is frozen, or was killed during a wait', () => {
  expect(freeMs([])).toBe(1000)
  expect(freeMs([{ pid: 1, at: 500, what: 'waited', forMs: 200 }])).toBe(800)
  expect(freeMs([{ pid: 2, at: 500, what: 'waited', forMs: 200 }])).toBe(1000)
  expect(freeMs([{ pid: 1, at: 500, what: 'waited', forMs: 200 }], 1000)).toBe(300)
})

/** What is wrong with a job that ended `lateMs` later than it may. */
function lateness(lateMs: number, diary: readonly DiaryEntry[], jobId = 'gen_1'): readonly string[] {
  const at = recoveryMs + quickWish.task_ms + lateMs
  const job = {
    id: 'gen_1',
    model: 'plain',
    status: 'completed',
    created_at: new Date(0).toISOString(),
    completed_at: new Date(at).toISOString(),
    error: null,
    cost_usd: 0,
    input: { ...quickWish, prompt: 'a fox', outputs: 0 },
    data: [],
  } as const satisfies JobObject
  const none = new Set<string>()
  const findings: Findings = {
    healedAt: 0,
    toleranceMs: 0,
    clockSpeed: 1,
    sharesClock: false,
    mayReturnMs: 0,
    orders: new Map(),
    acknowledged: new Map(),
    missed: none,
    changed: new Map(),
    cancelAsked: none,
    deleted: none,
    ledger: [],
    picturesRead: new Map(),
    calledBack: none,
    webhooks: [],
    diary,
    lives: [life],
    endsAt: at,
    clockAtEnd: at,
    stored: [],
    read: new Map([[jobId, job]]),
    badFiles: [],
    fileNames: [],
    leaks: [],
    money: undefined,
    logEnd: '',
  }
  return breaches(findings).filter((breach) => breach.startsWith('late'))
}

describe('the auditor of a job that ends later than after a lease, a sweep and two polls', () => {
  const write = { pid: 1, at: 0, what: 'write', phase: 'running', revision: 4 } as const
  const suspect = { ...write, jobId: 'gen_1', deaths: 3 }

  test('reports the job as late', () => {
    expect(lateness(1, [])).toHaveLength(1)
    expect(lateness(0, [])).toEqual([])
  })

  test('allows the time for which a process waited for a CPU', () => {
    expect(lateness(200, [{ pid: 1, at: 500, what: 'waited', forMs: 200 }])).toEqual([])
    expect(lateness(201, [{ pid: 1, at: 500, what: 'waited', forMs: 200 }])).toHaveLength(1)
  })

  test('allows the turns of other jobs, if several processes have died during steps of the job', () => {
    expect(lateness(5000, [suspect])).toEqual([])
    expect(lateness(5001, [suspect])).toHaveLength(1)
    expect(lateness(10_000, [suspect, { ...suspect, jobId: 'gen_2' }])).toEqual([])
    expect(lateness(1, [{ ...suspect, deaths: 2 }])).toHaveLength(1)
    expect(lateness(1, [{ ...suspect, jobId: 'gen_2' }])).toHaveLength(1)
  })
})

test('the auditor expects no outcome of a job during whose steps five processes have died', () => {
  const order = {
    job_id: 'gen_1',
    client_token: 't',
    kind: 'find',
    wish: { ...quickWish, prompt: 'a fox' },
  } as const
  const knowerAfter = (deaths: number) =>
    whoCouldHaveKnown(
      {
        ...({} as Findings),
        ledger: [{ taskId: 'task-1', order, at: 0, costUsd: 0.01 }],
        calledBack: new Set(),
        cancelAsked: new Set(),
        diary: [{ pid: 1, at: 0, what: 'write', jobId: 'gen_1', phase: 'submitting', revision: 9, deaths }],
      },
      'gen_1',
    )
  expect(knowerAfter(4)).toBe('the vendor finds it')
  expect(knowerAfter(5)).toBeUndefined()
})
