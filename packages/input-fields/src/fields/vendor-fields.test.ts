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

test('several pictures go into a list, into inputs of their own, or only the first of them where there is one', () => {
  const pictures = [image, `${image}2`]
  const sent = (way: NonNullable<VendorFields['image']>) => vendorInput({ image: pictures }, { image: way })
  expect(sent('images[4]')).toEqual({ images: pictures })
  expect(sent(['first', 'second'])).toEqual({ first: image, second: `${image}2` })
  expect(vendorInput({ reference_images: [image] }, { reference_images: 'style' })).toEqual({ style: image })
  expect(vendorInput({ sizes: [1, 2] }, {})).toEqual({ sizes: [1, 2] })
})

test('fields that go into one list follow each other in the order of the vocabulary', () => {
  const fields: VendorFields = { image: 'images[]', reference_images: 'images[]' }
  const provider_options = { images: ['theirs'] }
  expect(vendorInput({ reference_images: ['b', 'c'], image: 'a', provider_options }, fields)).toEqual({
    images: ['a', 'b', 'c'],
  })
})

test('a job with a field that the model has lost since is not sent without it', () => {
  expect(vendorInput({ prompt: 'a', mask: image }, { mask: false })).toBeUndefined()
})

test('two fields under one name are refused, because one of them would be lost', () => {
  expect(() => namesAtVendor('fields', { last_frame: 'image' })).toThrow(
    'fields sends image and last_frame both as image',
  )
  const sizes: Readonly<Record<string, { readonly size: string }>> = {}
  expect(() =>
    namesAtVendor('fields', { resolution: (size) => sizes[size]!, reference_images: 'resolution[4]' }),
  ).toThrow('fields sends reference_images and resolution both as resolution')
  expect(namesAtVendor('fields', { image: false, last_frame: 'image' })).toContain('image')
})

test('options of the vendor are passed on as they are, and our fields win', () => {
  const provider_options = { size: 'theirs', steps: 4, loras: [{ path: 'x' }], nothing: null }
  expect(vendorInput({ resolution: 'ours', provider_options }, { resolution: 'size' })).toEqual({
    ...provider_options,
    size: 'ours',
  })
})

test('the names that our fields have at the vendor are known, where they are told by name', () => {
  const names = namesAtVendor('fields', {
    image: 'images[]',
    num_outputs: 'num_images',
    duration: () => ({}),
  })
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

test.each([
  { size: 'width' },
  { image: 'in put' },
  { image: '' },
  { image: 7 },
  { provider_options: 'x' },
  { image: 'a[0]' },
  { image: [] },
  { image: ['a[]'] },
  { prompt: ['a', 'b'] },
  { seed: true },
])('the fields %j are refused by name', (fields) => {
  expect(() => checkVendorFields("models['a'].fields", fields as VendorFields)).toThrow(TypeError)
  expect(() => checkVendorFields("models['a'].fields", fields as VendorFields)).toThrow(
    "models['a'].fields must map",
  )
})
