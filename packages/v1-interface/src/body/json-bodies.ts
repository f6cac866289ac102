import { systemClock } from '@genmount/core'
import type { V1Request } from '../interface/v1-request.ts'
import { bodyBudgets } from './body-budget.ts'
import { defaultMaxJsonValues } from './json-limits.ts'
import { defaultBodyTimeoutMs } from './read-body.ts'
import { withJsonBody } from './with-json-body.ts'

/** The limits of {@link jsonBodies}. They are those of the options of the same names. */
export interface JsonBodyLimits {
  /** The most bytes of one body. */
  readonly maxBodyBytes: number
  /** The most bytes of all bodies together. */
  readonly maxBodiesBytes: number
}

/** Reads the JSON value in the body of an owner's request, and passes it to `use`. */
export type JsonBodies = <Result>(
  owner: string,
  request: Pick<V1Request, 'header' | 'body'>,
  use: (value: unknown) => Promise<Result>,
) => Promise<Result>

/**
 * Makes a reader for the bodies of another interface beside /v1, which reads them like those of /v1: it limits their
 * bytes, alone and together, and, as /v1 does by default, their pace, their keys and values and their depth. The bytes of
 * a body count until `use` has finished.
 * @returns the reader; it rejects with a GenerationError that says what is wrong with a body, and with what `use` throws
 */
export function jsonBodies({ maxBodyBytes, maxBodiesBytes }: JsonBodyLimits): JsonBodies {
  const bodiesOf = bodyBudgets(maxBodiesBytes, maxBodyBytes)
  const options = {
    maxBodyBytes,
    bodyTimeoutMs: defaultBodyTimeoutMs,
    maxJsonValues: defaultMaxJsonValues,
  }
  const context = { service: { clock: systemClock() }, options, bodiesOf }
  return (owner, request, use) => withJsonBody({ request, owner }, context, use)
}
