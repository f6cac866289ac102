import type { Job } from '@genmount/core'
import { expect, test } from 'vitest'
import { jobObject } from './job-reply.ts'

const accepted: Job = {
  id: 'gen_1',
  owner: 'alice',
  model: 'flux',
  outputKind: 'image',
  phase: 'accepted',
  revision: 1,
  input: { prompt: 'secret' },
  shownInput: { prompt: 'a kite' },
  clientToken: 'token',
  retentionDays: 7,
  createdAt: Date.UTC(2026, 0, 1),
  expiresAt: Date.UTC(2026, 0, 8),
  deadlineAt: Date.UTC(2026, 0, 2),
  attempts: 0,
  outputs: [],
  costUsd: 0,
  inferenceMs: 0,
}

test('a new job has exactly the 16 fields of the interface in their order, and null where a value is not known', () => {
  expect(JSON.stringify(jobObject(accepted, 'https://example.org/m'))).toBe(
    JSON.stringify({
      id: 'gen_1',
      object: 'generation',
      model: 'flux',
      output_kind: 'image',
      status: 'processing',
      created_at: '2026-01-01T00:00:00.000Z',
      started_at: null,
      completed_at: null,
      expires_at: '2026-01-08T00:00:00.000Z',
      retention_days: 7,
      error: null,
      cost_usd: 0,
      input: { prompt: 'a kite' },
      timings: { inference_ms: 0 },
      urls: { get: 'https://example.org/m/v1/jobs/gen_1' },
      data: [],
    }),
  )
})

test('the output URLs of a completed job have ?n=1 from the second output on', () => {
  const outputs = [{ fileKey: 'a' }, { url: 'https://vendor.test/secret' }, { fileKey: 'c' }]
  const job = { ...accepted, phase: 'completed', outputs, startedAt: 0, completedAt: 1 } as const
  expect(jobObject(job, '')).toMatchObject({
    status: 'completed',
    started_at: '1970-01-01T00:00:00.000Z',
    completed_at: '1970-01-01T00:00:00.001Z',
    data: [{ url: '/v1/files/gen_1' }, { url: '/v1/files/gen_1?n=1' }, { url: '/v1/files/gen_1?n=2' }],
  })
})

test('a job whose outputs are being collected shows no outputs, cost or duration', () => {
  const outputs = [{ url: 'https://vendor.test/1' }]
  const job = { ...accepted, phase: 'collecting', outputs, costUsd: 0.5, inferenceMs: 900 } as const
  expect(jobObject(job, '')).toMatchObject({
    status: 'processing',
    cost_usd: 0,
    timings: { inference_ms: 0 },
    data: [],
  })
  expect(jobObject({ ...job, phase: 'completed' }, '')).toMatchObject({
    cost_usd: 0.5,
    timings: { inference_ms: 900 },
  })
})

test('a failed job has its code and text in error', () => {
  const job = {
    ...accepted,
    phase: 'failed',
    error: { code: 'content_policy', message: 'Not this.' },
  } as const
  expect(jobObject(job, '')).toMatchObject({ status: 'failed', error: 'content_policy: Not this.', data: [] })
})
