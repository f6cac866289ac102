import type { Job } from '@genmount/core'

/**
 * The life of a job with one poll as the first release of genmount wrote it, which raw statements store: accept; claim
 * and submit; running; claim and poll; outputs; finish.
 */
export const sixWriteLife = { writes: 6, reads: 2 } as const

/** The input of each job. */
export const input = {
  prompt:
    'A red fox crosses a snowy clearing at dawn, low sun behind the pines, breath visible in the cold air, slow dolly ' +
    'shot at knee height, shallow depth of field, 35 mm film look.',
  resolution: '720p',
  aspect_ratio: '16:9',
  duration: 6,
}
const dayMs = 86_400_000

/** The six revisions of one job, from accept to finish. Each is as long as a real one. */
export function sixRevisionsOf(id: string, createdAt: number): readonly Job[] {
  const claimToken = crypto.randomUUID()
  const claimedUntil = createdAt + 30_000
  const outputs = [{ url: `https://cdn.example.com/${id}.mp4` }]
  const handle = { id: crypto.randomUUID() }
  const accepted: Job = {
    id,
    owner: 'alice',
    model: 'bench-video',
    outputKind: 'video',
    phase: 'accepted',
    revision: 1,
    task: input,
    input: { ...input },
    clientToken: crypto.randomUUID(),
    idempotency: { key: `alice /v1/generate ${crypto.randomUUID()}`, fingerprint: id.padEnd(64, '0') },
    retentionDays: 7,
    createdAt,
    expiresAt: createdAt + 7 * dayMs,
    deadlineAt: createdAt + 1_800_000,
    dueAt: createdAt,
    earliestAt: createdAt,
    attempts: 0,
    outputs: [],
    costUsd: 0,
    inferenceMs: 0,
  }
  const submitting: Job = {
    ...accepted,
    revision: 2,
    phase: 'submitting',
    startedAt: createdAt,
    claimedUntil,
    claimToken,
  }
  const { claimedUntil: _, ...free } = submitting
  const dueAt = createdAt + 3000
  const running: Job = {
    ...free,
    revision: 3,
    phase: 'running',
    handle,
    checkedAt: createdAt,
    dueAt,
    earliestAt: dueAt,
  }
  const polled: Job = { ...running, revision: 4, claimedUntil, claimToken }
  const collecting: Job = {
    ...polled,
    revision: 5,
    phase: 'collecting',
    outputs,
    costUsd: 0.35,
    inferenceMs: 8000,
  }
  const { claimedUntil: _until, dueAt: _due, earliestAt: _earliest, task: _task, ...rest } = collecting
  return [
    accepted,
    submitting,
    running,
    polled,
    collecting,
    { ...rest, revision: 6, phase: 'completed', completedAt: createdAt + 8000 },
  ]
}

/** An id with the layout of the service: the instant first, then random digits. */
export function newId(createdAt: number): string {
  const random = crypto.randomUUID().replaceAll('-', '')
  return `gen_${createdAt.toString(16).padStart(12, '0')}${random.slice(12)}`
}
