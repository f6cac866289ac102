import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import { expectJob, isFinished, type WireJob } from './expect-job.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { endless, quick } from './suite-jobs.ts'

/** Cancels the job until it has ended. Every answer but the last is 202 with the job in its current state. */
async function canceled(client: SuiteClient, id: string): Promise<WireJob> {
  const giveUpAt = Date.now() + 20_000
  for (;;) {
    const reply = await client.send({ method: 'POST', path: `/v1/jobs/${id}/cancel` })
    const job = expectJob(reply, reply.status === 202 ? 202 : 200, client)
    assert.equal(isFinished(job), reply.status === 200)
    if (reply.status === 200) return job
    assert.ok(Date.now() < giveUpAt, 'the job has not ended within 20 s of its cancel')
  }
}

export const cancelCases: Cases = {
  'a job that is canceled fails as canceled, and the same cancel again gives the same answer': async (
    client,
  ) => {
    const { id } = await client.create(endless)
    const job = await canceled(client, id)
    assert.equal(job.status, 'failed')
    assert.match(job.error ?? '', /^canceled: ./)
    assert.deepEqual(await client.job(id), job)
    assert.deepEqual(await canceled(client, id), job)
  },

  'whoever waits for a job that is canceled gets its end at once': async (client) => {
    const key = [['Idempotency-Key', 'a-wait-that-a-cancel-ends']] as const
    const { id } = await client.create(endless, { headers: key })
    const began = Date.now()
    const waiting = client.send({ path: '/v1/generate?wait=true', body: endless, headers: key })
    await canceled(client, id)
    const job = expectJob(await waiting, 200, client)
    assert.equal(job.id, id)
    assert.match(job.error ?? '', /^canceled: /)
    assert.ok(Date.now() - began < 20_000)
  },

  'a job that has finished is 409 job_finished for a cancel, and stays as it is': async (client) => {
    const job = await client.createAndWait(quick)
    expectError(await client.send({ method: 'POST', path: `/v1/jobs/${job.id}/cancel` }), 'job_finished')
    assert.deepEqual(await client.job(job.id), job)
  },

  'a job that is unknown or of another owner is 404 for a cancel': async (client) => {
    const { id } = await client.create(endless)
    for (const path of [`/v1/jobs/${id}/cancel`, '/v1/jobs/no-such-job/cancel', '/v1/jobs/%00/cancel'])
      expectError(await client.send({ method: 'POST', path, as: 'bob' }), 'job_not_found')
    assert.equal((await client.job(id)).status, 'processing')
  },

  'a cancel needs a key, and other methods are refused': async (client) => {
    const path = '/v1/jobs/some-job/cancel'
    expectError(await client.send({ method: 'POST', path, as: 'nobody' }), 'missing_api_key')
    const options = await client.send({ method: 'OPTIONS', path })
    assert.equal(options.status, 204)
    assert.deepEqual(options.headers.get('allow'), 'POST, OPTIONS')
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
      expectError(await client.send({ method, path }), 'method_not_allowed')
    expectError(await client.send({ method: 'POST', path: '/v1/jobs/a/b/cancel' }), 'route_not_found')
  },

  'the body of a cancel does not matter': async (client) => {
    const unparsed = client.subject.parsesBodies ? [] : ['{"reason":']
    for (const body of ['{}', '', 'text', ...unparsed]) {
      const { id } = await client.create(endless)
      const contentType = body === 'text' ? 'text/plain' : 'application/json'
      const reply = await client.send({ method: 'POST', path: `/v1/jobs/${id}/cancel`, body, contentType })
      assert.ok(reply.status === 200 || reply.status === 202, `${reply.head}`)
    }
  },
}
