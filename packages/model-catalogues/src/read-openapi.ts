import type { Property, VendorSchema } from './vendor-schema.ts'

/** A part of an OpenAPI document. */
type Part = Readonly<Record<string, unknown>>

const constraints = [
  'type',
  'enum',
  'required',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'default',
] as const

interface Schemas {
  readonly schemas?: Readonly<Record<string, Part>>
}

/**
 * The input of an endpoint of fal, from the OpenAPI document of its queue, or of a model of the Comfy Router, whose document has the
 * same form: one operation has a body.
 * @throws Error when the document has no input
 */
export function operationInput(document: unknown): VendorSchema {
  const { paths, components } = document as {
    readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody?: unknown } }>>
    readonly components?: Schemas
  }
  const body = Object.values(paths).find(({ post }) => post?.requestBody)?.post?.requestBody
  const { schema } =
    (body as { content: Record<string, { schema: Part }> })?.content?.['application/json'] ?? {}
  if (!schema) throw new Error('The document has no operation with an input.')
  return objectOf(schema, components?.schemas ?? {})
}

/**
 * The input of a model of Replicate, from the answer of `GET /v1/models/{owner}/{name}`.
 * @throws Error when the answer has no schema
 */
export function replicateInput(model: unknown): VendorSchema {
  const { latest_version: version } = model as {
    readonly latest_version?: { readonly openapi_schema?: { readonly components?: Schemas } }
  }
  const schemas = version?.openapi_schema?.components?.schemas
  if (!schemas?.['Input']) throw new Error('The model has no schema of its input.')
  return objectOf(schemas['Input'], schemas)
}

/** A schema of an object without its prose, in which nothing refers to another place. */
function objectOf(schema: Part, schemas: Readonly<Record<string, Part>>): VendorSchema {
  const { properties = {}, required = [], ...rest } = partOf(schema, schemas)
  if (rest.type !== 'object') throw new Error('The input is no object.')
  return { type: 'object', required, additionalProperties: false, properties }
}

function partOf(part: Part, schemas: Readonly<Record<string, Part>>): Property {
  const { $ref, allOf, anyOf, oneOf, items, properties } = part
  if (typeof $ref === 'string') {
    const target = schemas[$ref.split('/').at(-1) ?? '']
    return target ? partOf(target, schemas) : { 'x-unpublished': true }
  }
  const own = Object.fromEntries(
    constraints.flatMap((name) =>
      part[name] === undefined || part[name] === null ? [] : [[name, part[name]]],
    ),
  )
  const parts = (allOf as readonly Part[] | undefined)?.map((other) => partOf(other, schemas)) ?? []
  const whole: Property = { ...Object.assign({}, ...parts), ...own }
  const choices =
    ((anyOf ?? oneOf) as readonly Part[] | undefined)?.map((other) => partOf(other, schemas)) ?? []
  const used = choices.filter(({ type }) => type !== 'null')
  return {
    ...whole,
    ...(used.length === 1 && used[0]),
    ...(used.length > 1 && { anyOf: used }),
    ...(items !== undefined && { items: partOf(items as Part, schemas) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, Part>)
          .filter(([, { deprecated }]) => deprecated !== true)
          .map(([name, property]) => [name, partOf(property, schemas)]),
      ),
    }),
  }
}
