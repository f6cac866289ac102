import type { FileStore } from '@genmount/core'
import { describe, expect, test } from 'vitest'
import { fileStoreSuite, type FileStoreSubject } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { keptFile, linkedFiles, referenceFiles, type ReferenceFiles } from './reference-files.ts'
import { streamOf } from './stored-file.ts'

test('a store that keeps the contract passes every case, by open and by link', async () => {
  expect(await failingCases(fileStoreSuite(() => referenceFiles()))).toEqual([])
  expect(await failingCases(fileStoreSuite(() => linkedFiles()))).toEqual([])
})

/** A store with some replaced methods. */
const changed =
  (change: (kit: ReferenceFiles) => Partial<FileStore>) =>
  (kit: ReferenceFiles): FileStoreSubject => ({ files: { ...kit.files, ...change(kit) } })

const faults: Record<
  string,
  { readonly create: (kit: ReferenceFiles) => FileStoreSubject; readonly fails: readonly string[] }
> = {
  'is not ready': {
    create: changed(() => ({ ready: () => Promise.reject(new Error('It is not there yet.')) })),
    fails: ['a store is ready before its first use, and when it is asked again'],
  },
  'says that it is ready although it can not be used': {
    create: ({ files }) => ({ files, unusable: () => ({ ...files, ready: async () => {} }) }),
    fails: ['a store that can not be used says so before its first use, in words'],
  },
  'has no way to read': {
    create: ({ files }) => ({ files: { put: files.put, delete: files.delete } }),
    fails: [
      'a store can be read, by link or by open',
      'bytes come back as they went in, with their type',
      'every byte value is kept',
      'a stream comes back as one file, whatever its chunks',
      'a file without bytes is a file, given as bytes or as a stream',
      'a large file is kept whole',
      'of a view into a larger buffer only the view is stored',
      'bytes that change after they were stored do not change the file',
      'bytes that are stored stay the caller’s own',
      'the same key again replaces bytes and type',
      'if a stream breaks, nothing is stored, and put rejects',
      'a stream that breaks leaves the earlier file as it was',
      'a stream of anything but bytes is refused, let go of, and leaves nothing',
      'a file that is still coming in is not there yet',
      'of ten writes to one key at the same time, one is kept whole',
      'any text can be a key, and each leads to its own file',
      'a key that nobody has used leads nowhere',
      'a deleted file is gone, and only that one',
      'deleting an unknown file, or one a second time, does nothing',
      'a key is free again after its file was deleted',
    ],
  },
  'keeps what it has of a broken stream': {
    create: changed(({ files, stored }) => ({
      async put(key, body, contentType) {
        if (body instanceof Uint8Array) return files.put(key, body, contentType)
        const chunks: Uint8Array<ArrayBuffer>[] = []
        const keep = async () => stored.set(key, keptFile(await new Blob(chunks).bytes(), contentType))
        try {
          for await (const chunk of body) chunks.push(new Uint8Array(chunk))
        } finally {
          await keep()
        }
      },
    })),
    fails: [
      'if a stream breaks, nothing is stored, and put rejects',
      'a stream that breaks leaves the earlier file as it was',
      'a stream of anything but bytes is refused, let go of, and leaves nothing',
      'a list has no deleted files and no files that were not stored whole',
    ],
  },
  'clears the key before it reads the stream': {
    create: changed(({ files, stored }) => ({
      put(key, body, contentType) {
        stored.delete(key)
        return files.put(key, body, contentType)
      },
    })),
    fails: ['a stream that breaks leaves the earlier file as it was'],
  },
  'says nothing of a broken stream': {
    create: changed(({ files }) => ({
      put: (key, body, type) => files.put(key, body, type).catch(() => {}),
    })),
    fails: [
      'if a stream breaks, nothing is stored, and put rejects',
      'a stream that breaks leaves the earlier file as it was',
      'a stream of anything but bytes is refused, let go of, and leaves nothing',
      'a list has no deleted files and no files that were not stored whole',
    ],
  },
  'keeps the caller’s own bytes': {
    create: changed(({ files, stored }) => ({
      async put(key, body, contentType) {
        if (!(body instanceof Uint8Array)) return files.put(key, body, contentType)
        stored.set(key, keptFile(body as Uint8Array<ArrayBuffer>, contentType))
      },
    })),
    fails: ['bytes that change after they were stored do not change the file'],
  },
  'wipes the bytes that it was given': {
    create: changed(({ files }) => ({
      async put(key, body, contentType) {
        await files.put(key, body, contentType)
        if (body instanceof Uint8Array) body.fill(0)
      },
    })),
    fails: [
      'every byte value is kept',
      'a large file is kept whole',
      'of a view into a larger buffer only the view is stored',
      'bytes that change after they were stored do not change the file',
      'bytes that are stored stay the caller’s own',
    ],
  },
  'stores text as no bytes': {
    create: changed(({ files }) => ({
      async put(key, body, contentType) {
        if (body instanceof Uint8Array) return files.put(key, body, contentType)
        const chunks: Uint8Array<ArrayBuffer>[] = []
        for await (const chunk of body) chunks.push(new Uint8Array(chunk))
        await files.put(key, await new Blob(chunks).bytes(), contentType)
      },
    })),
    fails: ['a stream of anything but bytes is refused, let go of, and leaves nothing'],
  },
  'keeps hold of a stream that it refuses': {
    create: changed(({ files }) => ({
      async put(key, body, contentType) {
        if (body instanceof Uint8Array) return files.put(key, body, contentType)
        const reader = body.getReader()
        const chunks: Uint8Array[] = []
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          if (!(read.value instanceof Uint8Array)) throw new TypeError('not bytes')
          chunks.push(read.value)
        }
        await files.put(key, streamOf(chunks), contentType)
      },
    })),
    fails: ['a stream of anything but bytes is refused, let go of, and leaves nothing'],
  },
  'tells the hash of the key': {
    create: changed(({ files }) => ({
      async open(key) {
        const file = await files.open(key)
        return file && { ...file, sha256: keptFile(new TextEncoder().encode(key), '').sha256 }
      },
    })),
    fails: ['the hash that an opened file tells is that of its bytes'],
  },
  'opens a damaged file': {
    create: ({ files, stored, damage }) => ({
      files: {
        ...files,
        open(key) {
          const file = stored.get(key)
          if (file) stored.set(key, keptFile(file.bytes, file.contentType))
          return files.open(key)
        },
      },
      damage,
    }),
    fails: ['a damaged file can not be opened, but it can be deleted and stored again'],
  },
  'takes a damaged file for none': {
    create: ({ files, damage }) => ({
      files: { ...files, open: (key) => files.open(key).catch(() => undefined) },
      damage,
    }),
    fails: ['a damaged file can not be opened, but it can be deleted and stored again'],
  },
  'stores nothing over a damaged file': {
    create: ({ files, damage }) => ({
      files: {
        ...files,
        async put(key, body, contentType) {
          await files.open(key)
          await files.put(key, body, contentType)
        },
      },
      damage,
    }),
    fails: ['a damaged file can not be opened, but it can be deleted and stored again'],
  },
  'stores the whole buffer of a view': {
    create: changed(({ files }) => ({
      put: (key, body, contentType) =>
        files.put(key, body instanceof Uint8Array ? new Uint8Array(body.buffer) : body, contentType),
    })),
    fails: ['of a view into a larger buffer only the view is stored'],
  },
  'hands out the bytes that it keeps': {
    create: changed(({ files, stored }) => ({
      async open(key) {
        const file = await files.open(key)
        const bytes = stored.get(key)?.bytes
        return (
          file &&
          bytes && {
            ...file,
            read: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
              streamOf([bytes.subarray(start, end + 1)]) as ReadableStream<Uint8Array<ArrayBuffer>>,
          }
        )
      },
    })),
    fails: ['whoever changes the bytes that were read does not change the file'],
  },
  'takes an empty file for none': {
    create: changed(({ files }) => ({
      async open(key) {
        const file = await files.open(key)
        return file?.size ? file : undefined
      },
    })),
    fails: ['a file without bytes is a file, given as bytes or as a stream'],
  },
  'ends ranges one byte early': {
    create: changed(({ files }) => ({
      async open(key) {
        const file = await files.open(key)
        return (
          file && {
            ...file,
            read: (range) => file.read(range && { start: range.start, end: range.end - 1 }),
          }
        )
      },
    })),
    fails: [
      'an opened file gives any part of itself, both ends included',
      'an opened file can be read many times, also at the same time',
    ],
  },
  'gives one stream for all reads': {
    create: changed(({ files }) => ({
      async open(key) {
        const file = await files.open(key)
        let stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined
        return file && { ...file, read: (range) => (stream ??= file.read(range)) }
      },
    })),
    fails: [
      'an opened file gives any part of itself, both ends included',
      'an opened file can be read many times, also at the same time',
      'a reader who stops half-way harms nobody',
    ],
  },
  'forgets the type': {
    create: changed(({ files }) => ({
      put: (key, body) => files.put(key, body, 'application/octet-stream'),
    })),
    fails: [
      'bytes come back as they went in, with their type',
      'a stream comes back as one file, whatever its chunks',
      'a file without bytes is a file, given as bytes or as a stream',
      'a large file is kept whole',
      'of a view into a larger buffer only the view is stored',
      'bytes that change after they were stored do not change the file',
      'bytes that are stored stay the caller’s own',
      'the same key again replaces bytes and type',
      'if a stream breaks, nothing is stored, and put rejects',
      'a stream that breaks leaves the earlier file as it was',
      'a file that is still coming in is not there yet',
      'any text can be a key, and each leads to its own file',
      'a deleted file is gone, and only that one',
      'deleting an unknown file, or one a second time, does nothing',
      'a key is free again after its file was deleted',
      'a reader who stops half-way harms nobody',
      'whoever changes the bytes that were read does not change the file',
    ],
  },
  'keeps the first file under a key': {
    create: changed(({ files, stored }) => ({
      put: async (key, body, type) => (stored.has(key) ? undefined : files.put(key, body, type)),
    })),
    fails: [
      'the same key again replaces bytes and type',
      'a stream that breaks leaves the earlier file as it was',
    ],
  },
  'takes a key for a path': {
    create: ({ files }) => {
      const path = (key: string) => new URL(key.replaceAll('\\', '/'), 'file:///files/').pathname
      return {
        files: {
          put: (key, body, type) => files.put(path(key), body, type),
          open: (key) => files.open(path(key)),
          delete: (key) => files.delete(path(key)),
        },
      }
    },
    fails: [
      'any text can be a key, and each leads to its own file',
      'a deleted file is gone, and only that one',
    ],
  },
  'deletes everything below a key': {
    create: changed(({ stored }) => ({
      async delete(prefix) {
        for (const key of stored.keys())
          if (key === prefix || key.startsWith(`${prefix}/`)) stored.delete(key)
      },
    })),
    fails: [
      'a deleted file is gone, and only that one',
      'deleting an unknown file, or one a second time, does nothing',
    ],
  },
  'cannot delete what is not there': {
    create: changed(({ stored }) => ({
      async delete(key) {
        if (!stored.delete(key)) throw new Error('no such file')
      },
    })),
    fails: ['deleting an unknown file, or one a second time, does nothing'],
  },
  'lists every file': {
    create: changed(({ stored }) => ({
      async *list() {
        yield* stored.keys()
      },
    })),
    fails: [
      'a list has the keys that begin with the prefix, each once, and no others',
      'a list has no deleted files and no files that were not stored whole',
    ],
  },
  'lists what it has deleted': {
    create: changed(({ files }) => {
      const seen = new Set<string>()
      return {
        put: async (key, body, type) => {
          await files.put(key, body, type)
          seen.add(key)
        },
        async *list(prefix) {
          for (const key of seen) if (key.startsWith(prefix)) yield key
        },
      }
    }),
    fails: ['a list has no deleted files and no files that were not stored whole'],
  },
  'leads nowhere with its links': {
    create: (kit) => {
      const subject = linkedFiles(kit)
      return { ...subject, files: { ...kit.files, link: async () => 'https://files.test/elsewhere' } }
    },
    fails: ['a link is a URL that gives the file with its type, and nothing once it is deleted'],
  },
  'gives links for deleted files': {
    create: (kit) => {
      const subject = linkedFiles(kit)
      return { ...subject, files: { ...subject.files, delete: async () => {} } }
    },
    fails: [
      'a deleted file is gone, and only that one',
      'a link is a URL that gives the file with its type, and nothing once it is deleted',
    ],
  },
}

describe('a broken file store fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { create, fails }) => {
    expect(await failingCases(fileStoreSuite(() => create(referenceFiles())))).toEqual(fails)
  })
})
