import { recordOf } from '@genmount/provider-kit'
import { inputFiles, inputTypes } from './input-files.ts'
import type { InputPlaces, InputType, Workflow, WorkflowInput } from './workflow.ts'

/**
 * Checks the places of the inputs, and fills in the type and limits of the first place of each.
 * @throws TypeError that names the option, when a place is not in the workflow or one of its fields is not valid
 */
export function inputPlaces(
  name: string,
  inputs: Readonly<Record<string, unknown>>,
  workflow: Workflow,
): InputPlaces {
  const places = Object.entries(inputs).map(([field, placed]) => {
    const option = `${name}.${field}`
    const [first, ...others] = [placed].flat() as WorkflowInput[]
    if (!first) throw new TypeError(`${option} must be a place { node, field } or a list of them.`)
    for (const place of [first, ...others]) checkPlace(option, place, workflow)
    return [field, [withDefaults(option, field, first, workflow), ...others]] as const
  })
  if (places.length > 0) return new Map(places)
  throw new TypeError(`${name} must name at least one input, such as prompt: { node: '6', field: 'text' }.`)
}

function checkPlace(option: string, place: WorkflowInput, workflow: Workflow): void {
  const { node, field, value } = recordOf(place) as Partial<WorkflowInput>
  const step = Object.hasOwn(workflow, String(node)) ? workflow[String(node)] : undefined
  if (!step) throw new TypeError(`${option}: the workflow has no node ${JSON.stringify(node)}.`)
  if (typeof field !== 'string' || field === '')
    throw new TypeError(`${option}.field must name an input of node ${node}.`)
  if (Array.isArray(step.inputs[field]))
    throw new TypeError(
      `${option}: ${field} of node ${node} is connected to another node, so it cannot get a value.`,
    )
  if (value !== undefined && typeof value !== 'function')
    throw new TypeError(`${option}.value must be a function.`)
}

function withDefaults(option: string, name: string, place: WorkflowInput, workflow: Workflow): WorkflowInput {
  const type = place.type ?? usualType(name, place, workflow)
  if (!type || !inputTypes.includes(type))
    throw new TypeError(`${option}.type must be one of ${inputTypes.join(', ')}.`)
  const { choices, required = name === 'prompt' || inputFiles({ type })?.isList === false } = place
  if (choices !== undefined && !(Array.isArray(choices) && choices.length > 0))
    throw new TypeError(`${option}.choices must be a list with at least one text or number.`)
  const { min, max } = { ...usualBounds[name], ...place }
  for (const bound of [min, max])
    if (bound !== undefined && !Number.isFinite(bound))
      throw new TypeError(`${option}.min and ${option}.max must be numbers.`)
  return { ...place, type, required, min, max }
}

const usualBounds: Readonly<Record<string, Pick<WorkflowInput, 'min' | 'max'>>> = {
  seed: { min: 0, max: 4294967295 },
  num_outputs: { min: 1 },
}

/** The nodes that load files: for each, the field with the file name, and the type of the file. */
const loaders = [
  ['LoadImage', 'image', 'image'],
  ['LoadVideo', 'file', 'video'],
  ['LoadAudio', 'audio', 'audio'],
] as const

function usualType(name: string, { node, field }: WorkflowInput, workflow: Workflow): InputType | undefined {
  const { class_type = '', inputs = {} } = workflow[node] ?? {}
  const file = loaders.find(([loader, of]) => class_type.startsWith(loader) && of === field)?.[2]
  if (file && file !== 'audio' && name === `reference_${file}s`) return `${file}s`
  if (file) return file
  if (name in usualBounds) return 'integer'
  const types: Partial<Record<string, InputType>> = { string: 'text', number: 'number', boolean: 'boolean' }
  return types[typeof inputs[field]]
}
