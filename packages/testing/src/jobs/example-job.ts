import type { Job, JobPhase } from '@genmount/core'

const dayMs = 24 * 60 * 60_000

/**
 * Makes a valid job. By default it was accepted just now, at the first instant of a manual clock. With another `phase`
 * it also has the main fields of a job in that phase, but never a claim token.
 * @param overrides the fields that get other values
 * @example exampleJob({ id: 'job-2', phase: 'running', dueAt: clock.now() + 1_000 })
 */
export function exampleJob(overrides: Partial<Job> = {}): Job {
  const { id = 'job-1', createdAt = Date.UTC(2026, 0, 1), retentionDays = 7, phase = 'accepted' } = overrides
  return {
    id,
    owner: 'alice',
    model: 'fake-image',
    outputKind: 'image',
    revision: 1,
    shownInput: { prompt: 'a fox in the snow', num_outputs: 1 },
    clientToken: `token-of-${id}`,
    retentionDays,
    createdAt,
    expiresAt: createdAt + retentionDays * dayMs,
    deadlineAt: createdAt + 30 * 60_000,
    attempts: 0,
    outputs: [],
    costUsd: 0,
    inferenceMs: 0,
    ...whatBelongsTo(phase, createdAt),
    ...overrides,
  }
}

function whatBelongsTo(phase: JobPhase, createdAt: number): Pick<Job, 'phase'> & Partial<Job> {
  const task = { prompt: 'a fox in the snow', num_outputs: 1 }
  const startedAt = createdAt + 1_000
  const result = {
    startedAt,
    checkedAt: createdAt + 9_000,
    handle: { fakeTask: 1 },
    outputs: [{ fileKey: 'job-1/0', contentType: 'image/png' }],
    costUsd: 0.01,
    inferenceMs: 8_000,
  }
  switch (phase) {
    case 'accepted':
      return { phase, input: task, dueAt: createdAt }
    case 'submitting':
      return { phase, input: task, dueAt: createdAt, claim: { until: createdAt + 30_000 } }
    case 'running':
      return {
        phase,
        input: task,
        startedAt,
        checkedAt: startedAt,
        dueAt: startedAt + 2_000,
        handle: { fakeTask: 1 },
      }
    case 'collecting':
      return { phase, input: task, ...result, dueAt: createdAt + 9_000, claim: { until: createdAt + 39_000 } }
    case 'completed':
      return { phase, ...result, completedAt: createdAt + 9_500 }
    case 'failed':
      return {
        phase,
        startedAt,
        completedAt: createdAt + 9_500,
        error: { code: 'provider_failed', message: 'The vendor gave up.', detail: 'HTTP 500: out of memory' },
      }
  }
}
