import type { Job } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { expect, test } from 'vitest'
import { setUp } from '../test-kit/set-up.ts'
import { jobReply } from './job-reply.ts'

const base = 'https://example.org/m'
const error = { code: 'submit_ambiguous', message: 'Nobody knows.' } as const

/** A job whose submit had an unknown outcome, until the vendor's callback arrived late. */
const ambiguous = exampleJob({ phase: 'failed', revision: 5, error, completedAt: 1000 })
const adopted = exampleJob({ phase: 'running', revision: 6, handle: 'task-1', startedAt: 500 })
const completed = exampleJob({
  phase: 'completed',
  revision: 9,
  outputs: [{ fileKey: 'a' }],
  completedAt: 2000,
})

const shown = (job: Job, baseUrl = base) => {
  const { status, headers, body } = jobReply(job, 200, baseUrl)
  return { status, headers, ...(JSON.parse(String(body)) as Record<string, unknown>) }
}

test('a job that continues after submit_ambiguous is shown in its present state by each read', () => {
  for (let time = 0; time < 2; time++) {
    expect(shown(ambiguous)).toMatchObject({
      status: 'failed',
      error: 'submit_ambiguous: Nobody knows.',
      completed_at: '1970-01-01T00:00:01.000Z',
      data: [],
    })
    expect(shown(ambiguous).headers).not.toHaveProperty('retry-after')
    expect(shown(adopted)).toMatchObject({
      status: 'processing',
      error: null,
      completed_at: null,
      data: [],
      headers: { 'retry-after': '3' },
    })
    expect(shown(completed)).toMatchObject({
      status: 'completed',
      error: null,
      completed_at: '1970-01-01T00:00:02.000Z',
      data: [{ url: `${base}/v1/files/${completed.id}` }],
    })
    expect(shown(completed).headers).not.toHaveProperty('retry-after')
  }
})

test('the remembered text of a job is used only for the base URL that it was made for', () => {
  for (const at of [base, 'https://other.example', base])
    expect(shown(completed, at)).toMatchObject({ urls: { get: `${at}/v1/jobs/${completed.id}` } })
})

test('each read of a job that continues after its end gives the present job, file and headers', async () => {
  let job = ambiguous
  const { ask } = setUp({ service: { get: async () => job } })
  const seen = async () => {
    const [get, head, file] = await Promise.all([
      ask(`GET /m/v1/jobs/${job.id}`),
      ask(`HEAD /m/v1/jobs/${job.id}`),
      ask(`GET /m/v1/files/${job.id}`),
    ])
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(String(get.body))))
    expect(head.headers['retry-after']).toBe(get.headers['retry-after'])
    for (const { headers } of [get, head, file])
      expect(headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(get.headers).not.toHaveProperty('etag')
    return [get.json.status, get.headers['retry-after'], file.json?.error.code ?? file.status]
  }
  expect(await seen()).toEqual(['failed', undefined, 'file_not_found'])
  job = adopted
  expect(await seen()).toEqual(['processing', '3', 'file_not_ready'])
  job = completed
  expect(await seen()).toEqual(['completed', undefined, 302])
})
