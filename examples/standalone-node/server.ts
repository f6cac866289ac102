import { createServer } from 'node:http'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { greeting } from './greeting.ts'
import { installedProviders } from './installed-providers.ts'
import { readSettings } from './settings.ts'
import { openStorage } from './storage.ts'

try {
  const settings = readSettings(process.env)
  const { backend, files, linkSecret } = await openStorage(settings)
  const service = createGenerationService({
    providers: await installedProviders(settings),
    backend,
    files,
    waitBudgetMs: settings.waitBudgetMs,
  })
  await service.ready()
  const handler = toNodeHandler(service, {
    authenticate: apiKeys(settings.apiKeys),
    baseUrl: settings.baseUrl,
    linkSecret,
  })
  const server = createServer(handler)

  server.on('error', fail)
  server.listen(settings.port, settings.host, () => {
    service.start()
    console.log(greeting(settings, server.address(), service.models))
  })

  const stop = async () => {
    server.close()
    // Docker kills a container ten seconds after SIGTERM.
    await service.close({ timeoutMs: 8000 })
    // The last answers are still on their way.
    setTimeout(() => server.closeAllConnections(), 1000).unref()
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
