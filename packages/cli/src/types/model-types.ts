import type { Model } from '@genmount/client'
import { compile } from 'json-schema-to-typescript'

type Schema = NonNullable<Parameters<typeof compile>[0]>

/**
 * The input types of the models, as the text of a `.d.ts` file that exports `Models` for `createClient<Models>()`. The
 * schemas come from the server. A reference to something outside a schema is never read; its type is `unknown`.
 */
export async function modelTypes(models: readonly Model[]): Promise<string> {
  const properties = models.map(({ id, input_schema: schema, output_kind: kind }) => [
    id,
    schema === null
      ? { type: 'object', description: `Makes one ${kind} or several. The server does not know its fields.` }
      : within(pointer(id), schema),
  ])
  const root = {
    title: 'Models',
    description: 'The inputs of the models of a genmount server by their ids: createClient<Models>({ ... }).',
    type: 'object',
    properties: Object.fromEntries(properties),
    required: models.map(({ id }) => id),
    additionalProperties: false,
  }
  return await compile(root as Schema, 'Models', {
    bannerComment: '// Written by "genmount types": do not edit, but write it again.',
    unknownAny: true,
    $refOptions: { resolve: { external: false, file: false, http: false } },
    style: { semi: false, singleQuote: true, printWidth: 110 },
  })
}

function pointer(id: string): string {
  return `#/properties/${encodeURIComponent(id.replaceAll('~', '~0').replaceAll('/', '~1'))}`
}

/** Rewrites the references inside one model's schema for its place in the schema of all models. */
function within(root: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => within(root, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => typeof item !== 'string' || isOfPart(name, item))
      .map(([name, item]) => [
        name,
        name === '$ref' && typeof item === 'string' ? item.replace(/^#/, root) : within(root, item),
      ]),
  )
}

/**
 * Omits names that the server chose, because they could clash; "$schema", which belongs to the whole; and references to
 * other documents, which are not read.
 */
function isOfPart(name: string, text: string): boolean {
  return name === '$ref' ? text.startsWith('#') : !['$schema', '$id', 'title'].includes(name)
}
