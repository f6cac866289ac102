import { createHash } from 'node:crypto'
import type { FileStore } from '@genmount/core'
import { bytesOf, streamOf, type FileStoreSubject } from './stored-file.ts'

interface KeptFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly sha256: string
}

export type ReferenceFiles = ReturnType<typeof referenceFiles>

/** The entry of the reference store for a file. */
export function keptFile(bytes: Uint8Array<ArrayBuffer>, contentType: string): KeptFile {
  return { bytes, contentType, sha256: sha256Of(bytes) }
}

/** The simplest store that fulfils the contract, with its map and a function that damages a file. */
export function referenceFiles(stored = new Map<string, KeptFile>()) {
  const files = {
    async put(key: string, body: Uint8Array | ReadableStream<Uint8Array>, contentType: string) {
      const bytes = body instanceof Uint8Array ? body : await bytesOf(body)
      stored.set(key, keptFile(new Uint8Array(bytes), contentType))
    },
    async open(key: string) {
      const file = stored.get(key)
      if (!file) return undefined
      const { bytes, contentType, sha256 } = file
      if (sha256Of(bytes) !== sha256) throw new Error(`${key} is damaged`)
      const read = ({ start, end } = { start: 0, end: bytes.byteLength - 1 }) =>
        streamOf([bytes.slice(start, end + 1)]) as ReadableStream<Uint8Array<ArrayBuffer>>
      return { size: bytes.byteLength, contentType, sha256, read }
    },
    delete: async (key: string) => void stored.delete(key),
    async *list(prefix: string) {
      for (const key of stored.keys()) if (key.startsWith(prefix)) yield key
    },
  } satisfies FileStore
  function damage(key: string) {
    const file = stored.get(key)
    if (file) stored.set(key, { ...file, bytes: file.bytes.slice(0, -1) })
  }
  return { files, stored, damage }
}

/** The same store without `open`: its files are read through links. */
export function linkedFiles({ files, stored } = referenceFiles()): FileStoreSubject {
  const url = (key: string) => `https://files.test/${encodeURIComponent(key)}`
  return {
    files: { put: files.put, delete: files.delete, link: async (key) => url(key) },
    fetch: async (requested) => {
      const file = [...stored].find(([key]) => url(key) === requested)?.[1]
      if (!file) return new Response('', { status: 404 })
      return new Response(file.bytes, { headers: { 'content-type': file.contentType } })
    },
  }
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
