import type { Server } from 'node:http'
import type { GenerationService } from '@genmount/core'

const signals = ['SIGTERM', 'SIGINT'] as const
/** For how long a second signal counts as the first one, in milliseconds: npm sends a Ctrl+C on that the process has got. */
const sameSignalMs = 300
/**
 * How much earlier than the host ends the process the service must have closed, and the process ends itself, in
 * milliseconds. Downloads under way may use the time in between.
 */
const reserveMs = { close: 3000, exit: 1500 }
/** How long downloads under way may take after the service has closed, if the host allows any time, in milliseconds. */
const downloadMs = 7000

/** How {@link stopOnSignals} ends the process. */
export interface StopOptions {
  /**
   * The time that the host gives the process to end after a signal, in milliseconds. @default as long as providers take
   * to answer submits, which may have to be paid for
   */
  readonly stopWithinMs: number | undefined
  /** Closes the connections that `service.close()` leaves open. */
  readonly close: () => Promise<void>
}

function within(ms: number | undefined): string {
  return ms === undefined ? '' : `, within ${ms / 1000} s`
}

/** Ends the process after SIGTERM or SIGINT. A second signal ends the process at once. */
export function stopOnSignals(
  service: GenerationService,
  server: Server,
  { stopWithinMs, close }: StopOptions,
): void {
  let isStopping = false

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (isStopping) return
    isStopping = true
    // Without a listener, the next signal ends the process.
    setTimeout(() => signals.forEach((each) => process.off(each, stop)), sameSignalMs).unref()
    const again = signal === 'SIGINT' ? 'Press Ctrl+C again' : 'Send it again'
    console.error(
      `${signal}: the server takes no new jobs, and stops when vendors have answered its submits${within(stopWithinMs)}. ${again} to end it at once: answers to submits are then lost.`,
    )
    const exitAfter = (ms: number) => setTimeout(() => process.exit(), ms).unref()
    if (stopWithinMs !== undefined) exitAfter(stopWithinMs - reserveMs.exit)
    // Meanwhile the server still answers: a create gets 503, a read gets the job, and a waiting request gets 202.
    await service.close(stopWithinMs === undefined ? {} : { timeoutMs: stopWithinMs - reserveMs.close })
    if (stopWithinMs === undefined) exitAfter(downloadMs)
    await close()
    server.close(() => console.error('The server has stopped.'))
  }
  for (const signal of signals) process.on(signal, stop)
}
