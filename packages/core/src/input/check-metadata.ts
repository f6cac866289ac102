import { GenerationError } from '../errors/generation-error.ts'
import { checkTexts } from './check-texts.ts'

/** The limits of a job's metadata. Lengths are in characters (UTF-16 code units). */
const metadataLimits = { keys: 16, keyLength: 64, valueLength: 512 }

/**
 * Checks the metadata that a client has set.
 * @returns a copy; `undefined` for `undefined`, `null` and an empty object
 * @throws GenerationError `invalid_request`, which says what is accepted
 */
export function checkMetadata(value: unknown): Readonly<Record<string, string>> | undefined {
  const { keys, keyLength, valueLength } = metadataLimits
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw refusal('must be an object')
  const entries = Object.entries(value as Readonly<Record<string, unknown>>)
  if (entries.length === 0) return undefined
  if (entries.length > keys) throw refusal(`may have at most ${keys} keys`)
  for (const [key, text] of entries) {
    if (key === '' || key.length > keyLength || key === '__proto__')
      throw refusal(`may have keys of 1 to ${keyLength} characters, other than __proto__`)
    if (typeof text !== 'string' || text.length > valueLength)
      throw refusal(`must be a text of at most ${valueLength} characters`, `.${key}`)
  }
  const metadata = Object.fromEntries(entries) as Record<string, string>
  checkTexts(metadata, 'metadata')
  return metadata
}

function refusal(rule: string, place = ''): GenerationError {
  return new GenerationError('invalid_request', `metadata${place} ${rule}.`, { param: 'metadata' })
}
