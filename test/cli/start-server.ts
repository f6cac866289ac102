import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { limits } from '@genmount/core/limits'
import { uploads } from '@genmount/core/uploads'
import { usage } from '@genmount/core/usage'
import { createClient } from '@genmount/client'
import { createGenerationService, type GenerationServiceOptions } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'
import { quietLog } from '@genmount/testing'
import { onTestFinished } from 'vitest'
import { listen } from '../loopback.ts'

// Its threads draw for all tests of this worker, because a new thread needs 0.3 CPU seconds for its first picture.
const { close: _, ...provider } = proceduralProvider({ allowSimulation: true })

/** A real server that draws, whose jobs are slow and fail if their input says so. */
export async function startServer(
  options: Partial<GenerationServiceOptions> = {},
  around: (handler: RequestListener) => RequestListener = (handler) => handler,
) {
  const service = createGenerationService({
    providers: [provider],
    plugins: [uploads(), usage(), limits({})],
    log: quietLog(),
    ...options,
  })
  service.start()
  const handler = toNodeHandler(service, { authenticate: apiKeys({ alice: 'key-of-alice' }) })
  const server = await listen(around(handler))
  onTestFinished(async () => {
    await server.stop()
    await service.close({ timeoutMs: 100 })
  })
  const client = createClient({ baseUrl: server.origin, apiKey: 'key-of-alice' })
  return {
    url: server.origin,
    env: { GENMOUNT_API_KEY: 'key-of-alice', GENMOUNT_URL: server.origin },
    stop: server.stop,
    jobs: async () => (await client.listPage()).data,
    file: async (id: string, n?: number) => Buffer.from(await (await client.download(id, n)).arrayBuffer()),
  }
}

/** Breaks the first answers to downloads of files off in the middle. */
export function cutting(times: number): (handler: RequestListener) => RequestListener {
  let left = times
  return (handler) => (req: IncomingMessage, res: ServerResponse) => {
    if (!req.url?.startsWith('/v1/outputs') || left-- <= 0) return handler(req, res)
    res.writeHead(200, { 'content-type': 'image/png', 'content-length': 1000 })
    res.write('half of it', () => res.destroy())
  }
}
