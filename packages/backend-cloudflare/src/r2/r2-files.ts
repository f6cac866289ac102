import {
  checkFileFetch,
  checkOptions,
  contract,
  type FileFetch,
  type FileStore,
  optional,
  type OptionTable,
} from '@genmount/core'
import { keyOf, objectName, storeInParts } from '@genmount/core/object-storage'
import type { R2BucketBinding, R2ListedObjects } from './bucket-binding.ts'
import { objectTarget } from './object-target.ts'
import { patiently } from './patiently.ts'
import { storedObject } from './stored-object.ts'

/** The options of `r2Files`. */
export interface R2FilesOptions {
  /** The binding of the bucket, such as `env.OUTPUTS`. The bucket must hold nothing but these files. */
  readonly bucket: R2BucketBinding
  /**
   * Downloads the outputs that are copied from a provider's URL into this store, such as `guardedFetch` of
   * @genmount/guarded-fetch. @default outputs that providers give as links stay at the provider
   */
  readonly fetch?: FileFetch | undefined
}

const table = {
  bucket: contract<R2BucketBinding>('the binding of an R2 bucket, such as env.OUTPUTS', [
    'head',
    'get',
    'put',
    'createMultipartUpload',
    'delete',
    'list',
  ]),
  fetch: optional(checkFileFetch),
} satisfies OptionTable<R2FilesOptions>

/**
 * Keeps files in an R2 bucket, through the binding of a Worker. The service serves them, because a binding makes no links.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers, files: r2Files({ bucket: env.OUTPUTS, fetch: guardedFetch }) })
 */
export function r2Files(options: R2FilesOptions): FileStore {
  const { bucket, fetch } = checkOptions('r2Files', options, table)

  return {
    ...(fetch && { fetch }),

    async ready() {
      // No key has a name like this, because in the name of a key each tilde is followed by a hexadecimal digit or a tilde.
      const name = `~ready-${crypto.randomUUID()}`
      await objectTarget(bucket, name, 'text/plain').put(new Uint8Array(1))
      await patiently(() => bucket.delete(name))
    },

    async put(key, body, contentType) {
      await storeInParts(objectTarget(bucket, await objectName(key), contentType), body)
    },

    async open(key) {
      const name = await objectName(key)
      const head = await patiently(() => bucket.head(name))
      return head ? storedObject(bucket, name, head) : undefined
    },

    async delete(key) {
      const name = await objectName(key)
      await patiently(() => bucket.delete(name))
    },

    async *list(prefix) {
      const name = await objectName(prefix)
      for (let page: R2ListedObjects | undefined; !page || page.truncated;) {
        const from = page?.cursor
        page = await patiently(() =>
          bucket.list({ prefix: name, ...(from !== undefined && { cursor: from }) }),
        )
        for (const object of page.objects) {
          const key = keyOf(object.key)
          if (key !== undefined) yield key
        }
      }
    },
  }
}
