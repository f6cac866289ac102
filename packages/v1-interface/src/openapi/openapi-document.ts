import type { PluginRoute } from '@genmount/core'
import type { ModelObject } from '../wire/model-object.ts'
import { createBodies } from './create-bodies.ts'
import { errorResponses } from './error-responses.ts'
import { headers, parameters } from './headers-and-parameters.ts'
import { refusals } from './error-responses.ts'
import { operations, uploadOperations, uploadSchemas, withKey } from './operations.ts'
import { webhookOperations } from './webhook-operations.ts'
import { wireSchemas } from './wire-schemas.ts'

/** The parts of the interface that a document shows. */
interface ShownParts {
  readonly isPublic: boolean
  readonly takesUploads: boolean
  readonly hasWebhooks: boolean
  /** What the plugins add. */
  readonly routes: readonly PluginRoute[]
}

/**
 * The interface with these models as an OpenAPI 3.1 document, without its first fields `openapi` and `servers`.
 * @param options `isPublic`: whether the document itself can be read without a key. `takesUploads`: whether clients can
 *   upload files. `hasWebhooks`: whether clients may set a webhook
 */
export function openapiDocument(
  models: readonly ModelObject[],
  { isPublic, takesUploads, hasWebhooks, routes }: ShownParts,
) {
  const bodies = createBodies(models, hasWebhooks)
  const { '/v1/openapi.json': ownPath, '/v1/jobs/{id}/deliveries': deliveries, ...paths } = withBodies(bodies)
  const { DeliveryList, ...schemas } = wireSchemas
  return {
    info: { title: 'Generation jobs', version: '1', description: 'Creates images and videos as jobs.' },
    security: [{ bearer: [] }],
    paths: {
      ...paths,
      ...(takesUploads && uploadOperations),
      ...(hasWebhooks && { '/v1/jobs/{id}/deliveries': deliveries }),
      ...pathsOfPlugins(routes),
      '/v1/openapi.json': isPublic ? { get: { ...ownPath.get, security: [] } } : ownPath,
    },
    ...(hasWebhooks && { webhooks: webhookOperations }),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      headers,
      parameters,
      responses: errorResponses,
      schemas: {
        ...bodies,
        ...schemas,
        ...(takesUploads && uploadSchemas),
        ...(hasWebhooks && { DeliveryList }),
      },
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
