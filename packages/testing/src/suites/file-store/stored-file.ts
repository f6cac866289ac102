import assert from 'node:assert/strict'
import type { ByteRange, FileStore } from '@genmount/core'
import type { Subject } from '../suite.ts'

/** An empty store with room for at least 16 MiB. */
export interface FileStoreSubject extends Subject {
  readonly files: FileStore
  /** Fetches what `link` gives. @default the host's `fetch` */
  readonly fetch?: (url: string) => Promise<Response>
  /** What `link` counts by, in milliseconds since the Unix epoch. @default `Date.now` */
  readonly now?: () => number
  /**
   * Takes the last byte off the stored file, as a failing disk might.
   * @default nothing is known about damaged files
   */
  readonly damage?: (key: string) => void | Promise<void>
}

export type FileStoreCases = Readonly<Record<string, (subject: FileStoreSubject) => Promise<void>>>

export interface FileContent {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** The whole file as its readers get it, or `undefined` when it is not there. */
export async function readBack(subject: FileStoreSubject, key: string): Promise<FileContent | undefined> {
  const { files } = subject
  if (!files.open) return follow(subject, key)
  const file = await files.open(key)
  if (!file) return undefined
  const bytes = await bytesOf(file.read())
  assert.equal(file.size, bytes.byteLength, 'the size told is not the size read')
  return { bytes, contentType: file.contentType }
}

/** The file that the store's link leads to. */
export async function follow(subject: FileStoreSubject, key: string): Promise<FileContent | undefined> {
  const { files, fetch = globalThis.fetch, now = Date.now } = subject
  assert.ok(files.link, 'a store has link or open')
  const reply = await fetch(await files.link(key, now() + 60_000))
  const bytes = new Uint8Array(await reply.arrayBuffer())
  if (reply.status === 404 || reply.status === 403) return undefined
  assert.equal(reply.status, 200)
  return { bytes, contentType: reply.headers.get('content-type') ?? '' }
}

/** Fails unless the key leads to exactly these bytes of this type. */
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

/** Fails if the key leads to a file. */
export async function assertAbsent(subject: FileStoreSubject, key: string): Promise<void> {
  const content = await readBack(subject, key)
  assert.ok(content === undefined, `there is a file ${JSON.stringify(key)}`)
}

/** Compares without printing megabytes. */
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

/** Bytes in which no two places look alike for long. */
export function patternOf(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  for (let index = 0; index < size; index++) bytes[index] = (index * 31 + (index >> 8) * 17 + seed) % 251
  return bytes
}

/** A stream of these chunks, which breaks at its end if an error is given. */
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

/** The part of `bytes` that an HTTP range names. */
export function partOf(bytes: Uint8Array, { start, end }: ByteRange): Uint8Array {
  return bytes.subarray(start, end + 1)
}
