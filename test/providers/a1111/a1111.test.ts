import { a1111Provider, type A1111Model, type A1111ProviderOptions } from '@genmount/provider-a1111'
import { fakeFile, providerSuite } from '@genmount/testing'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { jobRuns } from '../service-world.ts'
import { fakeA1111, login } from './fake-a1111.ts'

const png = fakeFile('image').bytes
const base64 = Buffer.from(png).toString('base64')
const dataUri = `data:image/png;base64,${base64}`

const suite = providerSuite(
  async () => {
    const { origin, close } = await fakeA1111()
    const provider = (baseUrl: string) => a1111Provider({ baseUrl, login, models: { sdxl: {} } })
    return {
      provider,
      vendor: origin,
      secrets: [login.split(':')[1]!],
      unknownHandle: null,
      ...withoutWaiting(),
      close,
    }
  },
  [
    { model: 'sdxl', input: { prompt: 'a fox', num_outputs: 2 } },
    { model: 'sdxl', input: { prompt: 'make it snow', image: dataUri } },
  ],
  { lacks: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'] },
)
for (const [name, run] of Object.entries(suite)) test(name, run)

async function jobAt(input: object, model: A1111Model = {}, asDrawThings = false) {
  const fake = await fakeA1111(asDrawThings)
  const options: A1111ProviderOptions = { baseUrl: fake.origin, models: { sdxl: model } }
  const runs = jobRuns(a1111Provider({ ...options, ...(!asDrawThings && { login }) }))
  onTestFinished(async () => {
    await runs.close()
    await fake.close()
  })
  const job = await runs.finished(await runs.create('sdxl', { prompt: 'a fox', ...input }))
  return { job, ledger: fake.ledger, outputs: await runs.outputs(job) }
}

test('the a1111 provider translates the fields of a job into those of the web UI', async () => {
  const { job, ledger, outputs } = await jobAt(
    {
      negative_prompt: 'blur',
      seed: 7,
      guidance: 4.5,
      resolution: '768x512',
      num_outputs: 2,
      denoising_strength: 0.5,
    },
    {
      checkpoint: 'sd_xl_base_1.0',
      parameters: { steps: 20, sampler_name: 'DPM++ 2M' },
      inputs: { denoising_strength: v.optional(v.number()) },
    },
  )
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0 })
  expect(outputs).toEqual([png, fakeFile('image', 1).bytes])
  expect(ledger).toEqual([
    {
      path: '/sdapi/v1/txt2img',
      body: {
        prompt: 'a fox',
        negative_prompt: 'blur',
        seed: 7,
        cfg_scale: 4.5,
        width: 768,
        height: 512,
        batch_size: 2,
        denoising_strength: 0.5,
        steps: 20,
        sampler_name: 'DPM++ 2M',
        override_settings: { sd_model_checkpoint: 'sd_xl_base_1.0' },
        override_settings_restore_afterwards: false,
      },
    },
  ])
})

test('the a1111 provider sends pictures to the server as base64 data', async () => {
  const { job, ledger } = await jobAt({ image: dataUri, mask: dataUri })
  expect(job.phase).toBe('completed')
  expect(ledger).toEqual([
    { path: '/sdapi/v1/img2img', body: { prompt: 'a fox', init_images: [base64], mask: base64 } },
  ])
})

test('the a1111 provider makes a picture with Draw Things, which refuses unknown parameters', async () => {
  const { job, outputs } = await jobAt({ seed: 7, resolution: '512x512' }, {}, true)
  expect([job.phase, outputs]).toEqual(['completed', [png]])
  const refused = await jobAt({}, { checkpoint: 'other' }, true)
  expect(refused.job.error).toMatchObject({ code: 'provider_rejected' })
  expect(refused.job.error?.message).toContain('Unrecognized keys')
})

test('a job fails with the words of the web UI when the server breaks down while it makes a picture', async () => {
  const { job } = await jobAt({ prompt: 'an enormous fox' })
  expect(job.error).toMatchObject({ code: 'provider_failed' })
  expect(job.error?.message).toContain('CUDA out of memory')
})

test('a job keeps the valid images when another entry of the answer is no image', async () => {
  const fetch = async () => Response.json({ images: [null, base64] })
  const provider = a1111Provider({ baseUrl: 'http://127.0.0.1:7860', models: { sdxl: {} }, fetch })
  const task = { jobId: 'job', model: 'sdxl', input: { prompt: 'a fox' }, clientToken: 'token' }
  const report = await provider.submit(task, { signal: new AbortController().signal })
  expect(report).toMatchObject({ state: 'succeeded', outputs: [{}] })
})

test('a job with an invalid resolution fails before a request is sent to the server', async () => {
  const { job, ledger } = await jobAt({ resolution: '720p' })
  expect([job.error?.code, ledger]).toEqual(['provider_rejected', []])
})

test.each<[string, object]>([
  ['baseUrl', { baseUrl: 'localhost' }],
  ['login', { login: 'artist' }],
  ['name', { name: 'my server' }],
  ['callTimeoutMs', { callTimeoutMs: 0 }],
  ["models['a'].parameters can't fix prompt", { models: { a: { parameters: { prompt: 'x' } } } }],
  ["models['a'].inputs can't have width", { models: { a: { inputs: { width: v.number() } } } }],
  ["models['a'].price", { models: { a: { price: '5' } } }],
])('a1111Provider throws a TypeError for a wrong %s', (name, wrong) => {
  const good = { baseUrl: 'http://127.0.0.1:7860', models: { a: {} } }
  expect(() => a1111Provider({ ...good, ...wrong } as A1111ProviderOptions)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
  )
  expect(a1111Provider({ ...good, name: 'mine', callTimeoutMs: 5 })).toMatchObject({
    name: 'mine',
    callTimeoutMs: 5,
  })
})
