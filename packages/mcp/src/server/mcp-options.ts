import type { Client } from '@genmount/client'

/** How the tools behave, whoever uses them. */
export interface McpSettings {
  /**
   * How many US dollars agents may spend with one key in any 24 hours, over all their sessions and all processes. A create is
   * refused when the known price of its model would lead beyond the limit. While a job runs whose price is not known
   * beforehand, no second one of this kind is made, so that at most one such job ends above the limit. The jobs are counted
   * by the list of the service, which has to keep jobs for a day and to list them. Two processes that create in the same
   * moment do not see each other's job. @default no limit but that of the service
   */
  readonly maxCostUsd?: number | undefined
  /**
   * How many bytes of pictures an answer has at most, before base64 makes them a third larger. A picture for which there is
   * no room comes as a link only. @default 700000, because some agents take answers of up to a megabyte
   */
  readonly maxPictureBytes?: number | undefined
  /**
   * For how many milliseconds a call waits for its job at most. A job that takes longer is named in the answer, and the
   * agent can ask about it. @default 50000, because many clients give a call up after a minute
   */
  readonly waitMs?: number | undefined
}

/** The options of `mcpServer`. */
export interface McpOptions extends McpSettings {
  /** What `createClient` of `@genmount/client` has made. */
  readonly client: Client<object>
}

/** Settings of which each is there. */
export interface CheckedSettings {
  readonly maxCostUsd: number | undefined
  readonly maxPictureBytes: number
  readonly waitMs: number
}

/** @throws TypeError that names the wrong option and says what it accepts */
export function checkSettings(settings: McpSettings): CheckedSettings {
  const { maxCostUsd, maxPictureBytes = 700_000, waitMs = 50_000 } = settings
  if (maxCostUsd !== undefined) checkAtLeast(0, 'maxCostUsd', maxCostUsd, 'US dollars')
  checkAtLeast(0, 'maxPictureBytes', maxPictureBytes, 'bytes')
  checkAtLeast(1, 'waitMs', waitMs, 'milliseconds')
  return { maxCostUsd, maxPictureBytes, waitMs: Math.min(waitMs, 2 ** 31 - 1) }
}

/** @throws TypeError when it is no number, or a smaller one */
export function checkAtLeast(least: number, name: string, value: unknown, unit: string): void {
  if (typeof value === 'number' && value >= least) return
  throw new TypeError(`${name} must be a number of ${unit}, at least ${least}, not ${String(value)}.`)
}
