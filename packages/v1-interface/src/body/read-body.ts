import { gatheredBytes, GenerationError, type Clock, sharedRoom } from '@genmount/core'
import type { BodyPiece, BodyReader, V1Request } from '../interface/v1-request.ts'

interface BodyLimits {
  readonly maxBodyBytes: number
  /** How long the whole body may take to arrive, in milliseconds. */
  readonly bodyTimeoutMs: number
  readonly budget: BodyBudget
  /** Called with each piece before it is stored in memory. To refuse the body it throws. */
  readonly check?: ((piece: Uint8Array) => void) | undefined
}

/** How long a body may take to arrive, in milliseconds, if no option says so. */
export const defaultBodyTimeoutMs = 30_000
/** How many keys and values a request body may have, if no option says so. */
export const defaultMaxJsonValues = 10_000
/** How often the progress of a body is checked, in milliseconds. */
const lookEveryMs = 10_000
/** A body is refused if fewer bytes than this have arrived since the last check. */
const minBytesPerLook = 1000

/** A body that was read to its end. */
export interface HeldBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Called once, when nothing needs the body any more. Until then its bytes count in the budget. */
  letGo(): void
}

/**
 * Reads a body to its end, or until it breaks a limit; then the rest is not read.
 * @returns a promise only if the body has not arrived yet
 * @throws GenerationError `request_too_large`, `request_timeout` or `capacity_exceeded`; `invalid_request`
 * for a body that breaks off or comes in pieces that are too small; whatever `limits.check` throws. The promise rejects
 * with the same
 */
export function readBody(
  reader: BodyReader,
  limits: BodyLimits & { readonly expectedBytes: number | undefined },
  clock: Clock,
): HeldBody | Promise<HeldBody> {
  const { maxBodyBytes, bodyTimeoutMs, budget, check, expectedBytes: announced } = limits
  let held = 0
  let end = () => {}
  const gathered = gatheredBytes({
    expectedBytes: announced ?? maxBodyBytes,
    onGrow(bytes) {
      budget.take(bytes)
      held += bytes
    },
  })
  let isOver = false
  let reads = 0

  /** @returns whether the body continues */
  function take({ done, value }: BodyPiece): boolean {
    // A piece that arrives after the refusal must not be kept: nothing would give its bytes back to the
    // budget.
    if (done || isOver) return false
    reads++
    if (value === undefined) return true
    if (gathered.size + value.length > maxBodyBytes) throw tooLarge(maxBodyBytes)
    check?.(value)
    gathered.add(value)
    if (areTooSmall(reader.pieces?.() ?? reads, gathered.size)) throw inSmallPieces()
    return true
  }

  /**
   * Takes the pieces that the host already has.
   * @returns the next piece, which has not arrived yet, if the body continues
   */
  function takeWhatIsHere(): Promise<BodyPiece> | undefined {
    for (;;) {
      const piece = nextPiece(reader)
      if (piece instanceof Promise) return piece
      if (!take(piece)) return undefined
    }
  }

  async function takeTheRest(coming: Promise<BodyPiece>): Promise<void> {
    for (let piece = await coming; take(piece);) piece = await nextPiece(reader)
  }

  function stopReading(): void {
    isOver = true
    reader.cancel()
  }

  function letGo(): void {
    budget.giveBack(held)
    end()
  }

  function whole(): HeldBody {
    stopReading()
    return { bytes: gathered.whole(), letGo }
  }

  function refuse(refusal: unknown): never {
    stopReading()
    gathered.drop()
    letGo()
    throw refusal
  }

  let coming: Promise<BodyPiece> | undefined
  try {
    // A body that announces its length may begin only if its owner may hold all of it. Otherwise a client that has
    // sent nearly all of a large body could be refused.
    if (announced !== undefined) end = budget.begin(announced)
    coming = takeWhatIsHere()
  } catch (refusal) {
    return refuse(refusal)
  }
  if (!coming) return whole()
  const pace = paceWatch(clock, bodyTimeoutMs, gathered)
  // One race for the whole body and not one for each piece, because a promise keeps every race that it is part of in
  // memory.
  return Promise.race([takeTheRest(coming), pace.tooSlow])
    .finally(pace.end)
    .then(whole, refuse)
}

/**
 * The length of the body in bytes, from the Content-Length header; `undefined` without that header.
 * @throws GenerationError `request_too_large` when the length is above `maxBodyBytes`
 */
