import {
  checkClock,
  checkFileFetch,
  checkOptions,
  type Clock,
  type FileFetch,
  type FileStore,
  flag,
  optional,
  type OptionTable,
  servedFile,
  systemClock,
  text,
} from '@genmount/core'
import { keyOf, objectName, storeInParts } from '@genmount/core/object-storage'
import type { BucketError } from '../bucket/bucket-error.ts'
import { checkEndpoint } from '../bucket/bucket-url.ts'
import { checkCredentials, type S3Credentials } from '../bucket/credentials.ts'
import { listObjects } from '../bucket/list-objects.ts'
import { s3Bucket } from '../bucket/s3-bucket.ts'
import { objectTarget } from '../upload/object-target.ts'
import { tryBucket } from './try-bucket.ts'

/** The options of `s3Files`. */
export interface S3FilesOptions {
  /** The name of the bucket. It must exist, and hold nothing but these files. */
  readonly bucket: string
  /** The region of the bucket, such as `eu-central-1`; `auto` for R2 and Google Cloud Storage. */
  readonly region: string
  /**
   * The access key, or a function that returns the current one, for credentials that change. The function is called
   * before each request and each link, so it should cache its result.
   */
  readonly credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>)
  /**
   * The https origin of the S3 server, without the bucket. It may be http only for `localhost` and loopback addresses.
   * @default AWS in this region
   */
  readonly endpoint?: string | undefined
  /**
   * Whether URLs name the bucket in their path (`https://server/bucket/file`) instead of their host
   * (`https://bucket.server/file`). @default true, and at AWS only if the bucket has a dot in its name
   */
  readonly pathStyle?: boolean | undefined
  /**
   * Downloads the outputs that are copied from a provider's URL into this store, such as `guardedFetch` of
   * @genmount/guarded-fetch. @default outputs that providers give as links stay at the provider
   */
  readonly fetch?: FileFetch | undefined
  /** Dates signatures and links. @default `systemClock()` */
  readonly clock?: Clock | undefined
}

const table = {
  bucket: text('the name of a bucket', /^[a-z0-9][\w.-]{1,220}[a-z0-9]$/i),
  region: text('the region of the bucket, such as eu-central-1', /^[\w-]+$/),
  credentials: checkCredentials,
  endpoint: optional(checkEndpoint),
  pathStyle: optional(flag),
  fetch: optional(checkFileFetch),
  clock: optional(checkClock),
} satisfies OptionTable<S3FilesOptions>

/** A browser may keep a file for as long as its link stays the same. Shared caches may not keep it. */
const cacheControl = 'private, max-age=900, immutable'

/**
 * Keeps files in a bucket of an S3 server: AWS, R2, MinIO, Google Cloud Storage and others. Clients read the files from the
 * bucket, by links that end after an hour at most.
 * @throws TypeError when an option is wrong
 * @example
 * const credentials = { accessKeyId: process.env.S3_KEY_ID!, secretAccessKey: process.env.S3_SECRET! }
 * const files = s3Files({ bucket: 'my-outputs', region: 'eu-central-1', credentials, fetch: guardedFetch })
 * createGenerationService({ providers, files })
 */
export function s3Files(options: S3FilesOptions): FileStore {
  const { fetch, clock = systemClock(), ...place } = checkOptions('s3Files', options, table)
  const bucket = s3Bucket({ ...place, clock })
  /** The uploads in progress. */
  const uploads = new Map<AbortController, Promise<void>>()

  return {
    ...(fetch && { fetch }),

    ready: () => tryBucket(bucket, clock.now()),

    async put(key, body, contentType, details) {
      const name = await objectName(key)
      const served = servedFile(details?.name ?? name, contentType)
      const headers = {
        'content-type': served.contentType,
        'content-disposition': served.contentDisposition,
        'cache-control': cacheControl,
      }
      // Each file has its own, because in workerd a request can't use an object of another request.
      const stop = new AbortController()
      const stored = storeInParts(objectTarget({ bucket, name, headers, signal: stop.signal }), body)
      uploads.set(stop, stored)
      await stored.finally(() => uploads.delete(stop))
    },

    link: async (key, untilAt) => bucket.link(await objectName(key), untilAt),

    async delete(key) {
      const name = await objectName(key)
      await bucket.send({ method: 'DELETE', name, right: 's3:DeleteObject' }).catch((error: BucketError) => {
        if (error.code !== 'NoSuchKey') throw error
      })
    },

    async *list(prefix) {
      for await (const name of listObjects(bucket, await objectName(prefix))) {
        const key = keyOf(name)
        if (key !== undefined) yield key
      }
    },

    async close() {
      for (const stop of uploads.keys())
        stop.abort(new Error(`Files in bucket ${bucket.name}: the store was closed.`))
      await Promise.allSettled(uploads.values())
    },
  }
}
