import { expect, test } from 'vitest'
import { bundledModules } from '../bench/start-up/bundled-modules.ts'
import { pluginsOfCore } from '../layers/layers.ts'
import { printedBy } from '../processes/run-program.ts'

const script = new URL('loaded-modules.ts', import.meta.url)

async function served(...requests: readonly string[]) {
  const printed = await printedBy('node', script, { args: requests })
  return printed as { readonly statuses: readonly number[]; readonly loaded: readonly string[] }
}

const ofPlugins = (files: readonly string[]) =>
  files.filter((file) => pluginsOfCore.some((room) => file.includes(`core/src/${room}/`)))
const ofDocument = (files: readonly string[]) =>
  files.filter((file) => file.includes('v1-interface/src/openapi/'))

test('an app does not load the code of plugins and the OpenAPI document, which it does not name', async () => {
  const { statuses, loaded } = await served(
    'GET /v1/models',
    'GET /v1/jobs',
    'POST /v1/generate',
    'GET /v1/openapi.json',
  )
  expect(statuses).toEqual([200, 200, 415, 404])
  expect(loaded).toContain('v1-interface/src/routes/get-openapi')
  expect([...ofDocument(loaded), ...ofPlugins(loaded)]).toEqual([])
})

test('a bundler puts no code of plugins and no OpenAPI document into an app that does not name them, not even into a file that is loaded later', async () => {
  const modules = await bundledModules('minimal')
  expect(modules.some((file) => file.includes('core/src/plugins/service-plugins'))).toBe(true)
  expect(modules.some((file) => file.includes('v1-interface/src/routes/get-openapi'))).toBe(true)
  expect([...ofDocument(modules), ...ofPlugins(modules)]).toEqual([])
})
