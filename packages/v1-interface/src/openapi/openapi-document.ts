import {
  checkOptions,
  choice,
  type GenerationService,
  optional,
  type OptionTable,
  type OutputVariants,
  type PluginRoute,
} from '@genmount/core'
import type { OpenapiDocument } from '../interface/v1-options.ts'
import type { ModelObject } from '../wire/model-object.ts'
import { createBodies } from './create-bodies.ts'
import { errorResponses, refusals } from './error-responses.ts'
import { headers, parameters } from './headers-and-parameters.ts'
import { operations, uploadOperations, uploadSchemas, withKey } from './operations.ts'
import { wireSchemas } from './wire-schemas.ts'

/** The options of {@link openapiDocument}. */
export interface OpenapiDocumentOptions {
  /**
   * Who may read the document: every client with a key (`'authenticated'`), or every client (`'public'`).
   * @default 'authenticated'
   */
  readonly access?: 'authenticated' | 'public' | undefined
}

const table = {
  access: optional(choice('authenticated', 'public'), 'authenticated'),
} satisfies OptionTable<OpenapiDocumentOptions>

/**
 * The interface as an OpenAPI 3.1 document, with the models of the service and what its plugins add, for the option
 * `openapi` of a handler.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example toNodeHandler(service, { authenticate, openapi: openapiDocument({ access: 'public' }) })
 */
export function openapiDocument(options: OpenapiDocumentOptions = {}): OpenapiDocument {
  const { access } = checkOptions('openapiDocument', options, table)
  return { access, fields: (service, models) => fieldsOf(service, models, access === 'public') }
}

/** @param isPublic whether the document itself can be read without a key */
function fieldsOf(service: GenerationService, models: readonly ModelObject[], isPublic: boolean) {
  const parts = service.openapi()
  const bodies = createBodies(models, Object.assign({}, ...parts.map(({ createFields }) => createFields)))
  const webhooks: object = Object.assign({}, ...parts.map((part) => part.webhooks))
  const { '/v1/openapi.json': ownPath, ...paths } = withBodies(bodies)
  return {
    info: { title: 'Generation jobs', version: '1', description: 'Creates images and videos as jobs.' },
    security: [{ bearer: [] }],
    paths: {
      ...paths,
      ...(service.variants && variantPath(service.variants)),
      ...(service.uploads && uploadOperations),
      ...pathsOfPlugins(service.routes),
      '/v1/openapi.json': isPublic ? { get: { ...ownPath.get, security: [] } } : ownPath,
    },
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: {
      securitySchemes: Object.assign(
        { bearer: { type: 'http', scheme: 'bearer' } },
        ...parts.map(({ securitySchemes }) => securitySchemes),
      ),
      headers,
      parameters,
      responses: errorResponses,
      schemas: Object.assign(
        {},
        ...parts.map(({ schemas }) => schemas),
        bodies,
        wireSchemas,
        service.uploads && uploadSchemas,
      ),
    },
  }
}

/** The path of outputs, where clients can ask for variants of them. */
function variantPath({ parameters: ofVariants }: OutputVariants) {
  const path = '/v1/files/{id}'
  const { get } = operations[path]
  const withVariants = { ...get, parameters: [...(get.parameters ?? []), ...ofVariants] }
  return {
    [path]: {
      get: { ...withVariants, responses: { ...get.responses, ...refusals('not_supported') } },
    },
  }
}

/** The operations of plugins by path and method, with the parameters of the path. */
function pathsOfPlugins(routes: readonly PluginRoute[]) {
  const paths: Record<string, Record<string, object>> = {}
  for (const { path, method, operation } of routes) {
    if (!operation) continue
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const pathItem = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {})
    pathItem[method.toLowerCase()] ??= {
      ...(names.length > 0 && { parameters: names.map(pathParameter) }),
      ...withRefusals(operation()),
    }
  }
  return paths
}

function withRefusals(operation: { readonly responses?: object }) {
  return { ...operation, responses: { ...refusals(...withKey), ...operation.responses } }
}

function pathParameter(name: string) {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

/** Leaves out the creates of a kind of output that no model makes. */
function withBodies(bodies: object) {
  const { '/v1/images/generations': images, '/v1/video/generations': videos, ...others } = operations
  return {
    ...others,
    ...('CreateImage' in bodies && { '/v1/images/generations': images }),
    ...('CreateVideo' in bodies && { '/v1/video/generations': videos }),
  }
}
