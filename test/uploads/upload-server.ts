/* Takes uploads into the given folder on the runtime that runs this script. */
import process from 'node:process'
import { uploads } from '@genmount/core/uploads'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { diskFiles } from '@genmount/files-disk'
import { toNodeHandler } from '@genmount/node-http'
import { fakeProvider } from '@genmount/testing'
import { peakMemory } from '../peak-memory.ts'
import { serveOnRuntime } from '../processes/serve-on-runtime.ts'

const [folder = ''] = process.argv.slice(2)
const service = createGenerationService({
  providers: [fakeProvider()],
  files: diskFiles({ folder }),
  plugins: [uploads({ maxBytes: 1e9 })],
  log: { warn() {}, error: console.error },
})
await service.ready()
const options = { authenticate: apiKeys({ alice: 'alice-key-0123456789' }) }
const [handle, listener] = [toFetchHandler(service, options), toNodeHandler(service, options)]
serveOnRuntime(
  async (request) => (request.url.endsWith('/rss') ? new Response(String(peakMemory())) : handle(request)),
  (req, res) => (req.url === '/rss' ? void res.end(String(peakMemory())) : void listener(req, res)),
)
