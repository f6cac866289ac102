import { GenerationError } from '@genmount/core'
import { expect, test } from 'vitest'
import { keys, operated } from './operated.ts'

const because = { reason: 'The vendor asked for it.' }

test('a cancel by an operator ends the job of its owner, and stands in the audit log', async () => {
  const { ask, create, provider, clock } = operated({ provider: { cancel: true } })
  const { id } = await create({ delay_ms: 600_000 })
  await clock.advance(2000)
  const asking = ask(`POST /v1/operator/jobs/${id}/cancel`, because)
  await clock.advance(3000)
  const { status, json } = await asking
  expect(status).toBe(200)
  expect(json).toMatchObject({
    object: 'operator_act',
    act: {
      object: 'audit_entry',
      by: 'maria',
      action: 'cancel',
      why: because.reason,
      job: id,
      owner: 'alice',
      outcome: 'canceled',
    },
    job: { id, phase: 'failed', error: { code: 'canceled' } },
  })
  expect(provider.cancels).toHaveLength(1)
  expect((await ask('GET /v1/operator/audit')).json.data).toEqual([json.act])
})

test('a delete by an operator leaves nothing of the job but its entry of the ledger and of the audit log', async () => {
  const { ask, create, clock, service } = operated()
  const job = await create()
  await clock.advance(5000)
  const key = (await service.get(job.id, 'alice')).outputs[0]!.fileKey!
  expect(await service.files.open?.(key)).toBeDefined()
  const { json } = await ask(`POST /v1/operator/jobs/${job.id}/delete`, because)
  expect(json).toMatchObject({ act: { action: 'delete', outcome: 'deleted' }, job: null })
  expect(await service.files.open?.(key)).toBeUndefined()
  expect((await ask(`GET /v1/operator/jobs/${job.id}`)).code).toBe('job_not_found')
  expect((await ask('GET /v1/operator/jobs')).json.data).toEqual([])
  const range = { from: 0, to: clock.now() + 1 }
  expect((await service.costs(range)).entries.map((entry) => entry.job)).toEqual([job.id])
  expect((await ask(`GET /v1/operator/audit?job=${job.id}`)).json.data).toHaveLength(1)
})

test('two operators who retry a failed job at once make one new job', async () => {
  const { ask, create, clock, provider } = operated()
  const { id } = await create({ fail: 'provider_rejected' })
  await clock.advance(5000)
  const both = await Promise.all(
    [keys.maria, keys.otto].map((key) => ask(`POST /v1/operator/jobs/${id}/retry`, because, key)),
  )
  const [one, other] = both.map(({ json }) => json)
  expect(one.job.id).not.toBe(id)
  expect(other.job.id).toBe(one.job.id)
  expect(one.act.outcome).toBe(one.job.id)
  await clock.advance(5000)
  expect(new Set(provider.submits.map(({ jobId }) => jobId)).size).toBe(2)
  expect(
    (await ask('GET /v1/operator/audit')).json.data.map(({ by }: { by: string }) => by).toSorted(),
  ).toEqual(['maria', 'otto'])
})

test('two operators who cancel a job that is not submitted yet, or delete it at once, both get an answer, and it ends once', async () => {
  const { ask, create, clock } = operated()
  const { id } = await create()
  await clock.advance(5000)
  const both = await Promise.all(
    [keys.maria, keys.otto].map((key) => ask(`POST /v1/operator/jobs/${id}/delete`, because, key)),
  )
  const codes = both.map(({ status, code }) => code ?? status).toSorted()
  expect([
    [200, 200],
    [200, 'job_not_found'],
  ]).toContainEqual(codes)
})

