import { describe, expect, test } from 'vitest'
import type { Job, JobPhase } from '../contracts/job.ts'
import { type JobEvent, longestPauseMs, nextJob } from './job-machine.ts'

const now = 1_000_000
const phases: readonly JobPhase[] = ['accepted', 'submitting', 'running', 'collecting', 'completed', 'failed']

function job(phase: JobPhase, changes: Partial<Job> = {}): Job {
  return {
    id: 'gen_1',
    owner: 'alice',
    model: 'm',
    outputKind: 'image',
    phase,
    revision: 7,
    task: { prompt: 'a' },
    input: { prompt: 'a' },
    clientToken: 't',
    retentionDays: 7,
    createdAt: now - 10,
    expiresAt: now + 1e9,
    deadlineAt: now + 1e6,
    ...(phase !== 'completed' && phase !== 'failed' && { dueAt: now, earliestAt: now }),
    attempts: 2,
    outputs: [],
    costUsd: 0,
    inferenceMs: 0,
    ...changes,
  }
}

const events = {
  claim: { type: 'claim', until: now + 30_000, token: 'c' },
  renew: { type: 'renew', until: now + 60_000 },
  running: { type: 'running', handle: 'h', earliestAt: now + 1000, dueAt: now + 2000 },
  adopted: { type: 'adopted', handle: 'h' },
  hinted: { type: 'hinted', pollAt: now },
  refused: { type: 'refused', retryAt: now + 5000 },
  postponed: { type: 'postponed', retryAt: now + 5000 },
  succeeded: { type: 'succeeded', outputs: [{ url: 'https://cdn.test/1' }], costUsd: 0.5 },
  collected: { type: 'collected', outputs: [{ fileKey: 'gen_1-0' }] },
  copied: { type: 'copied', outputs: [{ fileKey: 'gen_1-0' }] },
  failed: { type: 'failed', code: 'provider_failed', message: 'No.' },
} as const satisfies Record<string, JobEvent>

/** Where each event leads from each unfinished phase under a live claim; what is not here must be refused. */
const claimedMoves: Partial<Record<JobPhase, Partial<Record<keyof typeof events, JobPhase>>>> = {
  submitting: {
    renew: 'submitting',
    running: 'running',
    refused: 'accepted',
    postponed: 'submitting',
    succeeded: 'collecting',
    failed: 'failed',
  },
  running: {
    renew: 'running',
    running: 'running',
    postponed: 'running',
    succeeded: 'collecting',
    failed: 'failed',
  },
  collecting: { renew: 'collecting', postponed: 'collecting', collected: 'completed', failed: 'failed' },
}

/** The same without a claim. */
const unclaimedMoves: typeof claimedMoves = {
  accepted: { claim: 'submitting' },
  submitting: { claim: 'submitting', adopted: 'running' },
  running: { claim: 'running', hinted: 'running' },
  collecting: { claim: 'collecting' },
}

describe.each([
  ['under a live claim', { claimedUntil: now + 1 }, claimedMoves],
  ['without a claim', {}, unclaimedMoves],
] as const)('%s', (_title, claim, moves) => {
  const unfinished = phases.filter((phase) => claimedMoves[phase] || unclaimedMoves[phase])
  for (const phase of 'claimedUntil' in claim ? unfinished.slice(1) : phases) {
    for (const [name, event] of Object.entries(events)) {
      const expected = moves[phase]?.[name as keyof typeof events]
      test(`${name} ${expected ? `takes a job from ${phase} to ${expected}` : `is refused by a job that is ${phase}`}`, () => {
        const before = job(phase, claim)
        const after = nextJob(before, event, now)
        if (expected === undefined) return expect(after).toBeTypeOf('string')
        expect(after).toMatchObject({ phase: expected, revision: 8 })
        expect(before).toEqual(job(phase, claim))
      })
    }
  }
})

test('a claim counts until its instant and not after', () => {
  const claimed = job('running', { claimedUntil: now + 1 })
  expect(nextJob(claimed, events.claim, now)).toBe('already_claimed')
  expect(nextJob(claimed, events.claim, now + 1)).toMatchObject({ claimedUntil: now + 30_000 })
})

test('claims whose holders died are counted until one lives to tell what its step brought', () => {
  const lapsed = job('running', { claimedUntil: now, abandonedClaims: 1 })
  const claimed = nextJob(lapsed, events.claim, now) as Job
  expect(claimed).toMatchObject({ abandonedClaims: 2, attempts: 2 })
  expect(nextJob(claimed, events.renew, now)).toMatchObject({ abandonedClaims: 2 })
  for (const event of [events.running, events.postponed, events.failed])
    expect(nextJob(claimed, event, now)).not.toHaveProperty('abandonedClaims')
})

test('an instant too far ahead was written before the clock was put back, and holds no job', () => {
  const farAhead = now + longestPauseMs + 1
  for (const held of [{ earliestAt: farAhead }, { claimedUntil: farAhead }])
    expect(nextJob(job('running', held), events.claim, now)).toMatchObject({ claimToken: 'c' })
  for (const held of [{ earliestAt: farAhead - 1 }, { claimedUntil: farAhead - 1 }])
    expect(nextJob(job('running', held), events.claim, now)).toBeTypeOf('string')
})

