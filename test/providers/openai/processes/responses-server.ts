import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { openaiResponsesProvider } from '@genmount/provider-openai-responses'

/** A whole server before the fake at VENDOR, whose jobs are in JOBS_FILE. */
const { OPENAI_API_KEY: token = '', VENDOR: baseUrl = '', JOBS_FILE: file = '' } = process.env
const caller = { model: 'gpt-5.6-luna' }
const provider = openaiResponsesProvider({
  token,
  baseUrl,
  models: { 'gpt-image-2': { caller, typicalMs: 1500 } },
})
const service = createGenerationService({ providers: [provider], backend: sqliteBackend({ file }) })
const handler = toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) })
const server = createServer(handler).listen(0, '127.0.0.1', () => {
  service.start()
  console.log(`port ${(server.address() as AddressInfo).port}`)
})
