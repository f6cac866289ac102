import type { AnyModels, Client, Model } from '@genmount/client'
import { modelFields } from '@genmount/client/model-fields'
import type { Session } from '../program/session.ts'
import { UsageError } from '../program/usage-error.ts'
import { fieldValue } from './field-value.ts'
import { mediaUrl } from './media-url.ts'

/** The options that become the input of a job. */
export interface InputOptions {
  readonly prompt?: string
  readonly field?: readonly string[]
  readonly image?: readonly string[]
  readonly mask?: string
  readonly video?: string
  readonly audio?: string
}

/**
 * Reads the input for a model. It checks everything before it sends the first file.
 * @throws UsageError that names the option and says what the model accepts
 */
export async function readInput(
  session: Session,
  client: Client<AnyModels>,
  model: Model,
  options: InputOptions,
): Promise<Record<string, unknown>> {
  const { fields, isClosed = false } = modelFields(model) ?? {}
  // Without a prototype, so that a field named __proto__ is sent like any other, and refused by the server.
  const input: Record<string, unknown> = Object.create(null)
  const check = (option: string, name: string) => {
    if (!isClosed || !fields || fields.has(name)) return
    throw new UsageError(
      `${option}: ${model.id} has no field ${name}. It has: ${[...fields.keys()].join(', ')}.`,
    )
  }
  if (options.prompt !== undefined) {
    check('--prompt', 'prompt')
    input['prompt'] = options.prompt
  }
  for (const assignment of options.field ?? []) {
    const at = assignment.indexOf('=')
    if (at < 1) throw new UsageError(`--field ${assignment} must be name=value, such as seed=7.`)
    const name = assignment.slice(0, at)
    check(`--field ${name}`, name)
    input[name] = fieldValue(name, assignment.slice(at + 1), fields?.get(name))
  }

  const media = (['image', 'mask', 'video', 'audio'] as const).flatMap((kind) => {
    const files = [options[kind] ?? []].flat()
    return files.length === 0 ? [] : [{ option: `--${kind}`, ...place(kind, files.length), files }]
  })
  for (const { option, name } of media) check(option, name)
  const [missing] =
    [...(fields ?? [])].find(
      ([name, { isRequired }]) =>
        isRequired && !Object.hasOwn(input, name) && !media.some((medium) => medium.name === name),
    ) ?? []
  if (missing !== undefined)
    throw new UsageError(`${model.id} needs the field ${missing}: give ${optionFor(missing)}.`)
  for (const { option, name, isList, files } of media) {
    const urls: string[] = []
    for (const file of files) urls.push(await mediaUrl(session, client, option, file))
    input[name] = isList ? urls : urls[0]
  }
  return input

  function place(kind: string, count: number): { readonly name: string; readonly isList: boolean } {
    const many = `${kind}s`
    const name = !fields?.has(kind) && fields?.has(many) ? many : kind
    const types = fields?.get(name)?.types ?? new Set()
    if (count > 1 && types.size > 0 && !types.has('array'))
      throw new UsageError(`--${kind}: ${model.id} takes one, and ${count} are given.`)
    return { name, isList: count > 1 || (types.has('array') && !types.has('string')) }
  }
}

function optionFor(field: string): string {
  return ['prompt', 'image', 'mask', 'video', 'audio'].includes(field)
    ? `--${field}`
    : `--field ${field}=VALUE`
}
