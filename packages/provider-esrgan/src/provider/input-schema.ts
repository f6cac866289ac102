import { choiceField, closedInput, pictureField } from '@genmount/provider-kit'
import * as v from 'valibot'

/** The types of pictures that can be enlarged. No other type is ever decoded, in particular not SVG. */
export const pictureTypes = ['png', 'jpeg', 'webp', 'gif'] as const

/** The input of both models. */
export const inputSchema = closedInput({
  image: pictureField('image', { types: pictureTypes }),
  format: v.optional(choiceField('format', ['png', 'webp', 'jpeg']), 'png'),
})

export type EsrganInput = v.InferOutput<typeof inputSchema>
