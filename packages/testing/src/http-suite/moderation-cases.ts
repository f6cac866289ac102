import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import type { Cases } from './suite-client.ts'
import { quick, unfit } from './suite-jobs.ts'

const paths = ['/v1/generate', '/v1/generate?wait=true', '/v1/images/generations']

export const moderationCases: Cases = {
  'an input that the app refuses to have made is 400 content_policy on every create, with its reason': async (
    client,
  ) => {
    for (const path of paths) {
      const reply = await client.send({ path, body: { ...quick, prompt: unfit.input } })
      expectError(reply, 'content_policy')
      assert.ok(reply.text.includes(unfit.reason), reply.text)
    }
  },

  'an input about which the app does not decide is 503 moderation_unavailable, without a word of why': async (
    client,
  ) => {
    for (const path of paths) {
      const reply = await client.send({ path, body: { ...quick, prompt: unfit.undecided } })
      expectError(reply, 'moderation_unavailable')
      assert.ok(!reply.text.includes('secret'), reply.text)
    }
  },

  'outputs that the app refuses fail their job as content_policy, with its cost and without a file': async (
    client,
  ) => {
    const job = await client.createAndWait({ ...quick, prompt: unfit.outputs })
    assert.equal(job.status, 'failed')
    assert.equal(job.error, `content_policy: ${unfit.reason}`)
    assert.ok(job.cost_usd > 0, 'the job has cost something')
    assert.deepEqual(job.data, [])
    expectError(await client.send({ path: `/v1/files/${job.id}` }), 'file_not_found')
  },

  'an idempotency key whose input was refused is free for another body': async (client) => {
    const headers = [['Idempotency-Key', 'refused-and-mended']] as const
    const refused = { ...quick, prompt: unfit.input }
    expectError(await client.send({ path: '/v1/generate', body: refused, headers }), 'content_policy')
    await client.create(quick, { headers })
  },
}
