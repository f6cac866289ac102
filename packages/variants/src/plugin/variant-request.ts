import { GenerationError } from '@genmount/core'
import * as v from 'valibot'

/** The widths of variants, in pixels. A width that a client asks for is rounded up to one of them. */
const widths = [64, 128, 256, 512, 1024, 2048] as const
const widest = 2048

/** The formats of variants. */
const formats = ['webp', 'jpeg', 'png', 'avif'] as const

/** A format of variants. */
export type VariantFormat = (typeof formats)[number]

/** The variant that a request asks for. */
export interface VariantRequest {
  /** One of the widths, in pixels: the largest one when the request names none. */
  readonly width: number
  /** @default that of the output */
  readonly format: VariantFormat | undefined
  /** Whether the first frame of a film is asked for. */
  readonly isPoster: boolean
}

const widthFault = `width must be a whole number of pixels from 1 to ${widest}, such as 512. It is rounded up to ${widths.join(', ')}.`
const formatFault = `format must be ${formats.join(' or ')}.`

const Width = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, widthFault),
  v.transform(Number),
  v.minValue(1, widthFault),
  v.maxValue(widest, widthFault),
  v.transform((width) => widths.find((step) => width <= step) ?? widest),
)
const Format = v.picklist(formats, formatFault)
const Poster = v.pipe(
  v.picklist(['', 'true', 'false'], 'poster must be true or false, or have no value, which means true.'),
  v.transform((poster) => poster !== 'false'),
)

/**
 * Reads a query.
 * @returns `undefined` when it asks for no variant
 * @throws GenerationError `invalid_request` that names the parameter and says what is accepted
 */
export function readVariantRequest(query: URLSearchParams): VariantRequest | undefined {
  const width = valueOf(query, 'width', Width)
  const format = valueOf(query, 'format', Format)
  const isPoster = valueOf(query, 'poster', Poster) ?? false
  if (width === undefined && format === undefined && !isPoster) return undefined
  return { width: width ?? widest, format, isPoster }
}

function valueOf<Value>(
  query: URLSearchParams,
  name: string,
  schema: v.GenericSchema<string, Value>,
): Value | undefined {
  const values = query.getAll(name)
  if (values.length === 0) return undefined
  const result = v.safeParse(schema, values[0])
  if (result.success && values.length === 1) return result.output
  const message = result.success ? `${name} may be given only once.` : result.issues[0].message
  throw new GenerationError('invalid_request', message, { param: name })
}

/** The format of variants that files of this type have. @returns WebP for other types, which can be transparent too */
export function formatOf(contentType: string | undefined): VariantFormat {
  return formats.find((format) => contentType === `image/${format}`) ?? 'webp'
}

const parameter = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  schema,
})

/** The parameters in the words of OpenAPI. @param hasPosters whether films have posters */
export function parametersOf(hasPosters: boolean): readonly object[] {
  return hasPosters ? [...ofPictures, ofFilms] : ofPictures
}

const ofFilms = parameter('poster', 'Asks for the first frame of a film, as a picture.', { type: 'boolean' })

const ofPictures: readonly object[] = [
  parameter(
    'width',
    `The width of the picture, in pixels, rounded up to ${widths.join(', ')}. It is never enlarged. Without it, the output has its own width, if that is not larger.`,
    { type: 'integer', minimum: 1, maximum: widest },
  ),
  parameter('format', 'The format of the picture. Without it, the output has its own format.', {
    type: 'string',
    enum: formats,
  }),
]
