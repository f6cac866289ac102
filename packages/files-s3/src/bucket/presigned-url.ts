import { AwsV4Signer } from 'aws4fetch'
import { amzDate } from './amz-date.ts'
import type { CheckedCredentials } from './credentials.ts'

/** What a URL is signed with. */
export interface SigningContext extends CheckedCredentials {
  readonly service: string
  readonly region: string
  /** Keeps the keys that are derived from the secret access key. */
  readonly cache: Map<string, ArrayBuffer>
}

const longestSeconds = 3600
const quarterMs = 15 * 60_000

/**
 * Signs a GET of the URL that ends at `untilAt` or an hour after its date, whichever is sooner. All who ask within a
 * quarter of an hour get the same URL, for their browsers to have the file in their caches: the date is the beginning of
 * this quarter. With temporary credentials the date is the present, because they may be younger than that.
 * @param now the present, in milliseconds since the Unix epoch
 * @param untilAt when the URL must have ended, in milliseconds since the Unix epoch
 */
export async function presignedUrl(
  url: string,
  context: SigningContext,
  now: number,
  untilAt: number,
): Promise<string> {
  // The shortest life that S3 accepts is a second, so a URL that ends sooner needs an earlier date.
  const latest = Math.min(now, untilAt - 1000)
  const signedAt = latest - (latest % (context.sessionToken === undefined ? quarterMs : 1000))
  const seconds = Math.min(longestSeconds, Math.floor((untilAt - signedAt) / 1000))
  const signed = await new AwsV4Signer({
    ...context,
    method: 'GET',
    url: `${url}?X-Amz-Expires=${seconds}`,
    datetime: amzDate(signedAt),
    signQuery: true,
  }).sign()
  return signed.url.href
}
