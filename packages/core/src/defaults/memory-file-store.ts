import { LRUCache } from 'lru-cache'
import { gatheredBytes } from '../bytes/gathered-bytes.ts'
import type { FileStore } from '../contracts/file-store.ts'
import { checkCount } from '../errors/check-option.ts'

export interface MemoryFileStoreOptions {
  /** How many bytes of files; beyond it the least recently read ones are dropped. @default 536870912 (512 MiB) */
  readonly maxBytes?: number | undefined
}

interface MemoryFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

const chunkBytes = 64 * 1024

/** Keeps files in this process and loses them with it. A file larger than the bound is refused. */
export function memoryFileStore(options: MemoryFileStoreOptions = {}): FileStore {
  const maxBytes = checkCount('maxBytes', options.maxBytes ?? 512 * 1024 * 1024)
  const files = new LRUCache<string, MemoryFile>({
    maxSize: maxBytes,
    // lru-cache wants sizes above zero, and an empty file costs an entry too.
    sizeCalculation: (file) => file.bytes.byteLength + 1,
  })

  return {
    async put(key, body, contentType) {
      const bytes = body instanceof Uint8Array ? new Uint8Array(body) : await readAll(body, maxBytes)
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
  }
}

async function readAll(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const gathered = gatheredBytes({ expectedBytes: maxBytes })
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array))
      throw new TypeError('The body of a file must be a stream of Uint8Array.')
    if (gathered.size + chunk.byteLength >= maxBytes) throw tooLarge(maxBytes)
    gathered.add(chunk)
  }
  return gathered.whole()
}

function tooLarge(maxBytes: number): Error {
  return new RangeError(`The file does not fit into a memory file store of ${maxBytes} bytes.`)
}

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let offset = 0
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.byteLength) return controller.close()
      // A copy, because a stream may transfer the buffers it is given.
      controller.enqueue(bytes.slice(offset, offset + chunkBytes))
      offset += chunkBytes
    },
  })
}
