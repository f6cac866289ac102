import { gatheredBytes, GenerationError, type Clock } from '@genmount/core'
import type { BodyReader, V1Request } from '../interface/v1-request.ts'
import type { BodyBudget } from './body-budget.ts'
import { areTooSmall } from './small-pieces.ts'

export interface BodyLimits {
  readonly maxBodyBytes: number
  /** For the whole body, in milliseconds. */
  readonly bodyTimeoutMs: number
  readonly budget: BodyBudget
  /** Called with each piece before it is held; what it throws refuses the body. */
  readonly check?: ((piece: Uint8Array) => void) | undefined
}

/** How often a body under way is looked at, and how many bytes must have come since the last look. */
const lookEveryMs = 10_000
const minBytesPerLook = 1000

/**
 * Reads a body to its end, or until it breaks a limit; what lies beyond is not read. Its bytes count in the budget until
 * `use` is done with them.
 * @throws GenerationError `request_too_large`, `request_timeout`, `capacity_exceeded`, `invalid_request` for a body that
 * breaks off, and what `use` throws
 */
export async function readBody<Result>(
  reader: BodyReader,
  limits: BodyLimits & { readonly expectedBytes: number | undefined },
  clock: Clock,
  use: (bytes: Uint8Array<ArrayBuffer>) => Result | Promise<Result>,
): Promise<Result> {
  const { maxBodyBytes, bodyTimeoutMs, budget, check, expectedBytes = maxBodyBytes } = limits
  let held = 0
  const gathered = gatheredBytes({
    expectedBytes,
    onGrow(bytes) {
      budget.take(bytes)
      held += bytes
    },
  })
  let isOver = false

  async function readAll(): Promise<void> {
    for (let reads = 1; ; reads++) {
      const { done, value } = await nextPiece(reader)
      // A piece that comes after the refusal must not be held: nobody would give its bytes back.
      if (done || isOver) return
      if (value === undefined) continue
      if (gathered.size + value.length > maxBodyBytes) throw tooLarge(maxBodyBytes)
      check?.(value)
      gathered.add(value)
      if (areTooSmall(reader.pieces?.() ?? reads, gathered.size)) throw inSmallPieces()
    }
  }

  const pace = paceWatch(clock, bodyTimeoutMs, gathered)
  try {
    try {
      // One race for the whole body: a promise that many races have joined remembers each of them.
      await Promise.race([readAll(), pace.tooSlow])
    } finally {
      isOver = true
      pace.end()
      reader.cancel()
    }
    return await use(gathered.whole())
  } finally {
    budget.giveBack(held)
  }
}

/**
 * The length of the body as the request announces it.
 * @throws GenerationError `request_too_large` when that is too much
 */
export function expectedBytes(request: V1Request, maxBodyBytes: number): number | undefined {
  const length = Number(request.header('content-length') ?? Number.NaN)
  if (length > maxBodyBytes) throw tooLarge(maxBodyBytes)
  return length >= 0 ? length : undefined
}

/** Rejects when a body takes too long, or has nearly stopped. */
function paceWatch(clock: Clock, bodyTimeoutMs: number, gathered: { readonly size: number }) {
  let leftMs = bodyTimeoutMs
  let seenBytes = 0
  let end = () => {}
  const tooSlow = new Promise<never>((_, reject) => {
    const wait = () => {
      const waitMs = Math.min(lookEveryMs, leftMs)
      leftMs -= waitMs
      end = clock.after(waitMs, look)
    }
    const look = () => {
      const cameBytes = gathered.size - seenBytes
      seenBytes = gathered.size
      if (leftMs === 0) reject(timeout(`The request body did not come within ${bodyTimeoutMs} ms.`))
      else if (cameBytes < minBytesPerLook) reject(timeout('The request body comes too slowly.'))
      else wait()
    }
    wait()
  })
  return { tooSlow, end: () => end() }
}

function tooLarge(maxBodyBytes: number): GenerationError {
  return new GenerationError('request_too_large', `The request body may have at most ${maxBodyBytes} bytes.`)
}

async function nextPiece(reader: BodyReader) {
  try {
    return await reader.read()
  } catch {
    throw new GenerationError('invalid_request', 'The request body broke off.')
  }
}

function inSmallPieces(): GenerationError {
  return new GenerationError('invalid_request', 'The request body comes in pieces that are too small.')
}

function timeout(message: string): GenerationError {
  return new GenerationError('request_timeout', message)
}
