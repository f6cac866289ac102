import assert from 'node:assert/strict'
import { codeOf, expectError, expectOneOf } from './expect-error.ts'
import { expectJob } from './expect-job.ts'
import type { Cases } from './suite-client.ts'
import { endless, quick, quickVideo, refusedWith } from './suite-jobs.ts'

const endpoints = [
  { path: '/v1/generate', body: quick },
  { path: '/v1/generate', body: quickVideo },
  { path: '/v1/images/generations', body: quick },
  { path: '/v1/video/generations', body: quickVideo },
] as const

export const createCases: Cases = {
  'each create endpoint accepts a job with 202 and the whole job object': async (client) => {
    for (const { path, body } of endpoints) {
      const job = expectJob(await client.send({ path, body }), 202, client)
      assert.equal(job.model, body.model)
    }
  },

  'a created job has its address in location and says when to come back': async (client) => {
    for (const { path, body } of endpoints) {
      const reply = await client.send({ path, body: { ...body, delay_ms: 600_000 } })
      const job = expectJob(reply, 202, client)
      assert.equal(new URL(reply.headers.get('location') ?? '', client.url(path)).href, job.urls.get)
      assert.equal(reply.headers.get('retry-after'), '3')
    }
  },

  'an image model on the video endpoint, and the reverse, is wrong_output_kind': async (client) => {
    const image = await client.send({ path: '/v1/video/generations', body: quick })
    expectError(image, 'wrong_output_kind', { param: 'model' })
    const video = await client.send({ path: '/v1/images/generations', body: quickVideo })
    expectError(video, 'wrong_output_kind', { param: 'model' })
  },

  'a body without model is missing_field, on every create endpoint': async (client) => {
    for (const { path } of endpoints)
      expectError(await client.send({ path, body: { prompt: 'a kite' } }), 'missing_field', {
        param: 'model',
      })
  },

  'a model that is not text is refused by the name of the field': async (client) => {
    for (const model of [null, 5, true, {}, ['fake-image'], '']) {
      const reply = await client.send({ path: '/v1/generate', body: { model, prompt: 'a kite' } })
      expectOneOf(reply, ['invalid_request', 'missing_field', 'model_not_found'], { param: 'model' })
    }
  },

  'an unknown model is model_not_found, whatever its name means to JavaScript': async (client) => {
    const names = [
      'fake-none',
      'FAKE-IMAGE',
      ' fake-image',
      'constructor',
      'toString',
      '__proto__',
      'x'.repeat(9000),
    ]
    for (const model of names) {
      const reply = await client.send({ path: '/v1/generate', body: { model, prompt: 'a kite' } })
      expectError(reply, 'model_not_found', { param: 'model' })
    }
  },

  'a missing required field of the model is a 400 that names it': async (client) => {
    const reply = await client.send({ path: '/v1/generate', body: { model: 'fake-image' } })
    expectOneOf(reply, ['missing_field', 'invalid_request'], { param: 'prompt' })
  },

  'a field of the wrong type or out of its range is a 400 that names it': async (client) => {
    const wrong = { prompt: 5, resolution: '9000p', duration: 0.5, num_outputs: 9 }
    for (const [field, value] of Object.entries(wrong)) {
      const reply = await client.send({ path: '/v1/generate', body: { ...quick, [field]: value } })
      expectError(reply, 'invalid_request', { param: field })
    }
  },

  'a number beyond what JSON can carry is refused, not rounded to infinity': async (client) => {
    const body = '{"model":"fake-image","prompt":"a kite","cost_usd":1e999}'
    const reply = await client.send({ path: '/v1/generate', body })
    expectOneOf(reply, ['invalid_request', 'invalid_json'])
  },

  'an unknown field is a 400 that names it': async (client) => {
    const reply = await client.send({ path: '/v1/generate', body: { ...quick, promt: 'typo' } })
    expectError(reply, 'invalid_request')
    assert(reply.text.includes('promt'), reply.text)
  },

  'an unknown field is named even when JavaScript knows its name: none is dropped in silence': async (
    client,
  ) => {
    for (const field of ['constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const reply = await client.send({ path: '/v1/generate', body: { ...quick, [field]: 1 } })
      expectError(reply, 'invalid_request', { param: field.toLowerCase() })
    }
  },

  'what the app refuses is answered with the status and the code of its reason': async (client) => {
    const codes = [
      'model_not_allowed',
      'rate_limit_exceeded',
      'too_many_running_jobs',
      'insufficient_quota',
      'capacity_exceeded',
      'store_unavailable',
      'shutting_down',
    ] as const
    for (const code of codes)
      expectError(await client.send({ path: '/v1/generate', body: refusedWith(code) }), code)
  },

  'a fault of the app is internal_error and tells nothing about it': async (client) => {
    const reply = await client.send({ path: '/v1/generate', body: refusedWith('a fault') })
    expectError(reply, 'internal_error')
    assert.doesNotMatch(reply.text, /billing|secret|detail/)
  },

  'thirty jobs created at once are thirty jobs': async (client) => {
    const jobs = await Promise.all(Array.from({ length: 30 }, () => client.create(quick)))
    assert.equal(new Set(jobs.map((job) => job.id)).size, 30)
  },

  'fifty clients that look at one job while it is processing all see it': async (client) => {
    const { id } = await client.create(endless)
    const jobs = await Promise.all(Array.from({ length: 50 }, () => client.job(id)))
    assert(jobs.every((job) => job.id === id && job.status === 'processing'))
  },

  'a provider that is out of order takes no job away: it is shown as it was last known': async (client) => {
    const { id } = await client.create({ ...quick, delay_ms: 0, poll_faults: 1000 })
    for (let look = 0; look < 3; look++) assert.equal((await client.job(id)).status, 'processing')
  },

  'field names that mean something to JavaScript are plain fields': async (client) => {
    const fields =
      '"toJSON":1,"then":{"catch":2},"hasOwnProperty":3,"valueOf":null,"":4,"prompt":{"toString":5}'
    const reply = await client.send({ path: '/v1/generate', body: `{"model":"suite-anything",${fields}}` })
    const { id } = expectJob(reply, 202, client)
    assert.deepEqual((await client.finished(id)).input, JSON.parse(`{${fields}}`))
  },

  'JSON of any depth and width is a job or a clear refusal': async (client) => {
    const deep = [10, 64, 500, 3000, 20_000].map((depth) => '['.repeat(depth) + ']'.repeat(depth))
    const wide = [
      `[${'0,'.repeat(100_000)}0]`,
      `{${Array.from({ length: 9000 }, (_, key) => `"k${key}":0`).join(',')}}`,
    ]
    for (const value of [...deep, ...wide]) {
      const reply = await client.send({
        path: '/v1/generate',
        body: `{"model":"suite-anything","value":${value}}`,
      })
      if (reply.status === 400) expectOneOf(reply, ['invalid_request', 'invalid_json'])
      else await client.job(expectJob(reply, 202, client).id)
    }
  },

  'odd but valid text is a job or a clear refusal, and stays readable': async (client) => {
    const prompts = ['__proto__', '\\uffff', '\\u202e', '\\ud83e\\udd8a', 'x'.repeat(20_000), '']
    for (const prompt of prompts) {
      const body = `{"model":"suite-anything","prompt":"${prompt}"}`
      const reply = await client.send({ path: '/v1/generate', body })
      if (reply.status === 400) expectOneOf(reply, ['invalid_request', 'invalid_json'])
      else await client.job(expectJob(reply, 202, client).id)
      assert.notEqual(codeOf(reply), 'internal_error')
    }
  },

  'half of a surrogate pair or NUL is a 400 that names its field, and is not sent to a vendor': async (
    client,
  ) => {
    for (const text of ['\\ud800', '\\udc00x', 'a\\ud83d b', '\\u0000'])
      for (const [fields, field] of [
        [`"prompt":"${text}"`, 'prompt'],
        [`"parts":[{"text":"${text}"}]`, 'parts.0.text'],
        [`"key${text}":1`, 'key'],
        [`"metadata":{"mark":"${text}"}`, 'metadata.mark'],
      ]) {
        const reply = await client.send({
          path: '/v1/generate',
          body: `{"model":"suite-anything",${fields}}`,
        })
        expectOneOf(reply, ['invalid_request'])
        assert(reply.text.includes(`"${field}`), reply.text)
      }
  },
}
