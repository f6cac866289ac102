import { expect, test, vi } from 'vitest'
import { kite, setUp, slowKite } from '../test-kit/set-up.ts'

async function createdJob(body: object) {
  const world = setUp()
  const created = await world.ask(`POST /m/v1/generate${body === kite ? '?wait=true' : ''}`, body)
  return { ...world, at: `/m/v1/jobs/${created.json.id}`, job: created.json }
}

test('a cancel is answered with the failed job object and the code canceled, also when it is repeated', async () => {
  const { ask, at, job } = await createdJob(slowKite)
  await vi.waitUntil(async () => (await ask(`GET ${at}`)).json.started_at !== null, 60_000)
  await vi.waitUntil(async () => (await ask(`POST ${at}/cancel`)).status === 200, 60_000)
  const again = await ask(`POST ${at}/cancel`, undefined, { 'content-type': 'text/plain' })
  expect(again).toMatchObject({ status: 200, json: { id: job.id, status: 'failed', data: [] } })
  expect(again.json.error).toMatch(/^canceled: /)
  expect(again.json).toEqual((await ask(`GET ${at}`)).json)
  expect(Object.keys(again.json)).toEqual(Object.keys(job))
})

test('a cancel during a submit is answered with 202 and retry-after', async () => {
  const { ask, at, service } = await createdJob(slowKite)
  const cancel = async () => ({ ...(await service.get(at.slice(11), 'alice')), phase: 'submitting' as const })
  const processing = setUp({ service: { cancel } })
  expect(await processing.ask(`POST ${at}/cancel`)).toMatchObject({
    status: 202,
    headers: { 'retry-after': '3' },
    json: { status: 'processing' },
  })
  expect((await ask(`GET ${at}`)).status).toBe(200)
})

test('a cancel of a finished job is 409 job_finished, and a deleted job is 404', async () => {
  const { ask, at } = await createdJob(kite)
  expect(await ask(`POST ${at}/cancel`)).toMatchObject({
    status: 409,
    json: { error: { code: 'job_finished' } },
  })
  const deleted = await ask(`DELETE ${at}`)
  expect(deleted.status).toBe(204)
  expect(deleted.body).toBeUndefined()
  for (const line of [`GET ${at}`, `DELETE ${at}`, `POST ${at}/cancel`, `GET ${at.replace('jobs', 'files')}`])
    expect(await ask(line), line).toMatchObject({ status: 404, json: { error: { code: 'job_not_found' } } })
})

test('a delete of a processing job is 409 job_processing, and the job stays', async () => {
  const { ask, at } = await createdJob(slowKite)
  expect(await ask(`DELETE ${at}`)).toMatchObject({
    status: 409,
    headers: { 'retry-after': '3' },
    json: { error: { code: 'job_processing' } },
  })
  expect((await ask(`GET ${at}`)).json.status).toBe('processing')
})

test('the paths of cancel and delete name their methods in a 405', async () => {
  const { ask } = setUp()
  expect((await ask('OPTIONS /m/v1/jobs/x')).headers['allow']).toBe('GET, HEAD, DELETE, OPTIONS')
  expect((await ask('PUT /m/v1/jobs/x')).headers['allow']).toBe('GET, HEAD, DELETE, OPTIONS')
  expect((await ask('GET /m/v1/jobs/x/cancel')).headers['allow']).toBe('POST, OPTIONS')
  expect(await ask('DELETE /m/v1/files/x')).toMatchObject({ status: 405 })
})
