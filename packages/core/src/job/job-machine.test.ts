import { describe, expect, test } from 'vitest'
import type { Job, JobPhase } from '../contracts/job.ts'
import type { JobEvent } from './job-event.ts'
import { nextJob } from './job-machine.ts'
import { isDue, longestPauseMs } from './job-state.ts'

const now = 1_000_000
const phases: readonly JobPhase[] = ['accepted', 'submitting', 'running', 'collecting', 'completed', 'failed']

/** The job in the form in which a store keeps it. */
const inJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function job(phase: JobPhase, changes: Partial<Job> = {}): Job {
  return {
    id: 'gen_1',
    owner: 'alice',
    model: 'm',
    outputKind: 'image',
    phase,
    revision: 7,
    input: { prompt: 'a' },
    shownInput: { prompt: 'a' },
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
  freed: { type: 'freed' },
  retaken: { type: 'retaken', until: now + 30_000, token: 'r' },
  renew: { type: 'renew', until: now + 60_000 },
  running: { type: 'running', handle: 'h', earliestAt: now + 1000, dueAt: now + 2000 },
  adopted: { type: 'adopted', handle: 'h' },
  hinted: { type: 'hinted', pollAt: now },
  awaiting: { type: 'awaiting', retryAt: now + 5000 },
  refused: { type: 'refused', retryAt: now + 5000 },
  unknown: { type: 'unknown', retryAt: now + 5000 },
  postponed: { type: 'postponed', retryAt: now + 5000 },
  succeeded: { type: 'succeeded', outputs: [{ url: 'https://cdn.test/1' }], costUsd: 0.5 },
  collected: { type: 'collected', outputs: [{ fileKey: 'gen_1-0' }] },
  copied: { type: 'copied', outputs: [{ fileKey: 'gen_1-0' }] },
  cancelAsked: { type: 'cancelAsked' },
  owed: { type: 'owed' },
  deleted: { type: 'deleted' },
  undeletable: { type: 'undeletable', retryAt: now + 5000 },
  failed: { type: 'failed', code: 'provider_failed', message: 'No.' },
} as const satisfies Record<string, JobEvent>

/**
 * The next phase for each event in each unfinished phase under a live claim. An event that is missing here must be
 * refused.
 */
const claimedMoves: Partial<Record<JobPhase, Partial<Record<keyof typeof events, JobPhase>>>> = {
  submitting: {
    adopted: 'running',
    hinted: 'submitting',
    retaken: 'submitting',
    cancelAsked: 'submitting',
    freed: 'submitting',
    unknown: 'submitting',
    renew: 'submitting',
    running: 'running',
    refused: 'accepted',
    postponed: 'submitting',
    succeeded: 'collecting',
    failed: 'failed',
  },
  running: {
    hinted: 'running',
    cancelAsked: 'running',
    freed: 'running',
    refused: 'running',
    unknown: 'running',
    renew: 'running',
    running: 'running',
    postponed: 'running',
    succeeded: 'collecting',
    failed: 'failed',
  },
  collecting: {
    freed: 'collecting',
    unknown: 'collecting',
    renew: 'collecting',
    postponed: 'collecting',
    collected: 'completed',
    failed: 'failed',
  },
}

/** The same without a claim. */
const unclaimedMoves: typeof claimedMoves = {
  accepted: {
    awaiting: 'accepted',
    claim: 'submitting',
    adopted: 'running',
    retaken: 'submitting',
    cancelAsked: 'failed',
  },
  submitting: {
    claim: 'submitting',
    adopted: 'running',
    retaken: 'submitting',
    cancelAsked: 'submitting',
  },
  running: { claim: 'running', hinted: 'running', cancelAsked: 'running' },
  collecting: { claim: 'collecting' },
  completed: { undeletable: 'completed', deleted: 'completed' },
  failed: { undeletable: 'failed', deleted: 'failed' },
}

describe.each([
  ['under a live claim', { claim: { until: now + 1 } }, claimedMoves],
  ['without a claim', {}, unclaimedMoves],
] as const)('%s', (_title, claim, moves) => {
  const unfinished = phases.slice(0, 4)
  for (const phase of 'claim' in claim ? unfinished.slice(1) : phases) {
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

test('a claim is valid until its instant and not after', () => {
  const claimed = job('running', { claim: { until: now + 1 } })
  expect(nextJob(claimed, events.claim, now)).toBe('already_claimed')
  expect(nextJob(claimed, events.claim, now + 1)).toMatchObject({ claim: { until: now + 30_000 } })
})

test('claims whose holders died are counted until a holder lives to store the outcome of its step', () => {
  const lapsed = job('running', { claim: { until: now, deaths: 1 } })
  const claimed = nextJob(lapsed, events.claim, now) as Job
  expect(claimed).toMatchObject({ claim: { deaths: 2 }, attempts: 2 })
  expect(nextJob(claimed, events.renew, now)).toMatchObject({ claim: { deaths: 2 } })
  for (const event of [events.running, events.postponed, events.failed])
    expect(inJson(nextJob(claimed, event, now))).not.toHaveProperty('claim.deaths')
})

test('an instant too far in the future was written before the clock was put back, and does not delay the job', () => {
  const farAhead = now + longestPauseMs + 1
  for (const held of [{ earliestAt: farAhead }, { claim: { until: farAhead } }])
    expect(nextJob(job('running', held), events.claim, now)).toMatchObject({ claim: { token: 'c' } })
  for (const held of [{ earliestAt: farAhead - 1 }, { claim: { until: farAhead - 1 } }])
    expect(nextJob(job('running', held), events.claim, now)).toBeTypeOf('string')
})

test('a task that a callback brings while nobody holds the job is stored without a claim', () => {
  const adopted = nextJob(job('submitting', { claim: { token: 'c' } }), events.adopted, now)
  expect(inJson(adopted)).not.toHaveProperty('claim.token')
})

describe('a callback during a step', () => {
  const held = { claim: { until: now + 1, token: 'c' } }
  const adopted = nextJob(job('submitting', held), events.adopted, now) as Job
  const hinted = nextJob(job('running', held), events.hinted, now) as Job
  const hintedEarly = nextJob(job('submitting', held), events.hinted, now) as Job

  test('leaves the claim with its holder', () => {
    expect(adopted).toMatchObject({ ...held, phase: 'running', handle: 'h', isHinted: true })
    expect(hinted).toMatchObject({ ...held, isHinted: true })
    expect(hintedEarly).toMatchObject({ ...held, phase: 'submitting', isHinted: true })
  })

  test('is not stored twice', () => {
    for (const told of [hinted, hintedEarly]) expect(nextJob(told, events.hinted, now)).toBe('already_asked')
  })

  test('makes the next poll due as soon as the minimum interval allows', () => {
    for (const told of [adopted, hinted, hintedEarly]) {
      const after = nextJob(told, events.running, now) as Job
      expect(after).toMatchObject({ dueAt: events.running.earliestAt })
      expect(inJson(after)).not.toHaveProperty('isHinted')
    }
  })

  test('overrides a submit that was ambiguous or seemed to be refused', () => {
    const ambiguous = { type: 'failed', code: 'submit_ambiguous', message: '?' } as const
    for (const event of [ambiguous, events.refused, events.postponed])
      expect(nextJob(adopted, event, now)).toMatchObject({ phase: 'running', handle: 'h' })
  })
})

describe('a job that failed as submit_ambiguous', () => {
  const ambiguous = { type: 'failed', code: 'submit_ambiguous', message: '?' } as const
  const submitting = job('submitting', { claim: { until: now + 1 }, startedAt: now - 5 })
  const given = nextJob(submitting, ambiguous, now) as Job

  test('keeps its task, and continues when its callback comes', () => {
    expect(given).toMatchObject({ phase: 'failed', completedAt: now, input: submitting.input })
    const later = now + 2e6
    const adopted = nextJob(given, events.adopted, later) as Job
    expect(adopted).toMatchObject({ phase: 'running', handle: 'h', dueAt: later, startedAt: now - 5 })
    for (const gone of ['error', 'completedAt']) expect(inJson(adopted)).not.toHaveProperty(gone)
    expect(adopted.deadlineAt).toBeGreaterThan(later)
  })

  test('continues when the answer to its submit comes', () => {
    const retaken = nextJob(given, events.retaken, now) as Job
    expect(retaken).toMatchObject({ phase: 'submitting', claim: { token: 'r' } })
    expect(nextJob(retaken, events.running, now)).toMatchObject({ phase: 'running', handle: 'h' })
  })

  test('is final for all other events', () => {
    const { adopted: _adopted, retaken: _retaken, undeletable: _undeletable, deleted: _, ...others } = events
    for (const event of Object.values(others)) expect(nextJob(given, event, now)).toBe('finished')
  })
})

test('the instants of a job that owners see never go back with the clock', () => {
  const claimed = nextJob(job('accepted', { createdAt: now + 100 }), events.claim, now) as Job
  expect(claimed.startedAt).toBe(now + 100)
  expect(nextJob(claimed, events.failed, now)).toMatchObject({ completedAt: now + 100 })
})

test('the time since which a task is unknown to its provider is kept until the provider knows it again', () => {
  const claimed = job('running', { claim: { until: now + 1 } })
  const once = nextJob(claimed, events.unknown, now) as Job
  expect(once.unknown).toEqual({ since: now, count: 1 })
  const twice = nextJob({ ...once, claim: { until: now + 9 } }, events.unknown, now + 5) as Job
  expect(twice.unknown).toEqual({ since: now, count: 2 })
  expect(inJson(nextJob({ ...twice, claim: { until: now + 9 } }, events.running, now))).not.toHaveProperty(
    'unknown',
  )
})

test('for how long nobody knows the outcome of a submit says nothing about the next submit, nor about the task once it is known', () => {
  const searched = job('submitting', {
    claim: { until: now + 1000 },
    unknown: { since: now - 90_000, count: 3 },
  })
  for (const event of [events.refused, events.adopted])
    expect(inJson(nextJob(searched, event, now))).not.toHaveProperty('unknown')
})

test('the claim of a process that was only frozen is not counted as a death', () => {
  const lapsed = job('running', { claim: { until: now, deaths: 1 } })
  expect(nextJob(lapsed, { ...events.claim, holder: 'alive' }, now)).toMatchObject({ claim: { deaths: 1 } })
})

test('a process that ended during a poll without news is counted as a death, also when its claim was ended for it', () => {
  const quiet = job('running', { claim: { until: now + 1000, token: 'gone:1', isQuiet: true } })
  const lapsed = nextJob(quiet, { ...events.claim, holder: 'ended' }, now + 1000)
  expect(lapsed).toMatchObject({ claim: { deaths: 1 } })
  const freed = nextJob(quiet, { type: 'freed' }, now) as Job
  expect(nextJob(freed, events.claim, now)).toMatchObject({ claim: { deaths: 1 } })
})

test('a job whose process has ended inside its submit is due as soon as its claim is freed, although its create had put off its first step', () => {
  const submitting = nextJob(job('accepted', { dueAt: now + 30_000 }), events.claim, now) as Job
  const freed = nextJob(submitting, { type: 'freed' }, now + 100) as Job
  expect(isDue(freed, now + 100)).toBe(true)
})

test('a process that dies while it stores outputs is counted as a death', () => {
  const quiet = job('running', { claim: { until: now + 1000, token: 'gone:1', isQuiet: true } })
  const collecting = nextJob(quiet, events.succeeded, now) as Job
  expect(nextJob(collecting, events.claim, now + 1000)).toMatchObject({ claim: { deaths: 1 } })
})

describe('a completed job whose outputs are at its provider', () => {
  const link = [{ url: 'https://cdn.test/1' }]
  const collected = (copyAt: number) =>
    nextJob(job('collecting', { claim: { until: now + 1 } }), { ...events.collected, copyAt }, now) as Job

  test('is due for copying and for nothing else, and keeps its completed_at', () => {
    const due = collected(now)
    expect(due).toMatchObject({ phase: 'completed', completedAt: now, dueAt: now, attempts: 0 })
    for (const event of Object.values(events))
      if (!['claim', 'undeletable', 'deleted'].includes(event.type))
        expect(nextJob(due, event, now)).toBeTypeOf('string')
    const claimed = nextJob(due, events.claim, now) as Job
    expect(claimed).toMatchObject({ phase: 'completed', completedAt: now })
    for (const event of Object.values(events))
      if (!['copied', 'freed', 'renew', 'undeletable', 'deleted'].includes(event.type))
        expect(nextJob(claimed, event, now)).toBeTypeOf('string')
    expect(nextJob(claimed, events.renew, now)).toMatchObject({ claim: { until: now + 60_000 } })
    const { outputs, ...copied } = nextJob(claimed, events.copied, now + 5) as Job
    expect(outputs).toEqual(events.copied.outputs)
    for (const gone of ['dueAt', 'earliestAt', 'claim.until']) expect(inJson(copied)).not.toHaveProperty(gone)
    expect(copied).toMatchObject({ phase: 'completed', completedAt: now, costUsd: due.costUsd })
  })

  test('is copied again when the copy has failed', () => {
    const claimed = nextJob(collected(now), events.claim, now) as Job
    const postponed = nextJob(claimed, { type: 'copied', outputs: link, retryAt: now + 9 }, now) as Job
    expect(postponed).toMatchObject({ outputs: link, dueAt: now + 9, earliestAt: now + 9, attempts: 1 })
    expect(inJson(postponed)).not.toHaveProperty('claim.until')
    expect(nextJob(postponed, events.claim, now)).toBe('not_due')
  })
})

test('a step is not claimed before it is due', () => {
  expect(nextJob(job('running', { earliestAt: now + 1 }), events.claim, now)).toBe('not_due')
})

test('a finished job has completed_at, no task, and is never due', () => {
  const done = nextJob(
    job('collecting', { claim: { until: now + 1 }, costUsd: 0.5 }),
    events.collected,
    now,
  ) as Job
  expect(done).toMatchObject({ completedAt: now, costUsd: 0.5, outputs: [{ fileKey: 'gen_1-0' }] })
  for (const gone of ['input', 'dueAt', 'earliestAt', 'claim.until'])
    expect(inJson(done)).not.toHaveProperty(gone)
})

test('no event changes the order of a job: it only removes the task at the end, and what is the client’s at a deletion', () => {
  const { input, id, owner, model, outputKind, shownInput, clientToken, retentionDays, createdAt } =
    job('accepted')
  const asked = { metadata: { a: 'b' }, idempotency: { key: 'k', fingerprint: 'f' } }
  const order = {
    id,
    owner,
    model,
    outputKind,
    shownInput,
    clientToken,
    retentionDays,
    createdAt,
    ...asked,
  }
  const all = { ...events, emptied: { type: 'emptied' }, freed: { type: 'freed' } } as const
  for (const phase of phases)
    for (const event of Object.values(all)) {
      const before = job(phase, { ...asked, claim: { until: now + 1 }, startedAt: now - 5 })
      const after = nextJob(before, event, now)
      if (typeof after === 'string') continue
      const isDeletion = event.type === 'deleted' || event.type === 'emptied'
      if (event.type === 'deleted') expect(after).toMatchObject({ ...order, owner: '', shownInput: {} })
      if (!isDeletion) expect(after, `${event.type} in ${phase}`).toMatchObject(order)
      const mayGoOn = after.phase !== 'completed' && after.phase !== 'failed'
      expect(after.input, `input after ${event.type} in ${phase}`).toEqual(mayGoOn ? input : undefined)
    }
})

test('a job without an output does not complete', () => {
  const none = { outputs: [] }
  expect(nextJob(job('running', { claim: { until: now + 1 } }), { ...events.succeeded, ...none }, now)).toBe(
    'no_outputs',
  )
  expect(
    nextJob(job('collecting', { claim: { until: now + 1 } }), { ...events.collected, ...none }, now),
  ).toBe('no_outputs')
})

test('a failed job keeps its cost', () => {
  const paid = job('collecting', { claim: { until: now + 1 }, costUsd: 0.5 })
  expect(nextJob(paid, events.failed, now)).toMatchObject({ costUsd: 0.5 })
  expect(nextJob(paid, { ...events.failed, costUsd: 0.25 }, now)).toMatchObject({ costUsd: 0.25 })
})

test('a clock that was put back gives no negative inference_ms', () => {
  const running = job('running', { claim: { until: now + 1 }, startedAt: now + 60_000 })
  const untold = { ...events.succeeded, inferenceMs: undefined }
  expect(nextJob(running, untold, now)).toMatchObject({ inferenceMs: 0 })
})

describe('the route', () => {
  const submitting = job('submitting', { claim: { until: now + 1 }, startedAt: now, route: 'a' })

  test('is stored with the claim before the submit, and stays for the life of the job', () => {
    const claimed = nextJob(job('accepted', { route: 'a' }), { ...events.claim, route: 'b' }, now)
    expect(claimed).toMatchObject({ phase: 'submitting', route: 'b' })
    for (const event of [events.running, events.postponed, events.succeeded, events.failed])
      expect(nextJob(submitting, event, now)).toMatchObject({ route: 'a' })
  })

  test('moves to the next route after a refusal, which does not count as a failed attempt', () => {
    const moved = nextJob(submitting, { ...events.refused, nextRoute: 'b' }, now)
    expect(moved).toMatchObject({ phase: 'accepted', route: 'b', attempts: 2 })
  })

  test('can be chosen again after the last refusal', () => {
    const refused = nextJob(submitting, events.refused, now)
    expect(refused).toMatchObject({ phase: 'accepted', attempts: 3 })
    expect(inJson(refused)).not.toHaveProperty('route')
  })

  test('is removed from a job whose model now has one provider', () => {
    expect(inJson(nextJob(job('accepted', { route: 'a' }), events.claim, now))).not.toHaveProperty('route')
  })
})
