import type { ProviderTask } from '@genmount/core'
import { expect, test } from 'vitest'
import type { ReplicateProviderOptions } from './replicate-options.ts'
import { replicateProvider } from './replicate-provider.ts'

const version = 'ab'.repeat(32)
const models: ReplicateProviderOptions['models'] = {
  painter: {
    model: 'acme/painter',
    outputKind: 'image',
    fields: { image: 'image_input[]', resolution: 'size' },
  },
  versioned: { model: `acme/painter:${version}`, outputKind: 'image' },
  bare: { model: version, outputKind: 'image' },
  deployed: { model: 'deployments/acme/our.painter', outputKind: 'video', typicalMs: 9000, retentionDays: 2 },
}

/** The provider with an account that answers every request with one prediction, and the requests that it sent. */
function provide(options: Partial<ReplicateProviderOptions> = {}) {
  const sent: { url: string; method: string; headers: Headers; body: unknown }[] = []
  const provider = replicateProvider({
    token: 'r8_secret',
    models,
    fetch: async (input, init = {}) => {
      const body = init.body ? ((await new Response(init.body).json()) as unknown) : undefined
      sent.push({
        url: String(input),
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        body,
      })
      return Response.json({ id: 'p1', status: 'starting' }, { status: 201 })
    },
    ...options,
  })
  return { provider, sent }
}

const call = () => ({ signal: new AbortController().signal })
const taskFor = (model: string, input: ProviderTask['input'] = { prompt: 'a fox' }) => ({
  jobId: 'job',
  model,
  input,
  clientToken: 'token',
})

test.each([
  ['painter', '/models/acme/painter/predictions', undefined],
  ['versioned', '/predictions', version],
  ['bare', '/predictions', version],
  ['deployed', '/deployments/acme/our.painter/predictions', undefined],
])('predictions of %s are created at %s', async (model, path, inBody) => {
  const { provider, sent } = provide()
  expect(await provider.submit(taskFor(model), call())).toEqual({ state: 'running', handle: 'p1' })
  expect(sent[0]).toMatchObject({ method: 'POST', url: `https://api.replicate.com/v1${path}` })
  expect(sent[0]?.body).toEqual({ input: { prompt: 'a fox' }, ...(inBody && { version: inBody }) })
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer r8_secret')
  expect(sent[0]?.headers.get('prefer')).toBeNull()
})

test('replicateProvider sends fields under the names of the model, and they win over provider_options', async () => {
  const { provider, sent } = provide()
  const image = 'https://example.com/a.png'
  const provider_options = { size: '4K', guidance: 3, webhook: 'https://elsewhere.example' }
  await provider.submit(
    taskFor('painter', { prompt: 'a', image, resolution: '2K', seed: 0, provider_options }),
    call(),
  )
  expect(sent[0]?.body).toEqual({
    input: {
      prompt: 'a',
      image_input: [image],
      size: '2K',
      seed: 0,
      guidance: 3,
      webhook: 'https://elsewhere.example',
    },
  })
})

test('replicateProvider asks for a webhook only with a webhookSecret and an https callback URL', async () => {
  const webhookSecret = `whsec_${btoa('key')}`
  const callbackUrl = 'https://app.example/v1/callbacks/replicate/job/secret'
  for (const [options, url, isAsked] of [
    [{ webhookSecret }, callbackUrl, true],
    [{ webhookSecret }, callbackUrl.replace('https', 'http'), false],
    [{ webhookSecret }, undefined, false],
    [{}, callbackUrl, false],
  ] as const) {
    const { provider, sent } = provide(options)
    await provider.submit(taskFor('painter'), { ...call(), callbackUrl: url })
    expect(sent[0]?.body).toEqual({
      input: { prompt: 'a fox' },
      ...(isAsked && { webhook: callbackUrl, webhook_events_filter: ['completed'] }),
    })
    expect(provider.readCallback !== undefined).toBe('webhookSecret' in options)
  }
})

