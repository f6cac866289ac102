import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type AllowedOptions, checkAllowedOptions, providerOptionsField } from './provider-options.ts'

const own = ['num_images', 'config.seed', 'config.image.size']

function faultIn(given: unknown, allowed?: AllowedOptions): string | undefined {
  const field = providerOptionsField(checkAllowedOptions("models['a'].allowedProviderOptions", allowed, own))
  return v.safeParse(field, given).issues?.[0]?.message
}

test.each([undefined, 'off', []] as const)(
  'with %j all provider_options are refused, and the error says who can allow them',
  (allowed) => {
    for (const given of [{}, { num_images: 50 }, 'x'.repeat(1_000_000)]) {
      const message = faultIn(given, allowed)
      expect(message).toContain('provider_options is off')
      expect(message).toContain('allowedProviderOptions')
    }
  },
)

test.each<[readonly string[], object]>([
  [['steps', 'loras'], { steps: 4, loras: [{ path: 'x' }] }],
  [['camera'], { camera: { pan: { x: [1, 2] } } }],
  [['camera.pan'], { camera: { pan: { x: 1 } } }],
  [['camera.pan', 'camera.zoom.x'], { camera: { pan: 1, zoom: { x: 2 } } }],
  [['config'], { config: { temperature: 1, image: { style: 'x' } } }],
  [['config.image.style'], { config: { image: { style: 'x' } } }],
  [['steps'], {}],
])('with %j allowed, provider_options %j are accepted', (allowed, given) => {
  expect(faultIn(given, allowed)).toBeUndefined()
})

test.each<[readonly string[], unknown, string]>([
  [['steps'], { steps: 4, pollIntervalMillis: 0 }, 'pollIntervalMillis'],
  [['steps'], { num_images: 50 }, 'num_images: this model has a field of its own'],
  [['camera.pan'], { camera: { zoom: 1 } }, 'camera.zoom'],
  [['camera.pan'], { camera: 'x' }, 'camera'],
  [['camera.pan'], { camera: [{ pan: 1 }] }, 'camera'],
  [['config'], { config: { seed: 1 } }, 'config.seed: this model has a field of its own'],
  [['config'], { config: { image: { size: 1 } } }, 'config.image.size'],
  [['config.image.style'], { config: { image: { style: 'x', size: 1 } } }, 'config.image.size'],
  [['steps'], { Steps: 4 }, 'Steps'],
  [['steps'], { constructor: {} }, 'constructor'],
  [['steps'], [], 'must be an object'],
  [['steps'], 'steps', 'must be an object'],
  [['steps'], { steps: 'x'.repeat(65_536) }, 'at most 65536 characters'],
])(
  'with %j allowed, the wrong provider_options %# are refused with the reason',
  (allowed, given, message) => {
    expect(faultIn(given, allowed)).toContain(message)
  },
)

test.each<[unknown, string]>([
  ['on', "must be 'off' or a list"],
  [true, "must be 'off' or a list"],
  [['a b'], "must be 'off' or a list"],
  [[7], "must be 'off' or a list"],
  [['steps', 'num_images'], "can't allow num_images"],
  [['config.seed.low'], "can't allow config.seed.low"],
])('the wrong option %j throws a TypeError that names it', (allowed, message) => {
  const check = () =>
    checkAllowedOptions("models['a'].allowedProviderOptions", allowed as AllowedOptions, own)
  expect(check).toThrow(TypeError)
  expect(check).toThrow(`models['a'].allowedProviderOptions ${message}`)
})
