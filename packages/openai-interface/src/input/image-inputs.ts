import { GenerationError, type Model } from '@genmount/core'
import { modelFields } from '../models/model-fields.ts'
import { type InputContext, maskInput, pictureInput, promptOf, sharedFields } from './model-input.ts'
import {
  choiceField,
  flagField,
  mediaField,
  numberField,
  type RequestFields,
  textField,
} from './request-fields.ts'
import { chosenSize } from './size.ts'

/** What a request for pictures asks for. */
export interface ImageOrder {
  readonly model: Model
  /** The input of each job. All jobs together make as many pictures as the client wants. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  /** How the client wants the pictures. */
  readonly form: 'url' | 'b64_json'
  /** Whether the client wants events instead of one answer. */
  readonly isStream: boolean
  /** How many previews the client wants at most. */
  readonly previews: number
  /** What the answer repeats: the size that was chosen, and the settings of the request. */
  readonly echo: Readonly<Record<'size' | 'quality' | 'background' | 'output_format', string | undefined>>
}

/** The fields that this file reads. The others are the model's. */
const own: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'n',
  'size',
  'response_format',
  'stream',
  'partial_images',
  // They name the client's own user, for OpenAI's search for abuse. No vendor gets them from here.
  'user',
  'safety_identifier',
  'image',
  'images',
  'mask',
  'markup',
])

/** The names by which models call the number of pictures. */
const countFields = ['num_outputs', 'n', 'num_images', 'number_of_images']

/**
 * Reads a request for pictures.
 * @param isEdit whether the request has pictures to edit
 * @throws GenerationError that names the field
 */
export function imageOrder(fields: RequestFields, isEdit: boolean, context: InputContext): ImageOrder {
  const model = context.modelOf(fields, 'image')
  const count = numberField(fields, 'n', 1, 10) ?? 1
  const { fields: sizeInput, size } = chosenSize(textField(fields, 'size'), modelFields(model))
  const input = {
    prompt: promptOf(fields),
    ...sizeInput,
    ...sharedFields(fields, model, own, context),
    // Some programs send a picture to the path for new ones. A picture that is paid for must not leave it out.
    ...((isEdit || fields.has('image') || fields.has('images')) && editInput(fields, model)),
  }
  const isStream = flagField(fields, 'stream')
  return {
    model,
    inputs: spread(input, count, model),
    form: choiceField(fields, 'response_format', ['url', 'b64_json']) ?? usualForm(fields),
    isStream,
    previews: numberField(fields, 'partial_images', 0, 3) ?? 0,
    echo: {
      size,
      quality: settled(textField(fields, 'quality')),
      background: settled(textField(fields, 'background')),
      output_format: textField(fields, 'output_format'),
    },
  }
}

/**
 * How the client expects its pictures if it does not say it. OpenAI's DALL·E models gave links, and the models since give
 * base64. Programs that were written for DALL·E read only links, and ask for an alias with its name.
 */
function usualForm(fields: RequestFields): 'url' | 'b64_json' {
  return textField(fields, 'model')?.startsWith('dall-e-') ? 'url' : 'b64_json'
}

function editInput(fields: RequestFields, model: Model): Record<string, unknown> {
  const name = fields.has('images') ? 'images' : 'image'
  const pictures = mediaField(fields, name)
  if (pictures.length === 0)
    throw new GenerationError('missing_field', 'image is missing.', { param: 'image' })
  return { ...pictureInput(pictures, name, model), ...maskInput(fields, model) }
}

/** Spreads pictures over jobs, if the model makes fewer in one job than the client wants. */
function spread(input: Record<string, unknown>, count: number, model: Model): Record<string, unknown>[] {
  const fields = modelFields(model)
  const name = countFields.find((candidate) => fields?.get(candidate)?.takesNumber)
  const field = name === undefined ? undefined : fields?.get(name)
  const listed = (field?.choices ?? []).map(Number)
  const most =
    name === undefined ? 1 : Math.min(count, listed.length ? Math.max(...listed) : (field?.maximum ?? count))
  const jobs: Record<string, unknown>[] = []
  for (let left = count; left > 0; left -= most)
    jobs.push(name === undefined || count === 1 ? input : { ...input, [name]: Math.min(most, left) })
  return jobs
}

/** A setting, unless it leaves the choice to the model. */
function settled(value: string | undefined): string | undefined {
  return value === 'auto' ? undefined : value
}
