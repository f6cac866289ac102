import assert from 'node:assert/strict'
import { codeOf, expectError } from './expect-error.ts'
import { expectJob } from './expect-job.ts'
import type { Reply } from './reply.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import type { SuiteRequest } from './request.ts'
import { endless, quick } from './suite-jobs.ts'

function createWith(
  client: SuiteClient,
  key: string,
  body: object,
  request: Partial<SuiteRequest> = {},
): Promise<Reply> {
  return client.send({ path: '/v1/generate', body, headers: [['Idempotency-Key', key]], ...request })
}

function isReplay(reply: Reply): boolean {
  return reply.headers.get('idempotency-replayed') === 'true'
}

export const idempotencyCases: Cases = {
  'the same key and body give the same job, and the answer says so': async (client) => {
    const first = await createWith(client, 'twice', endless)
    const again = await createWith(client, 'twice', endless)
    assert.equal(first.headers.has('idempotency-replayed'), false)
    assert(isReplay(again), again.head)
    assert.equal(expectJob(again, 202, client).id, expectJob(first, 202, client).id)
    assert.equal(again.headers.get('location'), first.headers.get('location'))
  },

  'a replay shows the job as it is now, and can wait for it': async (client) => {
    const first = expectJob(await createWith(client, 'later', quick), 202, client)
    await client.finished(first.id)
    const replay = await createWith(client, 'later', quick, { path: '/v1/generate?wait=true' })
    assert(isReplay(replay))
    const job = expectJob(replay, 200, client)
    assert.deepEqual([job.id, job.status], [first.id, 'completed'])
  },

  'the same key with another body is 422, and does not tell what the first one made': async (client) => {
    const { id } = expectJob(await createWith(client, 'reused', quick), 202, client)
    const reply = await createWith(client, 'reused', { ...quick, prompt: 'another kite' })
    expectError(reply, 'idempotency_key_reused')
    assert(!(reply.head + reply.text).includes(id))
  },

  'a key belongs to its owner: another owner with the same key gets a job of his own': async (client) => {
    const alice = expectJob(await createWith(client, 'shared', quick), 202, client)
    const reply = await createWith(client, 'shared', quick, { as: 'bob' })
    assert.equal(isReplay(reply), false)
    assert.notEqual(expectJob(reply, 202, client).id, alice.id)
    const other = await createWith(client, 'shared', { ...quick, prompt: "bob's" }, { as: 'bob' })
    expectError(other, 'idempotency_key_reused')
  },

  'a key belongs to its route': async (client) => {
    const first = expectJob(await createWith(client, 'routes', quick), 202, client)
    const reply = await createWith(client, 'routes', quick, { path: '/v1/images/generations' })
    assert.equal(isReplay(reply), false)
    assert.notEqual(expectJob(reply, 202, client).id, first.id)
  },

  'a quoted key is the same as a bare one': async (client) => {
    const bare = expectJob(await createWith(client, 'quoted', endless), 202, client)
    const quoted = await createWith(client, '"quoted"', endless)
    assert(isReplay(quoted))
    assert.equal(expectJob(quoted, 202, client).id, bare.id)
  },

  'a key may have 255 characters and no more': async (client) => {
    expectJob(await createWith(client, 'k'.repeat(255), quick), 202, client)
    const reply = await createWith(client, 'k'.repeat(256), quick)
    expectError(reply, 'invalid_request', { param: 'idempotency-key' })
    assert(isReplay(await createWith(client, 'k'.repeat(255), quick)))
  },

  'a request that was refused does not use its key up': async (client) => {
    expectError(await createWith(client, 'second-try', { ...quick, prompt: 5 }), 'invalid_request')
    const reply = await createWith(client, 'second-try', quick)
    expectJob(reply, 202, client)
    assert.equal(isReplay(reply), false)
  },

  'requests with one key at the same time make one job: each gets it, or 409 and retry-after': async (
    client,
  ) => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => createWith(client, 'twins', quick)))
    const accepted = replies.filter((reply) => reply.status !== 409)
    for (const reply of replies) if (reply.status === 409) expectError(reply, 'idempotency_in_progress')
    const ids = new Set(accepted.map((reply) => expectJob(reply, 202, client).id))
    assert.equal(ids.size, 1)
    assert.equal(accepted.filter((reply) => !isReplay(reply)).length, 1)
  },

  'keys are compared as they are: case counts, and names that mean something to JavaScript do not': async (
    client,
  ) => {
    const ids = new Set<string>()
    for (const key of ['Case', 'case', '__proto__', 'constructor', 'a b', 'a%20b', 'a/b', '{}'])
      ids.add(expectJob(await createWith(client, key, quick), 202, client).id)
    assert.equal(ids.size, 8)
  },

  'a key is not needed, and without one the same body makes another job': async (client) => {
    const [first, second] = [await client.create(quick), await client.create(quick)]
    assert.notEqual(first.id, second.id)
    assert.equal(codeOf(await client.send({ path: `/v1/jobs/${first.id}` })), undefined)
  },
}
