import { expect, test } from 'vitest'
import { initialModules } from '../bench/start-up/initial-modules.ts'
import { pluginsOfCore } from '../layers/layers.ts'
import { printedBy } from '../processes/run-program.ts'

const script = new URL('loaded-modules.ts', import.meta.url)

async function served(broken: string, ...requests: readonly string[]) {
  const printed = await printedBy('node', script, { args: [broken, ...requests] })
  return printed as { readonly statuses: readonly number[]; readonly loaded: readonly string[] }
}

const document = 'v1-interface/src/openapi/'
const ofPlugins = (files: readonly string[]) =>
  files.filter((file) => pluginsOfCore.some((room) => file.includes(`core/src/${room}/`)))
const ofDocument = (files: readonly string[]) => files.filter((file) => file.includes(document))

test('an app does not load the code of plugins that it does not name, nor the OpenAPI document before a client asks for it', async () => {
  const { statuses, loaded } = await served('', 'GET /v1/models', 'GET /v1/jobs', 'POST /v1/generate')
  expect(statuses).toEqual([200, 200, 415])
  expect(loaded).toContain('v1-interface/src/routes/get-openapi')
  expect(ofDocument(loaded)).toEqual([])
  expect(ofPlugins(loaded)).toEqual([])
  const withDocument = await served('', 'GET /v1/openapi.json', 'GET /v1/openapi.json')
  expect(withDocument.statuses).toEqual([200, 200])
  expect(ofDocument(withDocument.loaded)).toContain(`${document}openapi-document`)
})

test('a bundler keeps the code of plugins out of an app that names none', async () => {
  const modules = await initialModules('minimal')
  expect(modules.some((file) => file.includes('core/src/plugins/service-plugins'))).toBe(true)
  expect(ofPlugins(modules)).toEqual([])
})

test('a bundler keeps the OpenAPI document out of the files that every app loads at its start', async () => {
  const modules = await initialModules('minimal')
  expect(modules.some((file) => file.includes('v1-interface/src/routes/get-openapi'))).toBe(true)
  expect(ofDocument(modules)).toEqual([])
})

test('a request for the OpenAPI document gets a 500 when its code can not be loaded, and other requests do not', async () => {
  const { statuses } = await served('openapi-document', 'GET /v1/openapi.json', 'GET /v1/models')
  expect(statuses).toEqual([500, 200])
})
