import { expect, test } from 'vitest'
import { auditStorm, type StoredJob, type TearDown } from './storm-audit.ts'
import type { VendorTask } from './task-vendor.ts'

const stored = {
  id: 'gen_1',
  model: 'plain',
  phase: 'completed',
  createdAt: 1000,
  completedAt: 3000,
  costUsd: 0.01,
  outputs: [{ url: 'https://cdn.example.com/kite.png' }],
  input: { prompt: 'kite' },
} as unknown as StoredJob
const failed: StoredJob = {
  ...stored,
  phase: 'failed',
  outputs: [],
  costUsd: 0,
  error: { code: 'submit_ambiguous', message: 'It is not known.' },
}
const task: VendorTask = {
  id: 'task-0',
  kind: 'plain',
  clientToken: 'token',
  prompt: 'kite',
  doneAt: 2000,
  losesAnswer: false,
  holdPoll: 0,
  isPolled: false,
}
const tearDown: TearDown = { from: 1500, to: 1600, inside: ['submit'] }

function breachesOf(
  job: StoredJob | undefined,
  tasks: readonly VendorTask[],
  tearDowns: readonly TearDown[] = [],
): readonly string[] {
  const acknowledged = new Set(['gen_1'])
  const { breaches } = auditStorm({
    acknowledged,
    tearDowns,
    tasks,
    stored: job ? [job] : [],
    mostLateMs: () => 20_000,
  })
  return breaches.map((breach) => breach.split(':')[0]!)
}

test.each<[string, StoredJob, VendorTask, TearDown[]]>([
  ['is delivered', stored, task, []],
  ['has lost its answer at the vendor', failed, { ...task, losesAnswer: true }, []],
  ['has lost its answer by a tear-down', failed, { ...task, answeredAt: 1499 }, [tearDown]],
  ['has lost its answer by a tear-down of its own', failed, task, [{ ...tearDown, prompt: 'kite' }]],
])('the audit of a storm accepts a job that %s', (_, job, paid, tearDowns) => {
  expect(breachesOf(job, [paid], tearDowns)).toEqual([])
})

test.each<[string, StoredJob | undefined, readonly VendorTask[], TearDown[]?]>([
  ['lost', undefined, []],
  ['paid for and not there', undefined, [task]],
  ['paid 2 times', stored, [task, task]],
  ['unfinished', { ...stored, phase: 'running', completedAt: undefined } as unknown as StoredJob, [task]],
  ['dropped', failed, [task]],
  ['dropped', { ...failed, model: 'finds' }, [{ ...task, losesAnswer: true }]],
  ['dropped', failed, [{ ...task, losesAnswer: true, isPolled: true }]],
  ['dropped', failed, [task], [{ ...tearDown, prompt: 'boat' }]],
  ['dropped', stored, []],
  ['late by 28000 ms', { ...stored, completedAt: 30_000 }, [task]],
])('the audit of a storm finds a job that is %s', (breach, job, tasks, tearDowns) => {
  expect(breachesOf(job, tasks, tearDowns)).toContain(breach)
})
