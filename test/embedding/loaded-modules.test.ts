import { expect, test } from 'vitest'
import { initialModules } from '../bench/start-up/initial-modules.ts'
import { printedBy } from '../runtimes.ts'

const script = new URL('loaded-modules.ts', import.meta.url)

async function served(broken: string, ...requests: readonly string[]) {
  const printed = await printedBy('node', script, { args: [broken, ...requests] })
  return printed as { readonly statuses: readonly number[]; readonly loaded: readonly string[] }
}

const document = 'v1-interface/src/openapi/'
const ofDocument = (files: readonly string[]) => files.filter((file) => file.includes(document))

test('an app whose clients never ask for the OpenAPI document never loads what makes it', async () => {
  const { statuses, loaded } = await served('', 'GET /v1/models', 'GET /v1/jobs', 'POST /v1/generate')
  expect(statuses).toEqual([200, 200, 415])
  expect(loaded).toContain('v1-interface/src/routes/get-openapi')
  expect(ofDocument(loaded)).toEqual([])
  const asked = await served('', 'GET /v1/openapi.json', 'GET /v1/openapi.json')
  expect(asked.statuses).toEqual([200, 200])
  expect(ofDocument(asked.loaded)).toContain(`${document}openapi-document`)
})

test('a bundler keeps the OpenAPI document out of the files that every app loads at its start', async () => {
  const modules = await initialModules('minimal')
  expect(modules.some((file) => file.includes('v1-interface/src/routes/get-openapi'))).toBe(true)
  expect(ofDocument(modules)).toEqual([])
})

test('where the code of the OpenAPI document can not be loaded, only that request fails', async () => {
  const { statuses } = await served('openapi-document', 'GET /v1/openapi.json', 'GET /v1/models')
  expect(statuses).toEqual([500, 200])
})
