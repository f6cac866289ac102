import { GenerationError, type Model, type OutputKind } from '@genmount/core'
import { type ModelField, modelFields, type ModelFields } from '../models/model-fields.ts'
import { mediaField, type RequestFields, textField } from './request-fields.ts'

/** What the inputs of all routes are made with. */
export interface InputContext {
  /** Finds the model of a request. @throws GenerationError `missing_field`, `model_not_found` or `wrong_output_kind` */
  modelOf(fields: RequestFields, outputKind: OutputKind): Model
  /**
   * Decides about the fields that neither OpenAI's API nor the model has.
   * @throws GenerationError `invalid_request` if they are to be refused
   */
  dropUnknown(names: readonly string[]): void
}

/** The names by which models call a field of OpenAI's API, the project's own first. */
const namesInModels: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    quality: ['quality'],
    style: ['style'],
    background: ['background'],
    output_format: ['format', 'output_format'],
    output_compression: ['output_compression'],
    moderation: ['moderation'],
    input_fidelity: ['input_fidelity'],
    complexity: ['complexity'],
    frame_count: ['frame_count'],
    frame_duration_ms: ['frame_duration_ms'],
    svg: ['svg'],
  }),
)

/**
 * The fields of a request that the model has too, in the model's words. `auto` leaves the choice to a model that has no
 * such value. A field of OpenAI's API that the model does not have is left out; so is every other field that it does not
 * have, as the app has decided.
 * @param own the fields that the route itself reads
 */
export function sharedFields(
  fields: RequestFields,
  model: Model,
  own: ReadonlySet<string>,
  { dropUnknown }: InputContext,
): Record<string, unknown> {
  const has = modelFields(model)
  const input: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [name, value] of fields) {
    if (own.has(name)) continue
    const names = namesInModels.get(name)
    const inModel = (names ?? [name]).find((candidate) => has?.has(candidate))
    if (inModel === undefined) {
      if (!names) unknown.push(name)
      continue
    }
    const field = has!.get(inModel)!
    const settled = settledValue(typedValue(value, field), field.choices)
    if (settled !== undefined) input[inModel] = settled
  }
  dropUnknown(unknown)
  return input
}

/** In a form, numbers and flags are texts: the value as the model takes it. */
function typedValue(value: unknown, { takesText, takesNumber, takesFlag }: ModelField): unknown {
  if (typeof value !== 'string' || takesText) return value
  if (takesNumber && /\d/.test(value) && Number.isFinite(Number(value))) return Number(value)
  return takesFlag && /^(?:true|false)$/.test(value) ? value === 'true' : value
}

/** What OpenAI's earlier models called a quality, in the words of its present ones. */
const earlierWords: ReadonlyMap<unknown, string> = new Map([
  ['standard', 'medium'],
  ['hd', 'high'],
])

/**
 * A value in the model's own words.
 * @param choices the values that the model accepts, if they are listed
 * @returns `undefined` for a value that leaves the choice to a model that has no such value
 */
function settledValue(value: unknown, choices: readonly unknown[] | undefined): unknown {
  if (choices?.includes(value)) return value
  const word = earlierWords.get(value)
  if (word !== undefined && choices?.includes(word)) return word
  return value === 'auto' || (value === 'standard' && choices !== undefined) ? undefined : value
}

/** @throws GenerationError `missing_field` or `invalid_request` */
export function promptOf(fields: RequestFields): string {
  const prompt = textField(fields, 'prompt')
  if (prompt !== undefined) return prompt
  throw new GenerationError('missing_field', 'prompt is missing.', { param: 'prompt' })
}

/** Fields of models that take pictures, the one for several first if there are several. */
const pictureFields = [
  'image',
  'images',
  'input_image',
  'input_images',
  'image_url',
  'image_urls',
  'first_frame',
]
/** Further pictures, for models whose first field takes one. */
const furtherFields = ['reference_images', 'images']

/**
 * Puts pictures into the fields of the model.
 * @throws GenerationError `invalid_request` when the model has no room for them
 */
export function pictureInput(
  pictures: readonly string[],
  name: string,
  model: Model,
): Record<string, string | readonly string[]> {
  const [first, ...others] = pictures
  if (first === undefined) return {}
  const fields = modelFields(model)
  if (!fields) return { image: others.length === 0 ? first : pictures }
  const candidates = pictureFields.filter((candidate) => fields.has(candidate))
  if (others.length === 0) {
    const single = candidates.find((candidate) => fields.get(candidate)!.takesText)
    if (single) return { [single]: first }
  }
  const roomy = [...candidates, ...furtherFields].find((candidate) => isRoomy(fields, candidate, pictures))
  if (roomy) return { [roomy]: pictures }
  const [main] = candidates
  const further = furtherFields.find((candidate) => isRoomy(fields, candidate, others))
  if (main && further && further !== main) return { [main]: first, [further]: others }
  const count = pictures.length === 1 ? 'a picture' : `${pictures.length} pictures`
  throw new GenerationError('invalid_request', `${name}: The model ${model.id} does not take ${count}.`, {
    param: name,
  })
}

function isRoomy(fields: ModelFields, name: string, pictures: readonly string[]): boolean {
  const { list } = fields.get(name) ?? {}
  return list !== undefined && list.maxItems >= pictures.length
}

/** The pictures that say where to edit, each with the names by which models call it. */
const guides = { mask: ['mask', 'mask_image', 'mask_url'], markup: ['markup'] } as const

/** The mask and the markup in the fields of the model. @throws GenerationError `invalid_request` when the model has none */
export function maskInput(fields: RequestFields, model: Model): Record<string, string> {
  const has = modelFields(model)
  const input: Record<string, string> = {}
  for (const [name, names] of Object.entries(guides)) {
    const [picture] = mediaField(fields, name)
    if (picture === undefined) continue
    const inModel = has ? names.find((candidate) => has.has(candidate)) : name
    if (inModel === undefined)
      throw new GenerationError(
        'invalid_request',
        `${name}: The model ${model.id} does not take a ${name}.`,
        {
          param: name,
        },
      )
    input[inModel] = picture
  }
  return input
}
