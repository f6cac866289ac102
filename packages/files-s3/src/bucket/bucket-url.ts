import { type Check, text } from '@genmount/core'
import { isLoopbackHost } from '@genmount/core/addresses'

/** The location of a bucket. */
export interface BucketPlace {
  readonly bucket: string
  readonly region: string
  /** The origin of the server, with `https://`. @default the one of AWS in the region */
  readonly endpoint?: string | undefined
  /** Whether the bucket is named in the path instead of the host. @default see {@link bucketUrl} */
  readonly pathStyle?: boolean | undefined
}

/**
 * The URL of a bucket. Objects are at this URL, a slash and their name.
 *
 * AWS names the bucket in the host, because its path style is only for old buckets. Other servers need a wildcard DNS
 * entry and certificate for that, so for them the path is the default. A bucket with a dot in its name does not fit
 * AWS's certificate `*.s3.<region>.amazonaws.com` and is named in the path, too.
 */
export function bucketUrl({ bucket, region, endpoint, pathStyle }: BucketPlace): string {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  const { protocol, host, hostname } = new URL(endpoint ?? `https://s3.${region}.${suffix}`)
  const isAws = /\.amazonaws\.com(?:\.cn)?$/.test(hostname)
  const isInPath = pathStyle ?? (!isAws || bucket.includes('.'))
  return isInPath ? `${protocol}//${host}/${bucket}` : `${protocol}//${bucket}.${host}`
}

/** Checks an option that is the origin of an S3 server. */
export const checkEndpoint: Check<string> = text(
  'the https origin of an S3 server, such as https://s3.eu-central-1.amazonaws.com, without the bucket; http only for localhost',
  (endpoint) => {
    const url = URL.parse(endpoint)
    if (!url || (url.href !== `${url.origin}/` && url.href !== url.origin)) return false
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  },
)

/** Names below `localhost` are loopback as well (RFC 6761, section 6.3). */
function isLoopback(hostname: string): boolean {
  return isLoopbackHost(hostname) || hostname.endsWith('.localhost')
}
