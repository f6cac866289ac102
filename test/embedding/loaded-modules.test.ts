import { expect, test } from 'vitest'
import { initialModules } from '../bench/start-up/initial-modules.ts'
import { printedBy } from '../processes/run-program.ts'

const script = new URL('loaded-modules.ts', import.meta.url)

async function served(broken: string, ...requests: readonly string[]) {
  const printed = await printedBy('node', script, { args: [broken, ...requests] })
  return printed as { readonly statuses: readonly number[]; readonly loaded: readonly string[] }
}

const document = 'v1-interface/src/openapi/'
const ofDocument = (files: readonly string[]) => files.filter((file) => file.includes(document))

test('an app does not load the code of options that it does not use, nor the OpenAPI document before a client asks for it', async () => {
  const { statuses, loaded } = await served('', 'GET /v1/models', 'GET /v1/jobs', 'POST /v1/generate')
  expect(statuses).toEqual([200, 200, 415])
  expect(loaded).toContain('v1-interface/src/routes/get-openapi')
  expect(ofDocument(loaded)).toEqual([])
  expect(loaded.filter((file) => file.endsWith('/optional-code'))).toEqual([])
  const withDocument = await served('', 'GET /v1/openapi.json', 'GET /v1/openapi.json')
  expect(withDocument.statuses).toEqual([200, 200])
  expect(ofDocument(withDocument.loaded)).toContain(`${document}openapi-document`)
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

test('calls that need an option fail and name the option when its code can not be loaded, and other calls do not', async () => {
  const unloaded = (option: string) => `The code of the option ${option} could not be loaded.`
  expect(await printedBy('node', new URL('unloaded-options.ts', import.meta.url))).toEqual({
    outcomes: {
      'a create with a limit': unloaded('limits'),
      'a counted request': 500,
      'a create with a moderated input': unloaded('moderate'),
      // The outputs are paid for, and are checked again until the deadline of the job.
      'a create with moderated outputs': 'collecting',
      'a create without an upload': 'completed',
      'a create with an upload': unloaded('uploads'),
      'an upload': unloaded('uploads'),
      'an upload through /v1': 500,
      'another request of the same service': 200,
      'a create with a webhook': 'completed',
      'ready()': `The code is not ready: ${unloaded('webhooks')}`,
      'close()': { leftJobs: [], unclosed: [] },
    },
    errors: ['limits', 'moderate', 'moderate', 'uploads', 'webhooks'].map(unloaded),
  })
})
