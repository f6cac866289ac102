import { choiceField, closedInput, pictureField } from '@genmount/input-fields'
import * as v from 'valibot'

/** What can be enlarged. Nothing else is ever decoded, SVG least of all. */
export const pictureTypes = ['png', 'jpeg', 'webp', 'gif'] as const

/** The input of every model. */
export const inputSchema = closedInput({
  image: pictureField('image', { types: pictureTypes }),
  format: v.optional(choiceField('format', ['png', 'webp', 'jpeg']), 'png'),
})

export type EsrganInput = v.InferOutput<typeof inputSchema>
