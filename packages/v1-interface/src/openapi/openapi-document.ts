import type { GenerationService, PluginRoute } from '@genmount/core'
import type { ModelObject } from '../wire/model-object.ts'
import { createBodies } from './create-bodies.ts'
import { errorResponses, refusals } from './error-responses.ts'
import { headers, parameters } from './headers-and-parameters.ts'
import { operations, uploadOperations, uploadSchemas, withKey } from './operations.ts'
import { wireSchemas } from './wire-schemas.ts'

/**
 * The interface with these models as an OpenAPI 3.1 document, without its first fields `openapi` and `servers`.
 * @param service the service behind the interface, whose plugins add to it
 * @param isPublic whether the document itself can be read without a key
 */
export function openapiDocument(
  models: readonly ModelObject[],
  service: Pick<GenerationService, 'openapi' | 'routes' | 'uploads'>,
  isPublic: boolean,
) {
  const parts = service.openapi()
  const bodies = createBodies(models, Object.assign({}, ...parts.map(({ createFields }) => createFields)))
  const webhooks: object = Object.assign({}, ...parts.map((part) => part.webhooks))
  const { '/v1/openapi.json': ownPath, ...paths } = withBodies(bodies)
  return {
    info: { title: 'Generation jobs', version: '1', description: 'Creates images and videos as jobs.' },
    security: [{ bearer: [] }],
    paths: {
      ...paths,
      ...(service.uploads && uploadOperations),
      ...pathsOfPlugins(service.routes),
      '/v1/openapi.json': isPublic ? { get: { ...ownPath.get, security: [] } } : ownPath,
    },
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
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
