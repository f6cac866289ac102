import { LRUCache } from 'lru-cache'
import { gatheredBytes } from '../bytes/gathered-bytes.ts'
import type { FileStore } from '../contracts/file-store.ts'
import { count, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'

/** The options of {@link memoryFileStore}. */
export interface MemoryFileStoreOptions {
  /**
   * How many bytes all files may have together. Beyond this, the least recently read files are dropped. Streams that
   * are being stored at the same time may take as much again, and further ones are refused.
   * @default 536870912 (512 MiB)
   */
  readonly maxBytes?: number | undefined
}

const table = {
  maxBytes: optional(count(), 512 * 1024 * 1024),
} satisfies OptionTable<MemoryFileStoreOptions>

interface MemoryFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

const chunkBytes = 64 * 1024

/**
 * Keeps files in the memory of this process, so they are lost when it ends. A file that does not fit into `maxBytes` is
 * refused. It has no `fetch`: add one to copy outputs from the links of providers.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers, files: memoryFileStore({ maxBytes: 64 * 1024 * 1024 }) })
 */
export function memoryFileStore(options?: MemoryFileStoreOptions): FileStore {
  const { maxBytes } = checkOptions('memoryFileStore', options, table)
  const files = new LRUCache<string, MemoryFile>({
    maxSize: maxBytes,
    // lru-cache accepts only sizes above zero, and an empty file takes some memory, too.
    sizeCalculation: (file) => file.bytes.byteLength + 1,
  })

  let gathering = 0

  /** Reads a stream into memory. All streams that are being stored at the same time share `maxBytes`. */
  async function readAll(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
    let held = 0
    const onGrow = (bytes: number) => {
      if (gathering + bytes > maxBytes) throw tooLarge(maxBytes)
      gathering += bytes
      held += bytes
    }
    const gathered = gatheredBytes({ expectedBytes: maxBytes, onGrow })
    try {
      for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array))
          throw new TypeError('The body of a file must be a stream of Uint8Array.')
        if (gathered.size + chunk.byteLength >= maxBytes) throw tooLarge(maxBytes)
        gathered.add(chunk)
      }
      return gathered.whole()
    } catch (fault) {
      gathered.drop()
      throw fault
    } finally {
      gathering -= held
    }
  }

  return {
    async put(key, body, contentType) {
      const bytes = body instanceof Uint8Array ? new Uint8Array(body) : await readAll(body)
      if (bytes.byteLength >= maxBytes) throw tooLarge(maxBytes)
      files.set(key, { bytes, contentType })
    },

    async open(key) {
      const file = files.get(key)
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
