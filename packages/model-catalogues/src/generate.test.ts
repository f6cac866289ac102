import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogueFiles, wantedModels } from './generate.ts'
import { entryOf, type Wanted } from './entry-of.ts'
import { keptSchemas, type Property, type VendorSchema } from './vendor-schema.ts'

test.each(['fal', 'replicate'] as const)(
  'the catalogue of %s is what generate.ts makes of the kept schemas',
  async (vendor) => {
    for (const [file, text] of await catalogueFiles(vendor)) expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

const kling = 'fal-ai/kling-video/v2.6/pro/image-to-video'
const { schema } = keptSchemas('fal').get(kling)!
const wanted = Object.values(wantedModels.fal)
  .flat()
  .find(({ model }) => model === kling)!

/** The entry that a newer schema of the endpoint would make. */
function newer(
  change: (properties: Record<string, Property>) => Record<string, Property>,
  required: readonly string[] = [],
  notes: Partial<Wanted> = {},
) {
  const next: VendorSchema = {
    ...schema,
    required: [...schema.required, ...required],
    properties: change({ ...schema.properties }),
  }
  return entryOf({ ...wanted, ...notes }, next)
}

test('the catalogue sends a field under its new name when the vendor has renamed it to a name in the list', () => {
  const entry = newer(({ end_image_url: last = {}, ...others }) => ({ ...others, last_frame_url: last }))
  expect(entry.claims.last_frame).toEqual({ name: 'last_frame_url', form: 'plain' })
})

test('the catalogue leaves a field out when the vendor has renamed it to a name that is not in the list', () => {
  const entry = newer(({ end_image_url: last = {}, ...others }) => ({ ...others, closing_picture: last }))
  expect(entry.claims.last_frame).toBeUndefined()
})

test('generate.ts stops and names a field that the vendor requires and that the interface does not have', () => {
  expect(() => newer((properties) => ({ ...properties, voice: { type: 'string' } }), ['voice'])).toThrow(
    `${kling} needs voice, for which the entry has no field.`,
  )
})

test('generate.ts stops and names a field of the wanted models that the vendor has removed', () => {
  const fields = { last_frame: 'tail_image_url' }
  expect(() => newer((properties) => properties, [], { fields })).toThrow(
    `${kling} has no tail_image_url, which is to be last_frame.`,
  )
})

test.each<[string, Property, object | undefined, string | undefined]>([
  ['other texts', { enum: ['5', '15'] }, [5, 15], 'text'],
  ['texts with their unit', { enum: ['5s', '15s'] }, [5, 15], 'seconds'],
  ['a word beside the numbers', { enum: ['auto', '5'] }, [5], 'text'],
  ['whole numbers of a range', { type: 'integer', minimum: 3, maximum: 6 }, [3, 4, 5, 6], 'plain'],
  ['numbers of a range', { type: 'number', minimum: 2, maximum: 6.5 }, { min: 2, max: 6.5 }, 'plain'],
  ['any number', { type: 'number' }, undefined, 'plain'],
  ['choices that were not published', { 'x-unpublished': true }, undefined, undefined],
])(
  'generate.ts changes limits and form of a duration when the vendor makes it %s',
  (_what, duration, limits, form) => {
    const entry = newer((properties) => ({ ...properties, duration }))
    expect(entry.limits.duration).toEqual(limits)
    expect(entry.claims.duration?.form).toBe(form)
  },
)
