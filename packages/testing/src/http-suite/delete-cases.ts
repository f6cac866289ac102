import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import type { Cases } from './suite-client.ts'
import { endless, failing, quick } from './suite-jobs.ts'

export const deleteCases: Cases = {
  'a finished job that is deleted is gone with its file, and so is a link that was given before': async (
    client,
  ) => {
    const { id, data } = await client.createAndWait(quick)
    const link = (await client.follow(data[0]?.url ?? '')).headers.get('location') ?? ''
    assert.equal((await client.follow(link)).status, 200)
    const reply = await client.send({ method: 'DELETE', path: `/v1/jobs/${id}` })
    assert.equal(reply.status, 204)
    assert.equal(reply.body.length, 0)
    for (const path of [`/v1/jobs/${id}`, `/v1/files/${id}`])
      expectError(await client.send({ path }), 'job_not_found')
    expectError(await client.follow(link), 'file_not_found')
    expectError(await client.send({ method: 'DELETE', path: `/v1/jobs/${id}` }), 'job_not_found')
    expectError(await client.send({ method: 'POST', path: `/v1/jobs/${id}/cancel` }), 'job_not_found')
  },

  'a failed job can be deleted, too': async (client) => {
    const { id } = await client.createAndWait(failing)
    assert.equal((await client.send({ method: 'DELETE', path: `/v1/jobs/${id}` })).status, 204)
    expectError(await client.send({ path: `/v1/jobs/${id}` }), 'job_not_found')
  },

  'a create that repeats the idempotency key of a deleted job makes no other job': async (client) => {
    const headers = [['Idempotency-Key', 'of-a-deleted-job']] as const
    const { id } = await client.createAndWait(quick, { headers })
    await client.send({ method: 'DELETE', path: `/v1/jobs/${id}` })
    const again = { path: '/v1/generate', body: quick, headers } as const
    expectError(await client.send(again), 'idempotency_key_reused')
    expectError(await client.send(again), 'idempotency_key_reused')
  },

  'a job that is processing is 409 job_processing for a delete, and goes on': async (client) => {
    const { id } = await client.create(endless)
    expectError(await client.send({ method: 'DELETE', path: `/v1/jobs/${id}` }), 'job_processing')
    assert.equal((await client.job(id)).status, 'processing')
  },

  'a job that is unknown or of another owner is 404 for a delete': async (client) => {
    const { id } = await client.createAndWait(quick)
    for (const path of [`/v1/jobs/${id}`, '/v1/jobs/no-such-job', '/v1/jobs/%00'])
      expectError(await client.send({ method: 'DELETE', path, as: 'bob' }), 'job_not_found')
    assert.equal((await client.job(id)).status, 'completed')
  },

  'a delete needs a key, and OPTIONS lists it': async (client) => {
    const path = '/v1/jobs/some-job'
    expectError(await client.send({ method: 'DELETE', path, as: 'nobody' }), 'missing_api_key')
    const options = await client.send({ method: 'OPTIONS', path })
    assert.equal(options.headers.get('allow'), 'GET, HEAD, DELETE, OPTIONS')
    expectError(await client.send({ method: 'DELETE', path: '/v1/files/some-job' }), 'method_not_allowed')
  },
}
