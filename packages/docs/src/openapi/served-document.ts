import { createGenerationService } from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { usage } from '@genmount/core/usage'
import { toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'
import { webhooks } from '@genmount/core/webhooks'
import { signedWebhooks } from '@genmount/webhooks'
import { openapiDocument } from '@genmount/v1-interface/openapi'

/** The parts of a JSON Schema that the site shows. */
export interface ShownSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly properties?: Readonly<Record<string, ShownSchema>>
  readonly required?: readonly string[]
  readonly items?: ShownSchema
  readonly oneOf?: readonly ShownSchema[]
  readonly anyOf?: readonly ShownSchema[]
  readonly additionalProperties?: boolean | ShownSchema
}

/** The content of a request or response: JSON, an event stream or the bytes of a file. */
export type ShownContent = Readonly<Record<string, { readonly schema: ShownSchema }>>

/** A parameter of a request. */
export interface ShownParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: ShownSchema
}

/** A response of the interface. */
export interface ShownResponse {
  readonly $ref?: string
  readonly description?: string
  readonly content?: ShownContent
}

/** One method of one path. */
export interface ShownOperation {
  readonly summary: string
  readonly parameters?: readonly ({ readonly $ref: string } | ShownParameter)[]
  readonly requestBody?: { readonly content: ShownContent }
  readonly responses: Readonly<Record<string, ShownResponse>>
}

/** The parts of a service's OpenAPI document that the site shows. */
export interface ServedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>
  readonly components: {
    readonly parameters: Readonly<Record<string, ShownParameter>>
    readonly responses: Readonly<Record<string, ShownResponse>>
    readonly headers: Readonly<Record<string, { readonly description: string }>>
    readonly schemas: Readonly<Record<string, ShownSchema>>
  }
}

/** @returns what `GET /v1/openapi.json` answers at a service with the embedded models, uploads, usage and webhooks */
export async function servedDocument(): Promise<ServedDocument> {
  const baseUrl = 'https://example.org'
  const service = createGenerationService({
    providers: [proceduralProvider()],
    plugins: [uploads(), usage(), webhooks(signedWebhooks({ baseUrl, secretsOf: () => [] }))],
  })
  const answer = toFetchHandler(service, {
    authenticate: () => null,
    openapi: openapiDocument({ access: 'public' }),
    baseUrl,
  })
  const reply = await answer(new Request(`${baseUrl}/v1/openapi.json`))
  await service.close()
  if (!reply.ok) throw new Error(`GET /v1/openapi.json answers ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as ServedDocument
}
