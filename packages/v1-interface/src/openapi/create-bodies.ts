import type { JsonSchema } from '../models/input-json-schema.ts'
import type { ModelObject } from '../wire/model-object.ts'
import { metadata } from './wire-schemas.ts'

type Schemas = Readonly<Record<string, JsonSchema>>
type Named = ModelObject & { readonly name: string }

/**
 * The bodies of creates. Each model has a body: its input and its id as `model`. Each kind of output has a body too, in
 * which `model` decides the other fields. A kind of output without a model has no body.
 * @param fields the schemas of the fields that plugins add, by their names
 */
export function createBodies(models: readonly ModelObject[], fields: object): Schemas {
  const beside = { metadata, ...fields }
  const named = withNames(models)
  const unions = [
    ['Create', named],
    ['CreateImage', named.filter(({ output_kind }) => output_kind === 'image')],
    ['CreateVideo', named.filter(({ output_kind }) => output_kind === 'video')],
  ] as const
  return Object.fromEntries([
    ...named.flatMap((model) => schemasOf(model, beside)),
    ...unions.filter(([, some]) => some.length > 0).map(([name, some]) => [name, oneOf(some)]),
  ])
}

/**
 * Gives each model a name that is valid for a component. The names differ in their letters and digits, because generators make
 * names of types of these alone.
 */
function withNames(models: readonly ModelObject[]): readonly Named[] {
  const letters = (name: string) => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()
  const taken = new Set(['CreateImage', 'CreateVideo'].map(letters))
  return models.map((model) => {
    const plain = `Create_${model.id.replaceAll(/[^\w.-]/g, '_')}`
    let name = plain
    for (let n = 2; taken.has(letters(name)); n++) name = `${plain}_${n}`
    taken.add(letters(name))
    return { ...model, name }
  })
}

function oneOf(models: readonly Named[]): JsonSchema {
  const [{ name: first } = { name: '' }, ...others] = models
  // Generators make no type of a union of one, or make its only type twice.
  if (others.length === 0) return { $ref: refTo(first) }
  return {
    oneOf: models.map(({ name }) => ({ $ref: refTo(name) })),
    discriminator: {
      propertyName: 'model',
      mapping: Object.fromEntries(models.map(({ id, name }) => [id, refTo(name)])),
    },
  }
}

/**
 * The body of a create with this model, and the parts of its input to which it refers (`#/$defs/…`). Each part is a component too,
 * because generators refuse references into a component.
 */
function schemasOf({ id, name, input_schema }: Named, beside: object): [string, JsonSchema][] {
  const { $schema: _, $defs = {}, ...input }: JsonSchema = input_schema ?? {}
  const parts = Object.entries($defs as object).map(([part, schema], index) => ({
    place: `#/$defs/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    component: `Part_${index + 1}_of_${name}`,
    schema,
  }))
  const moved = (ref: string) => {
    const part = parts.find(({ place }) => ref === place || ref.startsWith(`${place}/`))
    return part ? refTo(part.component) + ref.slice(part.place.length) : refTo(name) + ref.slice(1)
  }
  const fields = { model: { type: 'string', enum: [id] }, ...beside }
  return [
    [name, withFields(withRefs(moved, input) as JsonSchema, fields)],
    ...parts.map(({ component, schema }): [string, JsonSchema] => [
      component,
      withRefs(moved, schema) as JsonSchema,
    ]),
  ]
}

/** Adds the fields that a create has besides its input, even if the schema refuses unknown fields. */
function withFields(schema: JsonSchema, fields: object): JsonSchema {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: object
    readonly required?: readonly string[]
  }
  const changed: Record<string, unknown> = { ...schema, type: 'object' }
  for (const key of ['oneOf', 'anyOf', 'allOf']) {
    const branches = schema[key]
    if (Array.isArray(branches)) changed[key] = branches.map((branch) => withFields(branch, fields))
  }
  return { ...changed, properties: { ...properties, ...fields }, required: ['model', ...required] }
}

/** The schema with its references to parts of itself changed for its new place. */
function withRefs(moved: (ref: string) => string, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withRefs(moved, part))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? moved(value)
        : withRefs(moved, value),
    ]),
  )
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`
}
