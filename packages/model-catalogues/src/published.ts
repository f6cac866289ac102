import { checkKnownWords } from './known-words.ts'
import type { ReadDocument } from './documents.ts'
import { readLlmsTxt } from './read-llms-txt.ts'
import { operationInput, replicateInput } from './read-openapi.ts'
import type { VendorSchema } from './vendor-schema.ts'

/** What a vendor publishes about a model today. */
export interface Published {
  readonly schema: VendorSchema
  /** Where the schema is. */
  readonly source: string
  /** What the model costs, in the vendor's words. `undefined` when the vendor publishes no price in a form that can be read. */
  readonly price?: string | undefined
}

/** How the documents of a vendor are read. */
export interface PublishedVendor {
  /** The variable with the key that its documents need. */
  readonly key?: string
  /** The models that the vendor lists. Absent when only wanted models are read. */
  list?(read: ReadDocument): Promise<readonly string[]>
  /** @returns `undefined` when there is no document of the model. @throws Error about a shape that is unknown */
  read(read: ReadDocument, model: string): Promise<Published | undefined>
}

const { env } = process

/** The vendors whose documents the job reads. */
export const publishedVendors = {
  fal: {
    async read(read, model) {
      const page = await read(`https://fal.ai/models/${model}/llms.txt`)
      const source = `https://fal.ai/api/openapi/queue/openapi.json?endpoint_id=${model}`
      const document = await read(source)
      const said = page === undefined ? undefined : readLlmsTxt(page, model)
      if (document === undefined)
        return said && { ...said, source: `https://fal.ai/models/${model}/llms.txt` }
      return { schema: operationInput(checked(document)), source, price: said?.price }
    },
  },
  replicate: {
    key: 'REPLICATE_API_TOKEN',
    async read(read, model) {
      const source = `https://api.replicate.com/v1/models/${model.replace(/:.*/, '')}`
      const document = await read(source, { authorization: `Bearer ${env['REPLICATE_API_TOKEN']}` })
      return document === undefined ? undefined : { schema: replicateInput(checked(document)), source }
    },
  },
  'comfy-router': {
    key: 'COMFY_API_KEY',
    async list(read) {
      const ids: string[] = []
      let cursor = ''
      do {
        const page = await read(`https://api.comfy.org/v2/models?limit=50${cursor}`, comfyKey())
        const { data, has_more: more, next_cursor: next } = recordIn(page ?? 'null', 'the list of models')
        if (!Array.isArray(data) || typeof more !== 'boolean' || (more && typeof next !== 'string'))
          throw new Error('The list of models has no data, has_more and next_cursor.')
        ids.push(...data.map(({ id }: { readonly id: string }) => id))
        cursor = more ? `&cursor=${encodeURIComponent(next as string)}` : ''
      } while (cursor !== '')
      return ids
    },
    async read(read, model) {
      const source = `https://api.comfy.org/v2/models/${model}/openapi.json`
      const document = await read(source, comfyKey())
      return document === undefined ? undefined : { schema: operationInput(checked(document)), source }
    },
  },
} satisfies Readonly<Record<string, PublishedVendor>>

function comfyKey() {
  return { 'x-api-key': env['COMFY_API_KEY'] ?? '' }
}

function recordIn(text: string, what: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  throw new Error(`There is no ${what}.`)
}

/** A document whose schemas have known words only. */
function checked(text: string): unknown {
  const document = recordIn(text, 'document')
  const version = document['latest_version'] as
    | { readonly openapi_schema?: { readonly components?: object } }
    | undefined
  const { schemas = {} } = (version?.openapi_schema?.components ?? document['components'] ?? {}) as {
    readonly schemas?: object
  }
  for (const [name, schema] of Object.entries(schemas)) checkKnownWords(schema, name)
  return document
}
