/**
 * A service on the port, with the SQLite file and the vendor of its arguments, for a test that kills it. With `lists`, the
 * vendor's tasks can be found by the token of their submit.
 */
import { createServer } from 'node:http'
import process from 'node:process'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type Provider } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { openaiInterface } from '@genmount/openai-interface'
import { fakeFile } from '@genmount/testing'
import { painter } from '../models.ts'

const [port = '', file = '', vendor = '', lists = ''] = process.argv.slice(2)

const provider: Provider = {
  name: 'vendor',
  models: [painter],
  async submit({ clientToken }) {
    const response = await fetch(`${vendor}/${clientToken}`, { method: 'POST' })
    return { state: 'running', handle: await response.text(), pollAfterMs: 100 }
  },
  ...(lists === 'lists' && {
    async find({ clientToken }) {
      return { state: 'running', handle: clientToken, pollAfterMs: 100 }
    },
  }),
  async poll({ handle }) {
    const state = await (await fetch(`${vendor}/${String(handle)}`)).text()
    if (state !== 'succeeded') return { state: 'running', handle, pollAfterMs: 100 }
    return { state: 'succeeded', outputs: [{ bytes: fakeFile('image').bytes }], costUsd: 0.01 }
  },
}

const service = createGenerationService({ providers: [provider], backend: sqliteBackend({ file }) })
service.start()
const authenticate = apiKeys({ alice: 'alice-key' })
const server = createServer(toNodeHandler(service, { authenticate, interfaces: [openaiInterface()] }))
server.listen(Number(port), '127.0.0.1', () => console.log(JSON.stringify({ port: Number(port) })))