test.each([
  ['cancel', {}, 'job_finished', 409],
  ['delete', { delay_ms: 600_000 }, 'job_processing', 409],
  ['retry', {}, 'invalid_request', 400],
  ['retry', { delay_ms: 600_000 }, 'job_processing', 409],
  ['deliver', {}, 'invalid_request', 400],
  ['deliver', { delay_ms: 600_000 }, 'job_processing', 409],
] as const)(
  '%s of a job with %j is refused as %s, and the audit log says so',
  async (action, input, code, status) => {
    const { ask, create, clock } = operated()
    const { id } = await create(input)
    await clock.advance(5000)
    expect(await ask(`POST /v1/operator/jobs/${id}/${action}`, because)).toMatchObject({ status, code })
    expect((await ask('GET /v1/operator/audit')).json.data).toMatchObject([
      { action, job: id, outcome: code },
    ])
  },
)

test.each([
  [{}, 'reason'],
  [{ reason: '' }, 'reason'],
  [{ reason: '  \n' }, 'reason'],
  [{ reason: 7 }, 'reason'],
  [{ reason: 'x'.repeat(1001) }, 'reason'],
  [{ reason: 'a\0b' }, 'reason'],
  [{ reason: '\ud800' }, 'reason'],
  [[], 'reason'],
  [{ reason: 'ok', force: true }, 'force'],
])('an act with the body %j is refused, and nothing is done or logged', async (body, param) => {
  const { ask, create, service } = operated()
  const { id } = await create({ delay_ms: 600_000 })
  const { status, json } = await ask(`POST /v1/operator/jobs/${id}/cancel`, body)
  expect([status, json.error.param]).toEqual([400, param])
  expect((await service.get(id, 'alice')).cancelAskedAt).toBeUndefined()
  expect((await ask('GET /v1/operator/audit')).json.data).toEqual([])
})

test('nothing is done that the audit log could not record before', async () => {
  const { ask, create, service } = operated({
    jobs: { audit: () => Promise.reject(new Error('disk full at /var/secret')) },
  })
  const { id } = await create({ delay_ms: 600_000 })
  const { status, code, json } = await ask(`POST /v1/operator/jobs/${id}/cancel`, because)
  expect([status, code]).toEqual([503, 'store_unavailable'])
  expect(JSON.stringify(json)).not.toContain('/var/secret')
  expect((await service.get(id, 'alice')).cancelAskedAt).toBeUndefined()
})

test('an act whose outcome the audit log does not take is done all the same, stands there without one, and the log says so', async () => {
  const setUp = operated()
  const { audit } = setUp.jobs
  const { ask, create, service, log, clock } = operated({
    jobs: {
      ...setUp.jobs,
      audit: (entry) => (entry.outcome === undefined ? audit!(entry) : Promise.reject(new Error('gone'))),
    },
  })
  const { id } = await create()
  await clock.advance(5000)
  const { status, json } = await ask(`POST /v1/operator/jobs/${id}/delete`, because)
  expect([status, json.act.outcome]).toEqual([200, 'deleted'])
  await expect(service.get(id, 'alice')).rejects.toThrow(GenerationError)
  expect((await ask('GET /v1/operator/audit')).json.data).toMatchObject([{ job: id, outcome: null }])
  expect(JSON.stringify(log.errors)).toContain('missing in the audit log')
})

test('the audit log has pages, the latest act first, and those of one job', async () => {
  const { ask, create, clock } = operated()
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    const { id } = await create()
    await clock.advance(2000)
    ids.unshift(id)
    await ask(`POST /v1/operator/jobs/${id}/delete`, { reason: `number ${n}` })
  }
  const seen: string[] = []
  let cursor = ''
  do {
    const { json } = await ask(`GET /v1/operator/audit?limit=2${cursor}`)
    seen.push(...json.data.map(({ job }: { job: string }) => job))
    cursor = json.next_cursor ? `&cursor=${json.next_cursor}` : ''
  } while (cursor)
  expect(seen).toEqual(ids)
  expect((await ask(`GET /v1/operator/audit?job=${ids[2]}`)).json.data).toHaveLength(1)
})
