import type { OutputKind } from '@genmount/core'
import { recordOf } from '@genmount/provider-kit'

/** A part of a model's JSON Schema, in the words of OpenAPI 3.0, in which nothing refers to another place. */
export interface SchemaPart {
  /** The type, such as `object` or `string`. */
  readonly type?: string | undefined
  /** The only values. */
  readonly enum?: readonly unknown[] | undefined
  /** The properties of an object. */
  readonly properties?: Readonly<Record<string, SchemaPart>> | undefined
  /** The properties that an object must have. */
  readonly required?: readonly string[] | undefined
  /** The items of a list. */
  readonly items?: SchemaPart | undefined
  /** The forms of which a value has one, or several. */
  readonly anyOf?: readonly SchemaPart[] | undefined
  /** The smallest number. */
  readonly minimum?: number | undefined
  /** The largest number. */
  readonly maximum?: number | undefined
  /** The fewest characters of a text. */
  readonly minLength?: number | undefined
  /** The most characters of a text. */
  readonly maxLength?: number | undefined
  /** The fewest items of a list. */
  readonly minItems?: number | undefined
  /** The most items of a list. */
  readonly maxItems?: number | undefined
  /** Whether an object may have properties that are not named here. */
  readonly additionalProperties?: boolean | undefined
  /** An input that the model accepts. Where the schema has two places for the same thing, the one of the example counts. */
  readonly example?: unknown
  /** What each of the models that share the schema takes of the choices. */
  readonly 'x-comfy-model-resolutions'?: Readonly<Record<string, readonly string[]>> | undefined
}

/** What the Router publishes about a model. */
export interface PublishedModel {
  /** What the model takes; `undefined` when Comfy has not written it down, and the partner alone decides. */
  readonly input: SchemaPart | undefined
  /** What the model makes; `undefined` for anything but images and films, and when it is not said. */
  readonly outputKind: OutputKind | undefined
}

/** The most levels of a schema that are read. */
const maxDepth = 8

/**
 * Reads the OpenAPI document of a model: `GET /v2/models/{provider}/{model}/openapi.json`.
 * @see https://docs.comfy.org/development/comfy-router/schemas
 * @returns `undefined` when it is no such document
 */
export function publishedModel(document: unknown): PublishedModel | undefined {
  const { paths, components, ...about } = recordOf(document)
  const operation = Object.values(recordOf(paths)).map((path) => recordOf(recordOf(path)['post']))[0]
  const { content } = recordOf(operation?.['requestBody'])
  const { schema } = recordOf(recordOf(content)['application/json'])
  if (schema === undefined) return undefined
  const kinds = [about['x-comfy-router-output-modalities']].flat()
  return {
    input:
      about['x-comfy-input-schema-authored'] === false
        ? undefined
        : partOf(schema, recordOf(recordOf(components)['schemas'])),
    outputKind: (['video', 'image'] as const).find((kind) => kinds.includes(kind)),
  }
}

function partOf(value: unknown, named: Readonly<Record<string, unknown>>, depth = 0): SchemaPart {
  const part = recordOf(value)
  const { $ref, allOf, anyOf, oneOf, items, properties, nullable: _, description: __, ...own } = part
  if (depth > maxDepth) return {}
  const read = (other: unknown) => partOf(other, named, depth + 1)
  if (typeof $ref === 'string') return read(named[$ref.split('/').at(-1) ?? ''])
  const whole = [allOf ?? []].flat().map(read)
  const choices = [anyOf ?? oneOf ?? []].flat().map(read)
  return {
    ...Object.assign({}, ...whole),
    ...own,
    ...(choices.length > 0 && { anyOf: choices }),
    ...(items !== undefined && { items: read(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(recordOf(properties))
          .filter(([name]) => /^[a-z]\w*$/i.test(name))
          .map(([name, property]) => [name, read(property)]),
      ),
    }),
  }
}
