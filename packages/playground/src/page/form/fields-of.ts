import type { Model } from '@genmount/client'
import type { Field } from './field.ts'
import { fieldOf } from './field-of.ts'
import type { JsonSchema } from './json-schema.ts'

/** The order of the fields that many models have. All other fields follow in the order of the schema. */
const order = [
  'prompt',
  'image',
  'mask',
  'last_frame',
  'reference_images',
  'video',
  'reference_videos',
  'audio',
  'aspect_ratio',
  'resolution',
  'quality',
  'duration',
  'num_outputs',
  'seed',
]

/** The fields of a model's form. A model without a schema has one field for its prompt, and one for all other input. */
export function fieldsOf({ input_schema: schema }: Model): readonly Field[] {
  const root = (schema ?? { properties: { prompt: { type: 'string' } } }) as JsonSchema
  const required = root.required ?? []
  return Object.entries(root.properties ?? {})
    .flatMap(([name, property]) => fieldOf(name, property, root, required.includes(name)) ?? [])
    .toSorted((a, b) => placeOf(a) - placeOf(b))
}

function placeOf({ name }: Field): number {
  const place = order.indexOf(name)
  return place < 0 ? order.length : place
}