test('an error of Replicate about the callback URL is shown without the URL', async () => {
  const callbackUrl = 'https://app.example/v1/callbacks/replicate/job/secret'
  const { provider } = provide({
    webhookSecret: `whsec_${btoa('key')}`,
    fetch: async () => Response.json({ detail: `webhook: ${callbackUrl} is refused` }, { status: 422 }),
  })
  expect(await provider.submit(taskFor('painter'), { ...call(), callbackUrl })).toMatchObject({
    code: 'provider_rejected',
    message: 'webhook: [callback] is refused',
  })
})

test('replicateProvider reads an answer that repeats a large input', async () => {
  const image = `data:image/png;base64,${'A'.repeat(14_000_000)}`
  const { provider } = provide({
    fetch: async () => Response.json({ id: 'p1', status: 'starting', input: { image } }, { status: 201 }),
  })
  expect(await provider.submit(taskFor('painter', { image }), call())).toMatchObject({ state: 'running' })
})

test('replicateProvider polls and cancels a prediction by its id, and sends nothing for another handle', async () => {
  const { provider, sent } = provide()
  for (const handle of [null, 7, {}, '', '../account', 'a/b', 'x'.repeat(101)]) {
    const running = { ...taskFor('painter'), handle }
    expect(await provider.poll(running, call())).toMatchObject({ state: 'unknown' })
    await provider.cancel?.(running, call())
  }
  expect(sent).toEqual([])
  await provider.poll({ ...taskFor('painter'), handle: 'p1' }, call())
  await provider.cancel?.({ ...taskFor('painter'), handle: 'p1' }, call())
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET https://api.replicate.com/v1/predictions/p1',
    'POST https://api.replicate.com/v1/predictions/p1/cancel',
  ])
})

test('cancel of replicateProvider throws when Replicate answers with 500', async () => {
  const { provider } = provide({ fetch: async () => new Response('no', { status: 500 }) })
  await expect(provider.cancel?.({ ...taskFor('painter'), handle: 'p1' }, call())).rejects.toThrow(
    'status 500',
  )
})

test('the models of replicateProvider have their typicalMs and retentionDays', () => {
  expect(provide().provider.models.at(-1)).toMatchObject({
    id: 'deployed',
    typicalMs: 9000,
    retentionDays: 2,
  })
})

const painter = { model: 'acme/painter', outputKind: 'image' }

test.each([
  [{ token: '' }, 'token is missing; set REPLICATE_API_TOKEN'],
  [{ baseUrl: 'api.replicate.com' }, 'baseUrl must be'],
  [{ models: {} }, 'models must'],
  [{ models: { a: undefined } }, "models['a'].model"],
  [{ models: { a: { ...painter, outputKind: 'audio' } } }, "models['a'].outputKind"],
  [{ models: { a: { ...painter, model: 'painter' } } }, "models['a'].model"],
  [{ models: { a: { ...painter, model: '../account' } } }, "models['a'].model"],
  [{ models: { a: { ...painter, model: `deployments/acme/painter:${version}` } } }, "models['a'].model"],
  [{ models: { a: { ...painter, fields: { size: 'width' } } } }, "models['a'].fields"],
  [{ models: { a: { ...painter, fields: { image: 'in put' } } } }, "models['a'].fields"],
  [{ models: { a: { ...painter, allowedProviderOptions: ['num_outputs'] } } }, "can't allow num_outputs"],
  [{ models: { a: { ...painter, price: -1 } } }, "models['a'].price"],
  [{ models: { a: { ...painter, priceUnit: 'token' } } }, "models['a'].priceUnit"],
  [{ webhookSecret: 'secret' }, 'webhookSecret must be'],
  [{ webhookSecret: 'whsec_' }, 'webhookSecret must be'],
])('replicateProvider throws a TypeError that explains the wrong options %j', (options, message) => {
  expect(() => provide(options as Partial<ReplicateProviderOptions>)).toThrow(TypeError)
  expect(() => provide(options as Partial<ReplicateProviderOptions>)).toThrow(message)
})
