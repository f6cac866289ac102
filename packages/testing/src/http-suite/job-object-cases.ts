import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { expectError } from './expect-error.ts'
import { expectJob, jobFields } from './expect-job.ts'
import type { Cases } from './suite-client.ts'
import { anything, endless, failing, quick, quickVideo, suiteLimits, unhurried } from './suite-jobs.ts'

export const jobObjectCases: Cases = {
  'a job shows exactly the 16 fields of the interface in its order, wherever it is shown': async (client) => {
    const created = await client.send({ path: '/v1/generate', body: endless })
    const { id } = expectJob(created, 202, client)
    const polled = await client.send({ path: `/v1/jobs/${id}` })
    const waited = await client.send({ path: '/v1/generate?wait=true', body: quick })
    for (const reply of [created, polled, waited])
      assert.deepEqual(Object.keys(JSON.parse(reply.text) as object), [...jobFields])
  },

  'a job that is not finished shows null, zero or nothing for what is not known yet': async (client) => {
    const job = await client.create(endless)
    const { status, completed_at, error, cost_usd, timings, data } = job
    assert.deepEqual(
      { status, completed_at, error, cost_usd, timings, data },
      {
        status: 'processing',
        completed_at: null,
        error: null,
        cost_usd: 0,
        timings: { inference_ms: 0 },
        data: [],
      },
    )
  },

  'a job names the model that was asked for and the kind that it makes': async (client) => {
    const image = await client.create(quick)
    assert.deepEqual([image.model, image.output_kind], ['fake-image', 'image'])
    const video = await client.create(quickVideo)
    assert.deepEqual([video.model, video.output_kind], ['fake-video', 'video'])
  },

  'a job is kept for retention_days times 24 hours, and its end never moves': async (client) => {
    const job = await client.create(unhurried)
    assert.equal(job.retention_days, suiteLimits.retentionDays)
    assert.equal(Date.parse(job.expires_at) - Date.parse(job.created_at), 7 * 86_400_000)
    const finished = await client.finished(job.id)
    assert.equal(finished.expires_at, job.expires_at)
    assert.equal(finished.created_at, job.created_at)
  },

  'a model may be kept for longer than the others': async (client) => {
    const job = await client.create({ ...anything, prompt: 'for a month' })
    assert.equal(job.retention_days, 30)
    assert.equal(Date.parse(job.expires_at) - Date.parse(job.created_at), 30 * 86_400_000)
  },

  'a completed job tells when it was created, begun and completed, and never in the future': async (
    client,
  ) => {
    const job = await client.createAndWait(unhurried)
    const instants = [job.created_at, job.started_at ?? '', job.completed_at ?? ''].map(Date.parse)
    assert.deepEqual(
      instants.toSorted((a, b) => a - b),
      instants,
    )
    assert(instants.every((instant) => Math.abs(instant - Date.now()) < 60_000))
  },

  'the cost and the inference time that the provider reports are in the job': async (client) => {
    const job = await client.createAndWait({ ...quick, cost_usd: 0.0425, inference_ms: 1234 })
    assert.equal(job.cost_usd, 0.0425)
    assert.equal(job.timings.inference_ms, 1234)
  },

  'each output has its URL: the first without n, the others with n from 1': async (client) => {
    const job = await client.createAndWait({ ...quick, num_outputs: 3 })
    const first = client.url(`/v1/files/${job.id}`)
    assert.deepEqual(job.data, [{ url: first }, { url: `${first}?n=1` }, { url: `${first}?n=2` }])
  },

  'a failed job is a normal job object whose error is a code and a text': async (client) => {
    const { id } = await client.create(failing)
    const job = await client.finished(id)
    assert.equal(job.status, 'failed')
    assert.equal(job.error, 'content_policy: No kites today.')
    assert.notEqual(job.completed_at, null)
    assert.deepEqual(job.data, [])
  },

  'every reason of a provider for failing reaches the client as the code of the error': async (client) => {
    const reasons = [
      'provider_rejected',
      'content_policy',
      'provider_failed',
      'output_invalid',
      'input_fetch_failed',
    ]
    const jobs = await Promise.all(reasons.map((fail) => client.createAndWait({ ...quick, fail })))
    assert.deepEqual(
      jobs.map((job) => job.error?.split(':')[0]),
      reasons,
    )
  },

  'a finished job never changes again': async (client) => {
    const { id } = await client.createAndWait(quick)
    const [first, second] = [
      await client.send({ path: `/v1/jobs/${id}` }),
      await client.send({ path: `/v1/jobs/${id}` }),
    ]
    assert.equal(first.text, second.text)
  },

  'urls.get is the address of the job': async (client) => {
    const job = await client.create(endless)
    const polled = expectJob(await client.follow(job.urls.get), 200, client)
    assert.equal(polled.id, job.id)
  },

  'input shows what was asked for, without the model': async (client) => {
    const wanted = { prompt: 'Kräne über 東京 🏗️ "quoted" \\ \u2028', resolution: '720p', num_outputs: 2 }
    const { input } = await client.create({ model: 'fake-image', ...wanted })
    assert.deepEqual({ ...input }, wanted)
  },

  'input shows a data URI as a short placeholder with type, size and digest': async (client) => {
    const bytes = Buffer.alloc(3000, 'kite')
    const { input } = await client.create({
      ...quick,
      image: `data:image/png;base64,${bytes.toString('base64')}`,
    })
    const placeholder = String(input['image'])
    assert(placeholder.length < 200, placeholder)
    for (const part of ['image/png', '3000', createHash('sha256').update(bytes).digest('hex')])
      assert(placeholder.includes(part), `${placeholder} names ${part}`)
  },

  'a data URI is a placeholder wherever it hides in input, encoded in base64 or not': async (client) => {
    const secret = Buffer.from('a private picture '.repeat(20))
    const encoded = secret.toString('base64')
    const { id } = await client.create({
      ...anything,
      deep: { list: [{ image: `data:image/png;base64,${encoded}` }, [[`data:;base64,${encoded}`]]] },
      plain: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(secret.toString())}`,
    })
    const { text } = await client.send({ path: `/v1/jobs/${id}` })
    for (const part of [encoded.slice(0, 40), 'private']) assert(!text.includes(part), text)
  },

  "a data URI that can't be decoded is refused or a placeholder, never a fault": async (client) => {
    const malformed = [
      'data:text/plain,%E0%A4%A',
      'data:image/png;base64,@@@@',
      'data:image/png;base64,A',
      'data:,',
    ]
    for (const image of [...malformed, 'data:image/png;base64,\ud800', 'data:image/png;base64'])
      for (const body of [
        { ...quick, image },
        { ...anything, image },
      ]) {
        const reply = await client.send({ path: '/v1/generate', body })
        if (reply.status === 400) expectError(reply, 'invalid_request')
        else await client.job(expectJob(reply, 202, client).id)
      }
  },

  // RFC 3986, 3.1: schemes are case-insensitive.
  'a data URI in capitals is a placeholder too': async (client) => {
    const encoded = Buffer.from('a private picture '.repeat(20)).toString('base64')
    const { input } = await client.create({ ...quick, image: `DATA:image/png;BASE64,${encoded}` })
    assert(String(input['image']).length < 200, String(input['image']))
  },

  'text that only begins like a data URI stays as it was written': async (client) => {
    for (const prompt of [
      'data: charts in the rain, painted',
      'data:',
      'data is beautiful',
      'my data:image/png;base64,x',
    ])
      assert.equal((await client.create({ ...quick, prompt })).input['prompt'], prompt)
  },

  'a page or an error that a provider gives as an output is not delivered: the job fails as output_invalid':
    async (client) => {
      const files = [
        { text: '<!doctype html><title>Sign in</title>', type: 'image/png' },
        { text: '{"error":"blocked"}', type: 'application/octet-stream' },
        { text: '<?xml version="1.0"?><Error>No</Error>', type: 'image/svg+xml' },
        { text: 'No.', type: 'video/mp4' },
      ]
      for (const file of files) {
        const { status, error, data } = await client.createAndWait({ ...anything, file })
        assert.equal(status, 'failed')
        assert.match(error ?? '', /^output_invalid: /)
        assert.deepEqual(data, [])
      }
    },
}
