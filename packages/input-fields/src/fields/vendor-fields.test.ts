import { expect, test } from 'vitest'
import { checkVendorFields, namesAtVendor, vendorInput, type VendorFields } from './vendor-fields.ts'

const image = 'https://example.com/a.png'

test('a field goes by its own name, by the name of the vendor, in a list, or as what a function makes of it', () => {
  const fields: VendorFields = {
    image: 'images[]',
    resolution: 'size',
    duration: (seconds) => ({ frames: seconds * 24, fps: 24 }),
  }
  expect(vendorInput({ prompt: 'a', image, resolution: '720p', duration: 2 }, fields)).toEqual({
    prompt: 'a',
    images: [image],
    size: '720p',
    frames: 48,
    fps: 24,
  })
})

test('options of the vendor are passed on as they are, and our fields win', () => {
  const provider_options = { size: 'theirs', steps: 4, loras: [{ path: 'x' }], nothing: null }
  expect(vendorInput({ resolution: 'ours', provider_options }, { resolution: 'size' })).toEqual({
    ...provider_options,
    size: 'ours',
  })
})

test('the names that our fields have at the vendor are known, where they are told by name', () => {
  const names = namesAtVendor({ image: 'images[]', num_outputs: 'num_images', duration: () => ({}) })
  expect(names).toEqual(expect.arrayContaining(['prompt', 'images', 'num_images', 'duration']))
  expect(names).not.toContain('num_outputs')
})

test('a function that fails, or makes no fields, gives no input', () => {
  const failing = () => {
    throw new Error('Oops.')
  }
  for (const prompt of [failing, () => 'a text' as never, () => undefined as never])
    expect(vendorInput({ prompt: 'a' }, { prompt })).toBeUndefined()
})

test.each([{ size: 'width' }, { image: 'in put' }, { image: '' }, { image: 7 }, { provider_options: 'x' }])(
  'the fields %j are refused by name',
  (fields) => {
    expect(() => checkVendorFields("models['a'].fields", fields as VendorFields)).toThrow(TypeError)
    expect(() => checkVendorFields("models['a'].fields", fields as VendorFields)).toThrow(
      "models['a'].fields must map",
    )
  },
)
