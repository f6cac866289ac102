import type { Backend } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { Provider } from '../contracts/provider.ts'
import { keepProcessAlive } from '../defaults/keep-process-alive.ts'
import type { Ending } from '../contracts/ending.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { AttachedPlugin } from '../plugins/attached-plugins.ts'
import { shortText } from '../text/short-text.ts'

/** How long the check of one part may take, in milliseconds. A worker that starts in a busy container takes seconds. */
const limitMs = 30_000

/** The parts of a service that are checked. */
export interface ReadyContext {
  readonly clock: Clock
  /** Ends when the service closes. */
  readonly closing: Ending
  readonly plugins: readonly AttachedPlugin[]
  readonly backend: Backend
  readonly files: FileStore
  readonly spool: FileStore | undefined
  readonly providers: readonly Provider[]
}

/**
 * Checks whether all parts of the service are ready.
 * @throws Error with one line for each part that is not ready. Its cause is the part's own error; an AggregateError if
 * several parts are not ready
 */
export async function checkReady(context: ReadyContext): Promise<void> {
  const { clock, closing, plugins, backend, files, spool, providers } = context
  const parts: [what: string, part: { readonly ready?: (() => Promise<void>) | undefined } | undefined][] = [
    ['backend', backend],
    ['file store', files],
    ['spool', spool],
    ...plugins.map(({ name, hooks }): [string, typeof hooks] => [`plugin ${name}`, hooks]),
    ...providers.map((provider): [string, Provider] => [`provider ${provider.name}`, provider]),
  ]
  const letProcessEnd = keepProcessAlive()
  const outcomes = await Promise.allSettled(
    parts.map(([what, part]) => withinLimit(clock, limitMs, what, () => part?.ready?.(), closing)),
  )
  letProcessEnd()
  const faults: unknown[] = []
  const lines: string[] = []
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue
    faults.push(outcome.reason)
    lines.push(`The ${parts[index]?.[0]} is not ready: ${shortText(outcome.reason)}`)
  }
  if (faults.length === 0) return
  const cause = faults.length === 1 ? faults[0] : new AggregateError(faults)
  throw new Error(lines.join('\n'), { cause })
}
