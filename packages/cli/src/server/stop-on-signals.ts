import type { Server } from 'node:http'
import type { GenerationService } from '@genmount/core'

const signals = ['SIGTERM', 'SIGINT'] as const

/**
 * Ends the process less than 10 seconds after SIGTERM or SIGINT, because Docker kills the process after 10 seconds. A
 * second signal ends the process at once.
 * @param close closes the connections that `service.close()` leaves open
 */
export function stopOnSignals(service: GenerationService, server: Server, close: () => Promise<void>): void {
  async function stop(): Promise<void> {
    // Without a listener, the next signal ends the process.
    for (const signal of signals) process.off(signal, stop)
    setTimeout(() => process.exit(), 8500).unref()
    // Meanwhile the server still answers: a create gets 503, a read gets the job, and a waiting request gets 202.
    await service.close({ timeoutMs: 7000 })
    await close()
    // Downloads that are under way may use the rest of the 10 seconds.
    server.close()
  }
  for (const signal of signals) process.on(signal, stop)
}
