import type { Client } from '@genmount/client'

/** Settings of the tools, for all transports. */
export interface McpSettings {
  /**
   * What the jobs of one key may cost in any 24 hours, in US dollars. Each create tells it to the service, whose plugin `limits`
   * reserves the price of the job in the write that stores it. Without that plugin no job is made. @default no limit but those of the service
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
  if (maxCostUsd !== undefined) checkUsd(maxCostUsd)
  checkAtLeast(0, 'maxPictureBytes', maxPictureBytes, 'bytes')
  checkAtLeast(1, 'waitMs', waitMs, 'milliseconds')
  return { maxCostUsd, maxPictureBytes, waitMs: Math.min(waitMs, 2 ** 31 - 1) }
}

/** @throws TypeError when a create could not tell the service this limit */
function checkUsd(maxCostUsd: unknown): void {
  checkAtLeast(0, 'maxCostUsd', maxCostUsd, 'US dollars')
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(String(maxCostUsd))) return
  throw new TypeError(
    `maxCostUsd must be below a billion US dollars, with six digits after the point at most, not ${String(maxCostUsd)}.`,
  )
}

/** @throws TypeError when the value is not a number, or is below `least` */
function checkAtLeast(least: number, name: string, value: unknown, unit: string): void {
  if (typeof value === 'number' && value >= least) return
  throw new TypeError(`${name} must be a number of ${unit}, at least ${least}, not ${String(value)}.`)
}
