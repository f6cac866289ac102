import { expect, test } from 'vitest'
import type { FalProviderOptions } from './fal-options.ts'
import { falProvider } from './fal-provider.ts'

const flux = { endpoint: 'fal-ai/flux/schnell', outputKind: 'image' }
const right = { token: 'id:secret', models: { flux } }

test.each([
  [{ token: '' }, 'token is missing; set FAL_KEY'],
  [{ models: {} }, 'models must'],
  [{ models: { flux: null } }, "models['flux'].endpoint must be"],
  [{ models: { flux: { ...flux, endpoint: 'flux' } } }, "models['flux'].endpoint must be"],
  [{ models: { flux: { ...flux, endpoint: 'fal-ai/../../x' } } }, "models['flux'].endpoint must be"],
  [{ models: { flux: { ...flux, endpoint: 'https://evil.example/x' } } }, "models['flux'].endpoint must be"],
  [{ models: { flux: { ...flux, outputKind: 'audio' } } }, "models['flux'].outputKind must be"],
  [{ models: { flux: { ...flux, price: -1 } } }, "models['flux'].price must be"],
  [{ models: { flux: { ...flux, priceUnit: '' } } }, "models['flux'].priceUnit must be a unit"],
  [{ models: { flux: { ...flux, fields: { image: 'image url' } } } }, "models['flux'].fields must"],
  [
    { models: { flux: { ...flux, allowedProviderOptions: 'on' } } },
    "models['flux'].allowedProviderOptions must be 'off' or",
  ],
  [{ baseUrl: 'queue.fal.run' }, 'baseUrl must be'],
  [{ jwksUrl: 'jwks.json' }, 'jwksUrl must be an http'],
  [{ webhookUserId: '' }, 'webhookUserId must be'],
])('falProvider throws a TypeError that explains the wrong options %j', (wrong, message) => {
  const options = { ...right, ...wrong } as FalProviderOptions
  expect(() => falProvider(options)).toThrow(TypeError)
  expect(() => falProvider(options)).toThrow(message)
})

test('falProvider offers each model under the id of its option models, with its kind, its typical duration and its retention', () => {
  const { models } = falProvider({
    token: 'id:secret',
    models: {
      flux: { endpoint: 'fal-ai/flux/schnell', outputKind: 'image', typicalMs: 2000 },
      kling: {
        endpoint: 'fal-ai/kling-video/v2.5/turbo/text-to-video',
        outputKind: 'video',
        retentionDays: 2,
      },
    },
  })
  expect(models).toMatchObject([
    { id: 'flux', outputKind: 'image', typicalMs: 2000 },
    { id: 'kling', outputKind: 'video', retentionDays: 2 },
  ])
})

test.each(['num_images', 'image_url', 'image_size', 'sync_mode', 'seed'])(
  'clients can not be allowed to set %s past the bounds of our own fields',
  (name) => {
    const models = { flux: { ...flux, allowedProviderOptions: [name] } } as FalProviderOptions['models']
    expect(() => falProvider({ ...right, models })).toThrow(
      `models['flux'].allowedProviderOptions can't allow ${name}`,
    )
  },
)
