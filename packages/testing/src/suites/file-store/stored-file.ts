import assert from 'node:assert/strict'
import type { ByteRange, FileStore } from '@genmount/core'
import type { Subject } from '../suite.ts'

/** The subject of `fileStoreSuite`: an empty store with room for at least 16 MiB. */
export interface FileStoreSubject extends Subject {
  /** The store that is tested. */
  readonly files: FileStore
  /** Fetches a URL from `link`. @default the `fetch` of the runtime */
  readonly fetch?: (url: string) => Promise<Response>
  /**
   * The time of the store, by which links expire, in milliseconds since the Unix epoch. @default `Date.now`
   */
  readonly now?: () => number
  /**
   * Removes the last byte of the stored file, as a failing disk might do.
   * @default the case about damaged files passes without testing anything
   */
  readonly damage?: (key: string) => void | Promise<void>
  /**
   * Makes a store that can't be used, because its place is not writable.
   * @default the case about it passes without testing anything
   */
  readonly unusable?: () => FileStore | Promise<FileStore>
}

export type FileStoreCases = Readonly<Record<string, (subject: FileStoreSubject) => Promise<void>>>

export interface FileContent {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** Reads a whole file. @returns `undefined` when the store has no such file */
export async function readBack(subject: FileStoreSubject, key: string): Promise<FileContent | undefined> {
  const { files } = subject
  if (!files.open) return follow(subject, key)
  const file = await files.open(key)
  if (!file) return undefined
  const bytes = await bytesOf(file.read())
  assert.equal(file.size, bytes.byteLength, 'the size of the opened file is not the number of bytes read')
  return { bytes, contentType: file.contentType }
}

/** Reads a whole file through a link of the store. @returns `undefined` when the link leads to no file */
export async function follow(subject: FileStoreSubject, key: string): Promise<FileContent | undefined> {
  const { files, fetch = globalThis.fetch, now = Date.now } = subject
  assert.ok(files.link, 'a store has link or open')
  const reply = await fetch(await files.link(key, now() + 60_000))
  const bytes = new Uint8Array(await reply.arrayBuffer())
  if (reply.status === 404 || reply.status === 403) return undefined
  assert.equal(reply.status, 200)
  return { bytes, contentType: reply.headers.get('content-type') ?? '' }
}

/** Fails if the store does not have exactly these bytes with this content type under the key. */
export async function assertFile(
  subject: FileStoreSubject,
  key: string,
  bytes: Uint8Array,
  contentType = 'image/png',
): Promise<void> {
  const content = await readBack(subject, key)
  assert.ok(content, `there is no file ${JSON.stringify(key)}`)
  assert.equal(content.contentType, contentType)
  assertBytes(content.bytes, bytes)
}

/** Fails if the store has a file under the key. */
export async function assertAbsent(subject: FileStoreSubject, key: string): Promise<void> {
  const content = await readBack(subject, key)
  assert.ok(content === undefined, `there is a file ${JSON.stringify(key)}`)
}

/** Fails if the bytes differ. It does not print them, because they may be megabytes. */
export function assertBytes(actual: Uint8Array, expected: Uint8Array): void {
  assert.equal(actual.byteLength, expected.byteLength, 'the number of bytes differs')
  for (let offset = 0; offset < expected.byteLength; offset++) {
    if (actual[offset] !== expected[offset]) assert.fail(`the bytes differ from offset ${offset} on`)
  }
}

/** Reads a part of an opened file. */
export async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) {
    assert.ok(chunk instanceof Uint8Array, 'a stream gives Uint8Arrays')
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** Bytes in a pattern that repeats after 64,256 bytes, so that a part from nearly any wrong place is noticed. */
export function patternOf(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  for (let index = 0; index < size; index++) bytes[index] = (index * 31 + (index >> 8) * 17 + seed) % 251
  return bytes
}

/** A stream of these chunks. With `error` it fails after the last chunk. */
export function streamOf(chunks: readonly Uint8Array[], error?: Error): ReadableStream<Uint8Array> {
  const rest = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const chunk = rest.shift()
      if (chunk) controller.enqueue(chunk)
      else if (error) controller.error(error)
      else controller.close()
    },
  })
}

/** The part of `bytes` in a range whose last byte is included, as in HTTP. */
export function partOf(bytes: Uint8Array, { start, end }: ByteRange): Uint8Array {
  return bytes.subarray(start, end + 1)
}
