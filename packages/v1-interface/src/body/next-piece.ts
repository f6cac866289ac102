import { GenerationError } from '@genmount/core'
import type { BodyPiece, BodyReader } from '../interface/v1-request.ts'

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
