import assert from 'node:assert/strict'
import { jobFields } from './expect-job.ts'
import { expectReadPath } from './expect-read-path.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { described, quick, quickVideo } from './suite-jobs.ts'

const path = '/v1/openapi.json'

interface OpenapiDocument {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, object>>
  readonly components: { readonly schemas: Readonly<Record<string, any>> }
}

async function documentOf(client: SuiteClient): Promise<OpenapiDocument> {
  const reply = await client.send({ path })
  assert.equal(reply.status, 200, reply.text)
  return JSON.parse(reply.text) as OpenapiDocument
}

export const openapiCases: Cases = {
  'the OpenAPI document is of version 3.1 and names the address of this server': async (client) => {
    const { openapi, servers } = await documentOf(client)
    assert.match(openapi, /^3\.1\./)
    assert.deepEqual(servers, [{ url: client.url('') }])
  },

  'the OpenAPI document has the paths of the interface and the 16 fields of the job object': async (
    client,
  ) => {
    const { paths, components } = await documentOf(client)
    const base = ['generate', 'video/generations', 'images/generations', 'jobs/{id}', 'files/{id}']
    for (const name of [...base, 'models', 'models/{id}', 'openapi.json'])
      assert(`/v1/${name}` in paths, name)
    assert.deepEqual(components.schemas['Job'].required, jobFields)
  },

  'in the OpenAPI document, model decides what else the body of a create has': async (client) => {
    const { components } = await documentOf(client)
    const { propertyName, mapping } = components.schemas['Create'].discriminator
    assert.equal(propertyName, 'model')
    for (const { model } of [quick, quickVideo, described]) {
      const name = String(mapping[model]).replace('#/components/schemas/', '')
      const { properties, required } = components.schemas[name]
      assert.deepEqual(properties.model.enum, [model])
      assert.equal(properties.prompt.type, 'string')
      assert.deepEqual(required, ['model', 'prompt'])
    }
  },

  'the OpenAPI document needs a key, and serves GET, HEAD and OPTIONS': (client) =>
    expectReadPath(client, path),
}
