import { describe, expect, test } from 'vitest'
import type { Findings } from './findings.ts'
import { whoCouldHaveKnown } from './what-was-known.ts'
import { type JobObject, Witness } from '../campaign/witness.ts'
import { quickWish, type VendorKind } from '../vendor/task-wish.ts'

const minuteMs = 60_000
const life = { pid: 1, diedAt: undefined, exitCode: null, frozen: [] }
const answer = { pid: 1, at: 0, what: 'answer', jobId: 'gen_1' } as const

/**
 * Findings about one paid job. All instants count from the moment at which the answer to its submit arrived,
 * if it did.
 */
function findings(kind: VendorKind, known: Partial<Findings> = {}): Findings {
  const order = { job_id: 'gen_1', client_token: 't', kind, wish: { ...quickWish, prompt: 'a fox' } }
  return {
    ...({} as Findings),
    ledger: [{ taskId: 'task-1', order, at: 0, costUsd: 0.01 }],
    calledBack: new Set(),
    cancelAsked: new Set(),
    diary: [],
    lives: [life],
    clockSpeed: 1,
    toleranceMs: 2000,
    endsAt: 10 * minuteMs,
    ...known,
  }
}

test.each<[string, Findings, string | undefined]>([
  [
    'its callback was answered as taken',
    findings('callback', { calledBack: new Set(['task-1']) }),
    'a callback was answered as taken',
  ],
  ['nobody took its callback', findings('callback', { calledBack: new Set(['task-2']) }), undefined],
  ['its vendor can look it up', findings('find'), 'the vendor finds it'],
  ['its vendor knows its token', findings('dedupe'), 'the vendor takes it for the same'],
  ['its answer was lost', findings('plain'), undefined],
  ["another job's answer came", findings('plain', { diary: [{ ...answer, jobId: 'gen_2' }] }), undefined],
  [
    'its answer came to a process that lives',
    findings('plain', { diary: [answer] }),
    'a living process had the answer',
  ],
  [
    'its answer came to a process that lives, with the bytes',
    findings('at-once', { diary: [answer] }),
    'a living process had the answer',
  ],
  [
    'its answer came to a process that was killed a second later',
    findings('plain', { diary: [answer], lives: [{ ...life, diedAt: 1000 }] }),
    undefined,
  ],
  [
    'its answer came to a process that was killed a minute later',
    findings('plain', { diary: [answer], lives: [{ ...life, diedAt: minuteMs }] }),
    'a living process had the answer',
  ],
  [
    'its answer came to a process that was frozen for nearly all of the minute that it had left',
    findings('plain', {
      diary: [answer],
      lives: [{ ...life, diedAt: minuteMs, frozen: [{ from: 1000, to: minuteMs - 1000 }] }],
    }),
    undefined,
  ],
  [
    'its answer came to a process that was frozen and then had the time',
    findings('plain', { diary: [answer], lives: [{ ...life, frozen: [{ from: -1000, to: minuteMs }] }] }),
    'a living process had the answer',
  ],
  [
    'its answer came to a process whose store was away for nearly all of the minute that it had left',
    findings('plain', {
      diary: [answer, { pid: 1, at: 0, what: 'outage', store: 'jobs', forMs: minuteMs - 1000 }],
      lives: [{ ...life, diedAt: minuteMs }],
    }),
    undefined,
  ],
  [
    "its answer came to a process while another one's store was away",
    findings('plain', {
      diary: [answer, { pid: 2, at: 0, what: 'outage', store: 'jobs', forMs: minuteMs }],
      lives: [{ ...life, diedAt: minuteMs }],
    }),
    'a living process had the answer',
  ],
  [
    'its answer came to a process that closed in good order a second later',
    findings('plain', { diary: [answer], lives: [{ ...life, diedAt: 1000, exitCode: 0 }] }),
    'a living process had the answer',
  ],
  [
    'its answer came to a process that had to close while its store was away',
    findings('plain', {
      diary: [answer, { pid: 1, at: 0, what: 'outage', store: 'jobs', forMs: minuteMs }],
      lives: [{ ...life, diedAt: 1000, exitCode: 0 }],
    }),
    undefined,
  ],
])('the auditor says who could have known the outcome of a paid job when %s', (_what, known, expected) => {
  expect(whoCouldHaveKnown(known, 'gen_1')).toBe(expected)
})

describe('the witness of the clients that read a finished job again', () => {
  const job = {
    id: 'gen_1',
    created_at: '2026-01-01T00:00:00.000Z',
    input: { ...quickWish, prompt: 'a fox' },
  }
  const ambiguous = { ...job, status: 'failed' as const, error: 'submit_ambiguous: It is not known.' }
  const processing = { ...job, status: 'processing' as const, error: null }
  const completed = { ...job, status: 'completed' as const, error: null }

  test.each<[string, readonly Partial<JobObject>[], readonly string[]]>([
    ['reports nothing when the job is unchanged', [completed, completed], []],
    [
      'reports nothing when a submit_ambiguous job continues and completes',
      [ambiguous, processing, completed, completed],
      [],
    ],
    ['reports nothing when a submit_ambiguous job has completed', [ambiguous, completed], []],
    [
      'reports a submit_ambiguous job that continues twice',
      [ambiguous, processing, ambiguous, processing],
      ['gen_1'],
    ],
    [
      'reports a submit_ambiguous job that completes and fails again',
      [ambiguous, completed, ambiguous],
      ['gen_1'],
    ],
    ['reports a completed job that continues', [completed, processing], ['gen_1']],
    [
      'reports a job that continues after another error than submit_ambiguous',
      [{ ...ambiguous, error: 'provider_failed: No.' }, processing],
      ['gen_1'],
    ],
    [
      'reports a submit_ambiguous job that completes with another created_at',
      [ambiguous, { ...completed, created_at: '2026-01-01T00:00:01.000Z' }],
      ['gen_1'],
    ],
  ])('%s', (_what, looks, changed) => {
    const witness = new Witness()
    for (const look of looks) witness.see(JSON.stringify(look))
    expect([...witness.changed.keys()]).toEqual(changed)
  })
})
