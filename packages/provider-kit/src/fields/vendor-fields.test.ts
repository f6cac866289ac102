import { expect, test } from 'vitest'
import { checkVendorFields, namesAtVendor, vendorInput, type VendorFields } from './vendor-fields.ts'

const image = 'https://example.com/a.png'

test('a field is sent under its own name, the vendor’s name, in a list, or as a function returns it', () => {
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

test('vendorInput sends several images as a list or as a field each, and a single image where the vendor takes one', () => {
  const pictures = [image, `${image}2`]
  const sent = (way: NonNullable<VendorFields['image']>) => vendorInput({ image: pictures }, { image: way })
  expect(sent('images[4]')).toEqual({ images: pictures })
  expect(sent(['first', 'second'])).toEqual({ first: image, second: `${image}2` })
  expect(vendorInput({ reference_images: [image] }, { reference_images: 'style' })).toEqual({ style: image })
  expect(vendorInput({ sizes: [1, 2] }, {})).toEqual({ sizes: [1, 2] })
})

test('fields that are sent in one list keep the order of the vocabulary', () => {
  const fields: VendorFields = { image: 'images[]', reference_images: 'images[]' }
  const provider_options = { images: ['theirs'] }
  expect(vendorInput({ reference_images: ['b', 'c'], image: 'a', provider_options }, fields)).toEqual({
    images: ['a', 'b', 'c'],
  })
})

test('a job with a field that its model no longer has is refused instead of sent without it', () => {
  expect(vendorInput({ prompt: 'a', mask: image }, { mask: false })).toBeUndefined()
})

test('two fields that are sent under one name are refused', () => {
  expect(() => namesAtVendor('fields', { last_frame: 'image' })).toThrow(
    'fields sends image and last_frame both as image',
  )
  const sizes: Readonly<Record<string, { readonly size: string }>> = {}
  expect(() =>
    namesAtVendor('fields', { resolution: (size) => sizes[size]!, reference_images: 'resolution[4]' }),
  ).toThrow('fields sends reference_images and resolution both as resolution')
  expect(namesAtVendor('fields', { image: false, last_frame: 'image' })).toContain('image')
})

test('provider_options are sent unchanged, and the own fields of the input override them', () => {
  const provider_options = { size: 'theirs', steps: 4, loras: [{ path: 'x' }], nothing: null }
  expect(vendorInput({ resolution: 'ours', provider_options }, { resolution: 'size' })).toEqual({
    ...provider_options,
    size: 'ours',
  })
})

test('the vendor’s names of fields can be read where they are fixed', () => {
  const names = namesAtVendor('fields', {
    image: 'images[]',
    num_outputs: 'num_images',
    duration: () => ({}),
  })
  expect(names).toEqual(expect.arrayContaining(['prompt', 'images', 'num_images', 'duration']))
  expect(names).not.toContain('num_outputs')
})

test('a vocabulary function that throws or returns no fields refuses the input', () => {
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
])('the wrong fields %j throw a TypeError that names them', (fields) => {
  expect(() => checkVendorFields("models['a'].fields", fields as VendorFields)).toThrow(TypeError)
  expect(() => checkVendorFields("models['a'].fields", fields as VendorFields)).toThrow(
    "models['a'].fields must map",
  )
})
