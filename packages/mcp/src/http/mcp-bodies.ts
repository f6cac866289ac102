import { errorCodes, GenerationError, shareOfHeap } from '@genmount/core'
import { type JsonBodies, jsonBodies } from '@genmount/v1-interface'
import { rpcRefusal } from './rpc-refusal.ts'

const maxBodyBytes = 4 * 1024 * 1024

/**
 * Makes the reader of the bodies of one endpoint. Its limits are those that /v1 has by default, but for the bytes: 4 MiB
 * for one body, and for all bodies in memory together 64 MiB, or a 64th of the heap if that is less.
 */
export function mcpBodies(): JsonBodies {
  return jsonBodies({
    maxBodyBytes,
    maxBodiesBytes: Math.max(shareOfHeap(1 / 64, 16 * maxBodyBytes), 2 * maxBodyBytes),
  })
}

/** The response to a request whose body is refused with this error. `undefined` for an error that is not a refusal. */
export function bodyRefusal(error: unknown): Response | undefined {
  if (!(error instanceof GenerationError)) return undefined
  const { code, message, retryAfterSeconds = errorCodes[code].retryAfterSeconds } = error
  const { status } = errorCodes[code]
  return rpcRefusal(
    status,
    code,
    message,
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  )
}
