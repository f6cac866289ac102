import { createServer } from 'node:http'
import { createGenerationService, memoryBackend } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'
import { greeting } from './greeting.ts'
import { readSettings } from './settings.ts'

try {
  const settings = readSettings(process.env)
  const service = createGenerationService({
    providers: [proceduralProvider({ allowSimulation: settings.allowSimulation })],
    backend: memoryBackend({ maxJobs: settings.maxJobs }),
    waitBudgetMs: settings.waitBudgetMs,
  })
  const handler = toNodeHandler(service, {
    authenticate: apiKeys(settings.apiKeys),
    baseUrl: settings.baseUrl,
  })
  const server = createServer(handler)

  server.on('error', fail)
  server.listen(settings.port, settings.host, () => {
    service.start()
    console.log(greeting(settings, server.address(), service.models))
  })

  const stop = async () => {
    server.close()
    await service.close()
    server.closeAllConnections()
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
} catch (error) {
  fail(error)
}

function fail(error: unknown): void {
  const { code, message } = error as NodeJS.ErrnoException
  console.error(code === 'EADDRINUSE' ? `The port is taken: ${message}. Set PORT to another one.` : message)
  process.exitCode = 1
}