test('what is adopted by a callback is nobody’s write of a claim', () => {
  const adopted = nextJob(job('submitting', { claimToken: 'c' }), events.adopted, now)
  expect(adopted).not.toHaveProperty('claimToken')
})

describe('a completed job whose outputs are at its provider', () => {
  const link = [{ url: 'https://cdn.test/1' }]
  const collected = (copyAt: number) =>
    nextJob(job('collecting', { claimedUntil: now + 1 }), { ...events.collected, copyAt }, now) as Job

  test('is due for copying and for nothing else, and keeps its end', () => {
    const due = collected(now)
    expect(due).toMatchObject({ phase: 'completed', completedAt: now, dueAt: now, attempts: 0 })
    for (const event of Object.values(events))
      if (event.type !== 'claim') expect(nextJob(due, event, now)).toBeTypeOf('string')
    const claimed = nextJob(due, events.claim, now) as Job
    expect(claimed).toMatchObject({ phase: 'completed', completedAt: now })
    for (const event of Object.values(events))
      if (event.type !== 'copied' && event.type !== 'renew')
        expect(nextJob(claimed, event, now)).toBeTypeOf('string')
    expect(nextJob(claimed, events.renew, now)).toMatchObject({ claimedUntil: now + 60_000 })
    const { outputs, ...copied } = nextJob(claimed, events.copied, now + 5) as Job
    expect(outputs).toEqual(events.copied.outputs)
    for (const gone of ['dueAt', 'earliestAt', 'claimedUntil']) expect(copied).not.toHaveProperty(gone)
    expect(copied).toMatchObject({ phase: 'completed', completedAt: now, costUsd: due.costUsd })
  })

  test('is tried again when the copy has failed', () => {
    const claimed = nextJob(collected(now), events.claim, now) as Job
    const postponed = nextJob(claimed, { type: 'copied', outputs: link, retryAt: now + 9 }, now) as Job
    expect(postponed).toMatchObject({ outputs: link, dueAt: now + 9, earliestAt: now + 9, attempts: 1 })
    expect(postponed).not.toHaveProperty('claimedUntil')
    expect(nextJob(postponed, events.claim, now)).toBe('not_due')
  })
})

test('no step is taken before its time', () => {
  expect(nextJob(job('running', { earliestAt: now + 1 }), events.claim, now)).toBe('not_due')
})

test('a finished job has its end, keeps no task and is never due', () => {
  const done = nextJob(
    job('collecting', { claimedUntil: now + 1, costUsd: 0.5 }),
    events.collected,
    now,
  ) as Job
  expect(done).toMatchObject({ completedAt: now, costUsd: 0.5, outputs: [{ fileKey: 'gen_1-0' }] })
  for (const gone of ['task', 'dueAt', 'earliestAt', 'claimedUntil']) expect(done).not.toHaveProperty(gone)
})

test('a job does not complete without an output', () => {
  const none = { outputs: [] }
  expect(nextJob(job('running', { claimedUntil: now + 1 }), { ...events.succeeded, ...none }, now)).toBe(
    'no_outputs',
  )
  expect(nextJob(job('collecting', { claimedUntil: now + 1 }), { ...events.collected, ...none }, now)).toBe(
    'no_outputs',
  )
})

test('a failed job keeps what it cost', () => {
  const paid = job('collecting', { claimedUntil: now + 1, costUsd: 0.5 })
  expect(nextJob(paid, events.failed, now)).toMatchObject({ costUsd: 0.5 })
  expect(nextJob(paid, { ...events.failed, costUsd: 0.25 }, now)).toMatchObject({ costUsd: 0.25 })
})

test('a clock that was put back makes no negative duration', () => {
  const running = job('running', { claimedUntil: now + 1, startedAt: now + 60_000 })
  const untold = { ...events.succeeded, inferenceMs: undefined }
  expect(nextJob(running, untold, now)).toMatchObject({ inferenceMs: 0 })
})

describe('the route', () => {
  const submitting = job('submitting', { claimedUntil: now + 1, startedAt: now, route: 'a' })

  test('is written with the claim that a submit begins with, and stays for the life of the job', () => {
    const claimed = nextJob(job('accepted', { route: 'a' }), { ...events.claim, route: 'b' }, now)
    expect(claimed).toMatchObject({ phase: 'submitting', route: 'b' })
    for (const event of [events.running, events.postponed, events.succeeded, events.failed])
      expect(nextJob(submitting, event, now)).toMatchObject({ route: 'a' })
  })

  test('is the next one after a refusal that another follows, which is no failed try of the job', () => {
    const moved = nextJob(submitting, { ...events.refused, nextRoute: 'b' }, now)
    expect(moved).toMatchObject({ phase: 'accepted', route: 'b', attempts: 2 })
  })

  test('is open again after the last refusal', () => {
    const refused = nextJob(submitting, events.refused, now)
    expect(refused).toMatchObject({ phase: 'accepted', attempts: 3 })
    expect(refused).not.toHaveProperty('route')
  })

  test('is forgotten by a job whose model has one provider now', () => {
    expect(nextJob(job('accepted', { route: 'a' }), events.claim, now)).not.toHaveProperty('route')
  })
})
