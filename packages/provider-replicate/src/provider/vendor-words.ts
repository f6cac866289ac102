import { recordOf, type VendorAnswer, type VendorWords } from '@genmount/provider-kit'

/** Answers repeat the input, which may contain a picture of ten million bytes in base64. */
export const maxBytes = 32 * 1024 * 1024
/**
 * How many keys and values a page of predictions may have. It has all predictions of the account, also those of language
 * models, whose outputs are lists of tokens.
 */
export const maxPageValues = 500_000

/**
 * Reads the pause from the message, because there may be no `Retry-After`: "Your rate limit resets in ~30s.", "Expected
 * available in 1 second." https://replicate.com/docs/topics/predictions/rate-limits
 */
export function wordsIn({ message }: VendorAnswer): VendorWords {
  const [, seconds] = /\bin ~?(\d{1,6}) ?s/.exec(message ?? '') ?? []
  return { message, retryAfterMs: seconds === undefined ? undefined : Number(seconds) * 1000 }
}

/**
 * The requested model, and whether Replicate lacks it. Replicate answers with 404 to an unknown name, and with 422 to
 * an unknown version.
 */
export function absenceOf(slug: string, { json }: VendorAnswer): VendorWords {
  const isAbsent = /^invalid version/i.test(String(recordOf(json)['title'])) || undefined
  return { modelName: `Replicate model ${slug}`, isAbsent }
}
