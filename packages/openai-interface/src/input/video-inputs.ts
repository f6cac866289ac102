import { GenerationError, type JsonObject, type Model } from '@genmount/core'
import type { Order } from '../calls/create-call.ts'
import { modelFields, type ModelField } from '../models/model-fields.ts'
import { type InputContext, pictureInput, promptOf, sharedFields } from './model-input.ts'
import { mediaField, type RequestFields, textField } from './request-fields.ts'
import { chosenSize, nearestNumber } from './size.ts'

/** The fields that this file reads. The others are the model's. */
const own: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'seconds',
  'size',
  'input_reference',
  'user',
  'video',
])

const durationFields = ['duration', 'seconds', 'duration_seconds']
const filmFields = ['video', 'video_url', 'input_video']

/** Reads a request for a film. @throws GenerationError that names the field */
export function videoOrder(fields: RequestFields, context: InputContext): Order {
  const model = context.modelOf(fields, 'video')
  return orderOf(
    fields,
    model,
    pictureInput(mediaField(fields, 'input_reference'), 'input_reference', model),
    context,
  )
}

/**
 * Reads a request that changes a film.
 * @param film the film, as the model gets it
 * @throws GenerationError that names the field; `invalid_request` when the model does not take a film
 */
export function changedVideoOrder(
  fields: RequestFields,
  model: Model,
  film: string,
  context: InputContext,
): Order {
  return orderOf(fields, model, { [filmField(model)]: film }, context)
}

/** The field of the model that takes a film. @throws GenerationError `invalid_request` when it has none */
export function filmField(model: Model): string {
  const name = filmFields.find((candidate) => modelFields(model)?.has(candidate))
  if (name !== undefined) return name
  const message = `The model ${model.id} does not take a film, so it can't change one. Choose another model with the field model.`
  throw new GenerationError('invalid_request', message, { param: 'model' })
}

function orderOf(
  fields: RequestFields,
  model: Model,
  media: Readonly<Record<string, unknown>>,
  context: InputContext,
): Order {
  const input = {
    prompt: promptOf(fields),
    ...chosenSize(textField(fields, 'size'), modelFields(model)).fields,
    ...durationInput(fields, model),
    ...media,
    ...sharedFields(fields, model, own, context),
  }
  return { model, inputs: [input] }
}

/** The nearest duration that the model has. */
function durationInput(fields: RequestFields, model: Model): Record<string, string | number> {
  const value = fields.get('seconds')
  if (value === undefined) return {}
  const seconds = Number(value)
  if (!(seconds > 0 && Number.isFinite(seconds)) || !['string', 'number'].includes(typeof value))
    throw new GenerationError('invalid_request', 'seconds must be a number of seconds, such as "8".', {
      param: 'seconds',
    })
  for (const name of durationFields) {
    const field = modelFields(model)?.get(name)
    if (field) return { [name]: nearestDuration(seconds, field) }
  }
  return {}
}

function nearestDuration(seconds: number, field: ModelField): string | number {
  const texts = field.choices?.filter((choice) => typeof choice === 'string') ?? []
  if (texts.length === 0) return field.takesNumber ? nearestNumber(seconds, field) : String(seconds)
  const distance = (text: string) => Math.abs(Number.parseFloat(text) - seconds)
  return texts.toSorted((one, other) => distance(one) - distance(other))[0]!
}

/** The duration of a film in seconds, as its input says it. */
export function secondsIn(input: JsonObject): string {
  const name = durationFields.find((candidate) => input[candidate] !== undefined)
  return name === undefined ? '' : String(Number.parseFloat(String(input[name])))
}
