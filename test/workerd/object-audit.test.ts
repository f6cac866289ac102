import { expect, test } from 'vitest'
import type { StoredJob } from './media-objects.ts'
import { auditObjects } from './object-audit.ts'
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
const tearDown = { from: 1500, to: 1600, inside: ['submit'] } as const

function breachesOf(
  job: StoredJob | undefined,
  tasks: readonly VendorTask[],
  tearDowns: readonly (typeof tearDown)[] = [],
): readonly string[] {
  const acknowledged = new Set(['gen_1'])
  const { breaches } = auditObjects({ acknowledged, tearDowns, tasks, stored: job ? [job] : [] })
  return breaches.map((breach) => breach.split(':')[0]!)
}

test.each<[string, StoredJob, VendorTask, (typeof tearDown)[]]>([
  ['is delivered', stored, task, []],
  ['has lost its answer at the vendor', failed, { ...task, losesAnswer: true }, []],
  ['has lost its answer by a tear-down', failed, { ...task, answeredAt: 1499 }, [tearDown]],
])('the audit of Durable Objects accepts a job that %s', (_, job, paid, tearDowns) => {
  expect(breachesOf(job, [paid], tearDowns)).toEqual([])
})

test.each<[string, StoredJob | undefined, readonly VendorTask[]]>([
  ['lost', undefined, []],
  ['paid for and not there', undefined, [task]],
  ['paid 2 times', stored, [task, task]],
  ['unfinished', { ...stored, phase: 'running', completedAt: undefined } as unknown as StoredJob, [task]],
  ['dropped', failed, [task]],
  ['dropped', { ...failed, model: 'finds' }, [{ ...task, losesAnswer: true }]],
  ['dropped', failed, [{ ...task, losesAnswer: true, isPolled: true }]],
  ['dropped', stored, []],
  ['late by 28000 ms', { ...stored, completedAt: 30_000 }, [task]],
])('the audit of Durable Objects finds a job that is %s', (breach, job, tasks) => {
  expect(breachesOf(job, tasks)).toContain(breach)
})
