import { AwsV4Signer } from 'aws4fetch'
import { amzDate } from './amz-date.ts'
import type { CheckedCredentials } from './credentials.ts'

/** The values with which a URL is signed. */
export interface SigningContext extends CheckedCredentials {
  readonly service: string
  readonly region: string
  /** Keeps the keys that are derived from the secret access key. */
  readonly cache: Map<string, ArrayBuffer>
}

const longestSeconds = 3600
const quarterMs = 15 * 60_000

/**
 * Signs a GET of the URL that ends at `untilAt` or an hour after its date, whichever is sooner. All requests within a
 * quarter of an hour get the same URL, so that browsers find the file in their caches: the date of the URL is the
 * beginning of this quarter. With temporary credentials the date is the current instant, because the credentials may be
 * younger than the quarter.
 * @param now the current instant, in milliseconds since the Unix epoch
 * @param untilAt the latest end of the URL, in milliseconds since the Unix epoch
 */
export async function presignedUrl(
  url: string,
  context: SigningContext,
  now: number,
  untilAt: number,
): Promise<string> {
  // The shortest lifetime that S3 accepts is a second, so a URL that ends sooner needs an earlier date.
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