export function expectedBytes(request: Pick<V1Request, 'header'>, maxBodyBytes: number): number | undefined {
  const length = Number(request.header('content-length') ?? Number.NaN)
  if (length > maxBodyBytes) throw tooLarge(maxBodyBytes)
  return length >= 0 ? length : undefined
}

/** Makes a promise that rejects when the body takes longer than `bodyTimeoutMs`, or arrives too slowly. */
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
      if (leftMs === 0) reject(timeout(`The request body did not arrive within ${bodyTimeoutMs} ms.`))
      else if (cameBytes < minBytesPerLook) reject(timeout('The request body arrives too slowly.'))
      else wait()
    }
    wait()
  })
  return { tooSlow, end: () => end() }
}

function tooLarge(maxBodyBytes: number): GenerationError {
  return new GenerationError('request_too_large', `The request body may have at most ${maxBodyBytes} bytes.`)
}

function timeout(message: string): GenerationError {
  return new GenerationError('request_timeout', message)
}

/** Up to this many pieces may have any size. */
const freePieces = 1000
const leastMeanBytes = 32

/**
 * Whether a request body comes in pieces that are too small: more than 1,000 pieces of less than 32 bytes on average.
 * The host handles each chunk of a chunked body (RFC 9112 section 7.1) by itself, even one of a single byte, so reading
 * such a body costs the server much more than sending it costs the client.
 * @param pieces how many pieces have arrived so far
 * @param bytes how many bytes they have together
 */
export function areTooSmall(pieces: number, bytes: number): boolean {
  return pieces > freePieces && bytes < pieces * leastMeanBytes
}

/**
 * Reads the next piece of a body.
 * @throws GenerationError `invalid_request` when the body breaks off
 */
export function nextPiece(reader: BodyReader): BodyPiece | Promise<BodyPiece> {
  try {
    const next = reader.read()
    return 'then' in next ? next.catch(brokenOff) : next
  } catch {
    return brokenOff()
  }
}

function brokenOff(): never {
  throw new GenerationError('invalid_request', 'The request body broke off.')
}

/** The refusal of a body for which `areTooSmall` is true. */
export function inSmallPieces(): GenerationError {
  return new GenerationError('invalid_request', 'The request body comes in pieces that are too small.')
}

/** Counts the bytes in memory that belong to the request bodies of one owner. */
export interface BodyBudget {
  /**
   * Begins a body of this announced length, before any of its bytes have arrived. Announced bytes that have not arrived
   * count only against this owner.
   * @returns a function that ends the body
   * @throws GenerationError `capacity_exceeded` when the owner's begun bodies would be longer than `ownBytes` and longer
   *   than half of `maxBytes`
   */
  begin(bytes: number): () => void
  /** @throws GenerationError `capacity_exceeded` when there is no room for this many more bytes */
  take(bytes: number): void
  giveBack(bytes: number): void
}

/**
 * The budgets of all owners, who share `maxBytes`. The bodies of one owner may always hold `ownBytes`, as
 * long as there is room; above that they may hold at most as many bytes as stay free for all other owners.
 */
export function bodyBudgets(maxBytes: number, ownBytes: number): (owner: string) => BodyBudget {
  const room = sharedRoom(maxBytes, ownBytes)
  const mostOfOne = Math.max(ownBytes, maxBytes / 2)
  const begun = new Map<string, number>()
  const tooMuch = () => full('Too many of your request bodies are being received. Try again.')

  function addBegun(owner: string, bytes: number): void {
    const sum = (begun.get(owner) ?? 0) + bytes
    if (sum === 0) begun.delete(owner)
    else begun.set(owner, sum)
  }

  return (owner) => ({
    begin(bytes) {
      if ((begun.get(owner) ?? 0) + bytes > mostOfOne) throw tooMuch()
      addBegun(owner, bytes)
      return () => addBegun(owner, -bytes)
    },
    take(bytes) {
      if (!room.fits(bytes)) throw full('Too many request bodies are being received. Try again.')
      if (!room.mayHave(owner, bytes)) throw tooMuch()
      room.add(owner, bytes)
    },
    giveBack: (bytes) => room.add(owner, -bytes),
  })
}

function full(message: string): GenerationError {
  return new GenerationError('capacity_exceeded', message)
}
