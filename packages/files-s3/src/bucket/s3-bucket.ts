import { AwsV4Signer } from 'aws4fetch'
import { type Clock, sha256Hex } from '@genmount/core'
import pRetry from 'p-retry'
import { amzDate } from './amz-date.ts'
import { type BucketError, connectionError, refusalError } from './bucket-error.ts'
import { bucketUrl, type BucketPlace } from './bucket-url.ts'
import type { CheckedCredentials } from './credentials.ts'
import { presignedUrl } from './presigned-url.ts'

/** The parts with which a bucket is reached. */
export interface BucketContext extends BucketPlace {
  readonly credentials: () => Promise<CheckedCredentials>
  readonly clock: Clock
}

/** One request about an object or the whole bucket. */
export interface ObjectRequest {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT'
  /** The name of the object, of characters that need no escape in a URL; empty for the bucket. */
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** The right that the request needs, for the error message, such as `s3:PutObject`. */
  readonly right: string
  /** Ends the request, and its further tries. @default none */
  readonly signal?: AbortSignal
}

/** A successful answer. */
export interface ObjectAnswer {
  readonly headers: Headers
  readonly text: string
}

/** A bucket of an S3 server. */
export interface S3Bucket {
  readonly name: string
  /**
   * Sends a request. While the server is overloaded or can't be reached, it sends the request again, up to 5 times
   * within about 6 seconds.
   * @throws BucketError of the last try; the reason of `signal` when it is aborted
   */
  send(request: ObjectRequest): Promise<ObjectAnswer>
  /** A URL that reads the object until `untilAt`, and for an hour at most. */
  link(name: string, untilAt: number): Promise<string>
}

const retrying = { retries: 5, minTimeout: 100, randomize: true }

/**
 * The limit of one try, in milliseconds: 20 seconds, plus one second for each 64 kB of the body. A POST completes an
 * upload, which takes S3 minutes if there are many parts.
 */
function limitMs({ method, body }: ObjectRequest): number {
  return method === 'POST' ? 120_000 : 20_000 + Math.ceil((body?.byteLength ?? 0) / 64)
}

/** Makes a bucket. It opens no connection before the first request. */
export function s3Bucket(context: BucketContext): S3Bucket {
  const { bucket, region, credentials, clock } = context
  const base = bucketUrl(context)
  const signingKeys = new Map<string, ArrayBuffer>()

  async function signature() {
    // A key for each day and each of the rotating credentials.
    if (signingKeys.size > 10) signingKeys.clear()
    return { ...(await credentials()), service: 's3', region, cache: signingKeys }
  }

  async function attempt(request: ObjectRequest, bodySha256: string): Promise<ObjectAnswer> {
    const { method, name, query, headers, body, right, signal } = request
    const signed = await new AwsV4Signer({
      ...(await signature()),
      method,
      url: `${base}/${name}${query ? `?${new URLSearchParams(query)}` : ''}`,
      headers: { ...headers, 'x-amz-content-sha256': bodySha256 },
      datetime: amzDate(clock.now()),
    }).sign()
    const limit = AbortSignal.timeout(limitMs(request))
    const exchange = async () => {
      const answer = await fetch(signed.url, {
        method,
        headers: signed.headers,
        // A Blob, because Deno sends a POST with any other body again when the connection breaks (denoland/deno#35610),
        // and because Node copies a Uint8Array, and collects the copies late on a busy machine.
        body: method === 'POST' || body ? new Blob(body ? [body] : []) : null,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      return { status: answer.status, isOk: answer.ok, headers: answer.headers, text: await answer.text() }
    }
    const answer = await exchange().catch((cause: unknown) => {
      throw signal?.aborted ? signal.reason : connectionError(bucket, cause)
    })
    // S3 may find out that it can't complete an upload when it has already sent the status 200.
    if (!answer.isOk || /<Error[ >]/.test(answer.text))
      throw refusalError(bucket, { status: answer.status, text: answer.text, right })
    return answer
  }

  return {
    name: bucket,

    async send(request) {
      const bodySha256 = await sha256Hex(request.body ?? new Uint8Array())
      const shouldRetry = ({ error }: { readonly error: Error }) => (error as BucketError).isPassing
      const { signal } = request
      return pRetry(() => attempt(request, bodySha256), {
        ...retrying,
        shouldRetry,
        ...(signal && { signal }),
      })
    },

    async link(name, untilAt) {
      return presignedUrl(`${base}/${name}`, await signature(), clock.now(), untilAt)
    },
  }
}
