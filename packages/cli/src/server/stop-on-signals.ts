import type { Server } from 'node:http'
import type { GenerationService } from '@genmount/core'

const signals = ['SIGTERM', 'SIGINT'] as const

/**
 * Ends the process in less than 10 seconds after SIGTERM or SIGINT, because Docker then kills it. A second signal ends
 * it at once.
 * @param close closes what the service leaves open
 */
export function stopOnSignals(service: GenerationService, server: Server, close: () => Promise<void>): void {
  async function stop(): Promise<void> {
    // Without a listener, a signal ends the process.
    for (const signal of signals) process.off(signal, stop)
    setTimeout(() => process.exit(), 8500).unref()
    // Meanwhile the server answers: 503 to creates, the job to reads, and 202 to those who wait.
    await service.close({ timeoutMs: 7000 })
    await close()
    // Downloads under way have the rest of the time.
    server.close()
  }
  for (const signal of signals) process.on(signal, stop)
}
