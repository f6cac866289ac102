import process from 'node:process'
import { acmeProvider } from './acme-provider.ts'

/** Submits one task to the server at `ACME_URL`, on the runtime that runs it, and prints what came of it. */
const task = { jobId: 'gen_1', model: 'acme-image', input: { prompt: 'a kite' }, clientToken: 'token' }
const call = { signal: new AbortController().signal }
const submitted = acmeProvider('secret', process.env['ACME_URL']).submit(task, call)
console.log(
  JSON.stringify(
    await submitted.then(
      ({ state }) => state,
      () => 'threw',
    ),
  ),
)
