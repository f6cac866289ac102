import { recordOf } from '@genmount/provider-kit'
import type { SchemaPart } from './published-model.ts'

/** A place in the body of a request where a value goes. */
export interface SchemaPlace {
  /** The names on the way to it, with a dot between them. A number is the index in a list. */
  readonly path: string
  /** What goes there. */
  readonly part: SchemaPart
  /** Whether the object that has it requires it. */
  readonly isRequired: boolean
}

/** The most objects inside each other. */
const maxDepth = 3

/**
 * The places of a schema, those of its example first, and those that are less deep before the others. Of a list of requests,
 * as Veo has it, the first request counts.
 */
export function schemaPlaces(schema: SchemaPart): readonly SchemaPlace[] {
  const places = placesIn(schema, [], 0).toSorted((one, other) => depthOf(one) - depthOf(other))
  const isShown = ({ path }: SchemaPlace) =>
    path.split('.').reduce<unknown>(valueAt, schema.example) !== undefined
  return [...places.filter(isShown), ...places.filter((place) => !isShown(place))]
}

function placesIn(schema: SchemaPart, way: readonly string[], depth: number): readonly SchemaPlace[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const path = [...way, name]
    const isRequired = schema.required?.includes(name) === true
    const own = { path: path.join('.'), part, isRequired }
    if (depth === maxDepth) return [own]
    const first = part.items?.properties?.['prompt'] ? part.items : undefined
    const inner = first ? placesIn(first, [...path, '0'], depth + 1) : placesIn(part, path, depth + 1)
    return [own, ...inner]
  })
}

function depthOf({ path }: SchemaPlace): number {
  return path.split('.').length
}

function valueAt(value: unknown, name: string): unknown {
  return recordOf(value)[name]
}
