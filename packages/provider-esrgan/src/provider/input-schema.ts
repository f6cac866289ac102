import { closedInput, field } from '@genmount/provider-kit'
import * as v from 'valibot'

/** The types of pictures that can be enlarged. No other type is ever decoded, in particular not SVG. */
export const pictureTypes = ['png', 'jpeg', 'webp', 'gif'] as const

/** The input of both models. */
export const inputSchema = closedInput({
  image: field.picture('image', { types: pictureTypes }),
  format: v.optional(field.choice('format', ['png', 'webp', 'jpeg']), 'png'),
})

export type EsrganInput = v.InferOutput<typeof inputSchema>
