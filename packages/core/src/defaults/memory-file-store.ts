import { gatheredBytes } from '../bytes/gathered-bytes.ts'
import type { FileStore } from '../contracts/storage/file-store.ts'
import { count, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { uploadPrefix } from '../contracts/plugin/uploads.ts'
import { memoryFiles } from './memory-files.ts'

/** The options of {@link memoryFileStore}. */
export interface MemoryFileStoreOptions {
  /**
   * How many bytes all files may have together. Beyond this, files that were stored more than an hour ago are dropped, the
   * least recently read ones first, and those of the owner whose file needs the room before those of others. A file for
   * which they do not make enough room is refused. The uploads of one owner may take as much as its files leave free.
   * Room for a stream is reserved while it arrives; its buffer takes up to twice that memory until it is stored.
   * @default 536870912 (512 MiB)
   */
  readonly maxBytes?: number | undefined
}

const table = {
  maxBytes: optional(count(), 512 * 1024 * 1024),
} satisfies OptionTable<MemoryFileStoreOptions>

const chunkBytes = 64 * 1024

/**
 * Keeps files in the memory of this process, so they are lost when it ends. A file that does not fit into `maxBytes` is
 * refused. It has no `fetch`: add one to copy outputs from the links of providers.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers, files: memoryFileStore({ maxBytes: 64 * 1024 * 1024 }) })
 */
export function memoryFileStore(options?: MemoryFileStoreOptions): FileStore {
  const { maxBytes } = checkOptions('memoryFileStore', options, table)
  const files = memoryFiles(maxBytes)

  return {
    async put(key, body, contentType, { owner = '', expectedBytes = 0 } = {}) {
      const place = files.place(key, owner, key.startsWith(uploadPrefix))
      const hold = (size: number) => {
        if (size >= maxBytes) throw tooLarge(maxBytes)
        place.hold(size)
      }
      try {
        if (body instanceof Uint8Array) {
          hold(body.byteLength)
          return place.keep({ bytes: new Uint8Array(body), contentType })
        }
        try {
          hold(expectedBytes)
        } catch (fault) {
          await body.cancel(fault)
          throw fault
        }
        place.keep({ bytes: await readAll(body, hold), contentType })
      } finally {
        place.leave()
      }
    },

    async open(key) {
      const file = files.read(key)
      if (!file) return undefined
      const { bytes, contentType } = file
      return {
        size: bytes.byteLength,
        contentType,
        read: (range = { start: 0, end: bytes.byteLength - 1 }) =>
          streamOf(bytes.subarray(range.start, range.end + 1)),
      }
    },

    async delete(key) {
      files.delete(key)
    },

    async *list(prefix) {
      for (const key of files.keys()) if (key.startsWith(prefix)) yield key
    },
  }
}

/** @param hold called with the number of all bytes, before more of them are kept */
async function readAll(
  body: ReadableStream<Uint8Array>,
  hold: (size: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const gathered = gatheredBytes()
  try {
    for await (const chunk of body) {
      if (!(chunk instanceof Uint8Array))
        throw new TypeError('The body of a file must be a stream of Uint8Array.')
      hold(gathered.size + chunk.byteLength)
      gathered.add(chunk)
    }
    return gathered.whole()
  } catch (fault) {
    gathered.drop()
    throw fault
  }
}

function tooLarge(maxBytes: number): Error {
  return new RangeError(`The file does not fit into a memory file store of ${maxBytes} bytes.`)
}

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let offset = 0
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.byteLength) return controller.close()
      // A copy, because the reader of the stream may transfer its buffers.
      controller.enqueue(bytes.slice(offset, offset + chunkBytes))
      offset += chunkBytes
    },
  })
}
