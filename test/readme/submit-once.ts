import process from 'node:process'
import { pathToFileURL } from 'node:url'

/** Submits one task with the provider of a file to a server, on the runtime that runs it, and prints what came of it. */
const [, , file = '', baseUrl] = process.argv
const { acmeProvider } = await import(pathToFileURL(file).href)
const task = { jobId: 'gen_1', model: 'acme-image', input: { prompt: 'a kite' }, clientToken: 'token' }
const call = { signal: new AbortController().signal }
const submitted: Promise<{ readonly state: string }> = acmeProvider('secret', baseUrl).submit(task, call)
console.log(
  JSON.stringify(
    await submitted.then(
      ({ state }) => state,
      () => 'threw',
    ),
  ),
)
