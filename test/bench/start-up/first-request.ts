import { once } from 'node:events'
import { createServer, get, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import type { StandardSchemaV1 } from '@standard-schema/spec'

/**
 * A script that starts a server, ours or a bare one, and prints how long after the start of the process it
 * answered its first request.
 */

async function ourHandler(): Promise<RequestListener> {
  const { minimalHandler } = await import('./imports/minimal.ts')
  const input: StandardSchemaV1<unknown, object> = {
    '~standard': { version: 1, vendor: 'bench', validate: () => ({ value: {} }) },
  }
  const never = () => Promise.reject(new Error('Nothing is submitted here.'))
  const models = [{ id: 'bench', outputKind: 'image', input }] as const
  return minimalHandler({ name: 'bench', models, submit: never, poll: never }, 'key')
}

const bareHandler: RequestListener = (_req, res) => {
  res.statusCode = 404
  res.end('{}')
}

const server = createServer(process.argv[2] === 'bare' ? bareHandler : await ourHandler())
await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = server.address() as AddressInfo
const headers = { authorization: 'Bearer key' }
const [reply] = await once(
  get({ port, host: '127.0.0.1', path: '/v1/jobs/none', headers, agent: false }),
  'response',
)
if (reply.statusCode !== 404) throw new Error(`The first request got ${reply.statusCode}.`)
console.log(performance.now())
process.exit()
