import { recordOf, type VendorAnswer, type VendorWords } from '@genmount/provider-kit'

/**
 * Reads an unsuccessful answer: `{ detail }` of FastAPI, or `{ error, message, retry_after }`, of which `error` is only
 * a code (black-forest-labs/skills@d0793c8, skills/bfl-api/references/error-handling.md).
 */
export function wordsIn({ json, message: usual }: VendorAnswer): VendorWords {
  const { detail, message, retry_after: seconds } = recordOf(json)
  return {
    message: detail === undefined && typeof message === 'string' ? message : usual,
    retryAfterMs: typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : undefined,
  }
}
