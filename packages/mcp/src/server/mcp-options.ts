import type { Client } from '@genmount/client'

/** Settings of the tools, for all transports. */
export interface McpSettings {
  /**
   * How many US dollars agents may spend with one key in any 24 hours, over all their sessions and all processes. A
   * create is refused when the known price of its model would exceed the limit. While a job whose price is not known
   * beforehand is running, a second job of this kind is refused, so that at most one such job ends above the limit. The
   * tools add up the jobs that the service lists, so the service must keep and list jobs for at least a day. Two
   * processes that create at the same moment do not see each other's job. @default no limit but that of the service
   */
  readonly maxCostUsd?: number | undefined
  /**
   * The most bytes of pictures in one answer, before base64 makes them a third larger. A picture that does not fit is
   * only linked. @default 700000, because some agents take answers of up to a megabyte
   */
  readonly maxPictureBytes?: number | undefined
  /**
   * The longest time that a call waits for its job, in milliseconds. If the job takes longer, the answer names the job,
   * and the agent can ask for it later. @default 50000, because many clients abort a call after a minute
   */
  readonly waitMs?: number | undefined
}

/** The options of `mcpServer`. */
export interface McpOptions extends McpSettings {
  /** A client that `createClient` of `@genmount/client` returned. */
  readonly client: Client<object>
}

/** The settings with their defaults filled in. */
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

/** @throws TypeError when the value is not a number, or is below `least` */
function checkAtLeast(least: number, name: string, value: unknown, unit: string): void {
  if (typeof value === 'number' && value >= least) return
  throw new TypeError(`${name} must be a number of ${unit}, at least ${least}, not ${String(value)}.`)
}
