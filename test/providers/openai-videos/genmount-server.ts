/**
 * A genmount on a port, with its jobs and files in a folder, for a test that kills it. Without the address of another one, it
 * makes pictures and films itself and speaks OpenAI's API. With it, it has them made there.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type Provider } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { openaiInterface } from '@genmount/openai-interface'
import { openaiCompatible } from '@genmount/provider-openai/compatible'
import { openaiVideosProvider } from '@genmount/provider-openai/videos'
import { proceduralProvider } from '@genmount/provider-procedural'
import * as v from 'valibot'

const [port = '', folder = '', behind] = process.argv.slice(2)

/** The providers in front of another genmount. */
function inFront(origin: string): readonly Provider[] {
  const server = { baseUrl: `${origin}/openai/v1`, token: 'front-key' }
  const inputs = { simulate_latency_ms: v.optional(v.number()) }
  return [
    openaiCompatible({ ...server, models: { picture: { model: 'procedural-image' } } }),
    openaiVideosProvider({
      ...server,
      cancel: 'cancel',
      dedupesSubmits: true,
      models: { film: { model: 'procedural-video', inputs, typicalMs: 300 } },
    }),
  ]
}

const service = createGenerationService({
  providers: behind
    ? inFront(behind)
    : [proceduralProvider({ allowSimulation: true, prices: { 'procedural-video': 0.02 } })],
  backend: sqliteBackend({ file: join(folder, 'jobs.db') }),
  files: diskFiles({ folder: join(folder, 'files') }),
})
service.start()
const authenticate = apiKeys({ alice: 'alice-key', front: 'front-key' })
const server = createServer(toNodeHandler(service, { authenticate, interfaces: [openaiInterface()] }))
server.listen(Number(port), '127.0.0.1', () => console.log(JSON.stringify({ port: Number(port) })))
