import { GenerationError, type Clock } from '@genmount/core'
import type { CheckedOptions } from '../interface/v1-options.ts'
import type { BodyReader } from '../interface/v1-request.ts'

type BodyLimits = Pick<CheckedOptions, 'maxBodyBytes' | 'bodyTimeoutMs'>

/**
 * Reads a body of text to its end, or until it breaks a limit; what lies beyond is not read.
 * @throws GenerationError `request_too_large`, `request_timeout`, or `invalid_json` for what is not UTF-8
 */
export async function readText(reader: BodyReader, limits: BodyLimits, clock: Clock): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  await readPieces(reader, limits, clock, (bytes) => (text += decode(decoder, bytes)))
  return text + decode(decoder)
}

/**
 * Reads a body as it is.
 * @throws GenerationError `request_too_large` or `request_timeout`
 */
export async function readBytes(reader: BodyReader, limits: BodyLimits, clock: Clock): Promise<Uint8Array> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  await readPieces(reader, limits, clock, (bytes) => pieces.push(new Uint8Array(bytes)))
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}

async function readPieces(
  reader: BodyReader,
  limits: BodyLimits,
  clock: Clock,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  let cancelTimer = () => {}
  const timeout = new Promise<never>((_, reject) => {
    cancelTimer = clock.after(limits.bodyTimeoutMs, () => reject(tooSlow(limits.bodyTimeoutMs)))
  })
  try {
    // One race for the whole body: a promise that many races have joined remembers each of them.
    await Promise.race([readAll(reader, limits.maxBodyBytes, take), timeout])
  } finally {
    cancelTimer()
    reader.cancel()
  }
}

async function readAll(
  reader: BodyReader,
  maxBodyBytes: number,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) return
    size += value?.length ?? 0
    if (size > maxBodyBytes) throw tooLarge(maxBodyBytes)
    if (value) take(value)
  }
}

export function tooLarge(maxBodyBytes: number): GenerationError {
  return new GenerationError('request_too_large', `The request body may have at most ${maxBodyBytes} bytes.`)
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new GenerationError('invalid_json', 'The request body is not valid UTF-8.')
  }
}

function brokenOff(): never {
  throw new GenerationError('invalid_request', 'The request body broke off.')
}

function tooSlow(bodyTimeoutMs: number): GenerationError {
  return new GenerationError('request_timeout', `The request body did not come within ${bodyTimeoutMs} ms.`)
}
