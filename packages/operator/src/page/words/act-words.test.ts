import { expect, test } from 'vitest'
import type { OperatorJob, Overview } from '../api/wire.ts'
import { whyNot } from './act-words.ts'

const features: Overview['features'] = {
  usage: true,
  grants: true,
  webhooks: true,
  audit: true,
  list: true,
  task_ids: true,
}
const job = {
  status: 'failed',
  expires_at: new Date(Date.now() + 60_000).toISOString(),
  error: { code: 'provider_failed', message: '', detail: null },
  cost_usd: 0,
  webhook: null,
  can: { cancel: false, delete: false, retry: false, deliver: false },
} as unknown as OperatorJob

test('what can be done is not refused', () => {
  const can = { cancel: true, delete: true, retry: true, deliver: true }
  for (const act of ['cancel', 'delete', 'retry', 'deliver'] as const)
    expect(whyNot(act, { ...job, can }, features)).toBeUndefined()
})

test.each([
  ['cancel', {}, {}, 'The job has ended already.'],
  ['cancel', { status: 'processing' }, {}, 'It is being canceled already.'],
  ['delete', { status: 'processing' }, {}, 'The job has not ended yet. Cancel it first.'],
  ['delete', {}, {}, 'The job has expired, and is deleted soon.'],
  ['retry', { status: 'completed' }, {}, 'Only a failed job can be retried.'],
  ['retry', { cost_usd: 1.4 }, {}, 'The job has cost $1.40, so another one would be paid for twice.'],
  [
    'retry',
    { cost_usd: null },
    {},
    'It is not known whether the job has cost anything, so another one could be paid for twice.',
  ],
  ['retry', { error: { code: 'canceled' } }, {}, 'The job was canceled.'],
  ['retry', {}, {}, 'Its input was not kept whole, or this service no longer has its model.'],
  ['retry', { expires_at: '2020-01-01T00:00:00.000Z' }, {}, 'The job has expired, and is deleted soon.'],
  ['deliver', {}, {}, 'The job has no webhook.'],
  ['deliver', {}, { webhooks: false }, 'This service sends no webhooks.'],
  ['deliver', { webhook: {}, status: 'processing' }, {}, 'The job has not ended yet.'],
  ['deliver', { webhook: {} }, {}, 'The webhook does not want this event.'],
  [
    'delete',
    { can: { delete: true } },
    { audit: false },
    'The job store of this service keeps no audit log, so this page changes nothing.',
  ],
] as const)('%s of a job with %j at a service with %j is refused with: %s', (act, changes, lacks, words) => {
  const changed = { ...job, ...changes } as unknown as OperatorJob
  expect(whyNot(act, changed, { ...features, ...lacks })).toBe(words)
})
