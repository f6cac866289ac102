import type { FileStore } from '@genmount/core'
import { bytesOf, streamOf, type FileStoreSubject } from './stored-file.ts'

interface Kept {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

export type ReferenceFiles = ReturnType<typeof referenceFiles>

/** The simplest store that keeps the contract, and the map behind it. */
export function referenceFiles(kept = new Map<string, Kept>()) {
  const files = {
    async put(key: string, body: Uint8Array | ReadableStream<Uint8Array>, contentType: string) {
      const bytes = body instanceof Uint8Array ? body.slice() : new Uint8Array(await bytesOf(body))
      kept.set(key, { bytes: new Uint8Array(bytes), contentType })
    },
    async open(key: string) {
      const file = kept.get(key)
      if (!file) return undefined
      const { bytes, contentType } = file
      const read = ({ start, end } = { start: 0, end: bytes.byteLength - 1 }) =>
        streamOf([bytes.slice(start, end + 1)]) as ReadableStream<Uint8Array<ArrayBuffer>>
      return { size: bytes.byteLength, contentType, read }
    },
    delete: async (key: string) => void kept.delete(key),
  } satisfies FileStore
  return { files, kept }
}

/** The same, read through links. */
export function linkedFiles({ files, kept } = referenceFiles()): FileStoreSubject {
  const url = (key: string) => `https://files.test/${encodeURIComponent(key)}`
  return {
    files: { put: files.put, delete: files.delete, link: async (key) => url(key) },
    fetch: async (asked) => {
      const file = [...kept].find(([key]) => url(key) === asked)?.[1]
      if (!file) return new Response('', { status: 404 })
      return new Response(file.bytes, { headers: { 'content-type': file.contentType } })
    },
  }
}
