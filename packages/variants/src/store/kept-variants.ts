import { filesUnavailable, type Job, outputName, type PluginHost, withinLimit } from '@genmount/core'
import { jobIdOf, variantPrefix, variantPrefixOf } from './variant-key.ts'

/** How long the file store may take to find or delete a file, in milliseconds, and to store one. */
const limitMs = { usual: 20_000, put: 60_000 }
/** How many variants one look of the sweep takes. */
const batchSize = 200
/** How many milliseconds after a full batch the next one follows. */
const nextBatchMs = 1000
const dayMs = 24 * 60 * 60_000

/** The variants in the file store. */
export interface KeptVariants {
  /** @throws GenerationError `store_unavailable` */
  has(key: string): Promise<boolean>
  /**
   * Stores a variant of an output, unless the job is deleted meanwhile.
   * @throws GenerationError `job_not_found`, `insufficient_quota`, `store_unavailable`
   */
  put(
    key: string,
    job: Job,
    index: number,
    file: { readonly bytes: Uint8Array; readonly contentType: string },
  ): Promise<void>
  /** Deletes all variants of a job. @param owner whose storage they use. `undefined` when that is not known */
  deleteOf(job: Job, owner: string | undefined): Promise<void>
  /**
   * Looks for variants whose job is gone: a process may end after it has stored one, and before it has seen that the job was
   * deleted meanwhile.
   * @returns in how many milliseconds the next look follows
   */
  sweep(): Promise<number>
}

/** The variants of one service, whose file store has `list`. */
export function keptVariants({ files, jobs, read, clock, closing, fileRooms }: PluginHost): KeptVariants {
  const ask = <Result>(call: () => Promise<Result>, ms = limitMs.usual): Promise<Result> =>
    withinLimit(clock, ms, 'file store', call, closing).catch((cause: unknown) => {
      throw filesUnavailable(cause)
    })
  const list = (prefix: string): AsyncIterable<string> => files.list?.(prefix) ?? noKeys()
  /** The listing that the sweep has begun. */
  let listing: AsyncIterator<string> | undefined

  async function isListed(key: string): Promise<boolean> {
    for await (const listed of list(key)) if (listed === key) return true
    return false
  }

  async function isGone(jobId: string): Promise<boolean> {
    const job = await jobs.get(jobId)
    return !job || job.deletedAt !== undefined
  }

  return {
    has: (key) => ask(async () => (files.open ? (await files.open(key)) !== undefined : isListed(key))),

    async put(key, job, index, { bytes, contentType }) {
      const { id, owner, expiresAt } = job
      const room = fileRooms()?.take({ owner, key, expiresAt })
      const details = { owner, name: outputName(job, index), expectedBytes: bytes.byteLength }
      try {
        await room?.hold(bytes.byteLength)
        await ask(() => files.put(key, bytes, contentType, details), limitMs.put)
        await room?.keep(bytes.byteLength)
        // A delete that was written since does not know of this file. One that is written from now on finds it.
        await read(id, owner)
      } catch (error) {
        await ask(() => files.delete(key)).catch(() => {})
        await room?.giveBack().catch(() => {})
        throw error
      }
    },

    async deleteOf({ id }, owner) {
      const prefix = variantPrefixOf(id)
      if (prefix === undefined) return
      const keys: string[] = []
      for await (const key of list(prefix)) keys.push(key)
      await Promise.all(keys.map((key) => files.delete(key)))
      if (owner !== undefined) for (const key of keys) await fileRooms()?.free(owner, key)
    },

    async sweep() {
      const keys = listing ?? list(variantPrefix)[Symbol.asyncIterator]()
      // After an error the next look begins a new listing.
      listing = undefined
      let last: { readonly jobId: string; readonly isGone: boolean } | undefined
      for (let count = 0; count < batchSize; count++) {
        const { value: key, done } = await keys.next()
        if (done) return dayMs
        const jobId = jobIdOf(key)
        if (jobId === undefined) continue
        if (last?.jobId !== jobId) last = { jobId, isGone: await isGone(jobId) }
        if (last.isGone) await files.delete(key)
      }
      listing = keys
      return nextBatchMs
    },
  }
}

async function* noKeys(): AsyncIterable<string> {}
