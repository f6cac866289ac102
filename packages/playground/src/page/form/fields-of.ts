import type { Model } from '@genmount/client'
import { modelFields } from '@genmount/client/model-fields'
import type { Field } from './field.ts'
import { fieldOf } from './field-of.ts'

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
  const fields = modelFields({ input_schema: schema ?? { properties: { prompt: { type: 'string' } } } })
  return [...(fields?.fields ?? [])]
    .flatMap(([name, field]) => fieldOf(name, field) ?? [])
    .toSorted((a, b) => placeOf(a) - placeOf(b))
}

function placeOf({ name }: Field): number {
  const place = order.indexOf(name)
  return place < 0 ? order.length : place
}
