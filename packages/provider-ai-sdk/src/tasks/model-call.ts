import type { JsonObject } from '@genmount/core'

/** The options of a call of `doGenerate` or `doStart`, by the AI SDK's own names. */
export interface ModelCall {
  /** What to make, in words. */
  readonly prompt?: string | undefined
  /** How many outputs to make. @default 1 */
  readonly n?: number | undefined
  /** The start of the model's random numbers. */
  readonly seed?: number | undefined
  /** The vendor's own options, under the vendor's name. @default none */
  readonly providerOptions?: Readonly<Record<string, JsonObject>> | undefined
  /** Any other option of the AI SDK. */
  readonly [option: string]: unknown
}
