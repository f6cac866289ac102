import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { FileStore, StoredFile } from '@genmount/core'
import {
  assertBytes,
  assertFile,
  bytesOf,
  follow,
  partOf,
  patternOf,
  type FileStoreCases,
} from './stored-file.ts'

const key = 'job-1/0'
const bytes = patternOf(200_000)

/**
 * The cases of `open` and `link`. A store has at least one of the two, and a case about the other one passes.
 */
export const readCases: FileStoreCases = {
  'an opened file gives any part of itself, both ends included': async ({ files }) => {
    const file = await opened(files)
    if (!file) return
    const last = bytes.byteLength - 1
    for (const [start, end] of [
      [0, 0],
      [0, last],
      [last, last],
      [1, 65_536],
      [65_535, 65_536],
      [65_536, 131_071],
      [100_000, last],
    ] as const) {
      assertBytes(await bytesOf(file.read({ start, end })), partOf(bytes, { start, end }))
    }
  },

  'an opened file can be read many times, also at the same time': async ({ files }) => {
    const file = await opened(files)
    if (!file) return
    const parts = Array.from({ length: 10 }, (_, index) => ({
      start: index * 1_000,
      end: index * 1_000 + 90_000,
    }))
    const read = await Promise.all(parts.map((range) => bytesOf(file.read(range))))
    for (const [index, range] of parts.entries())
      assertBytes(read[index] ?? new Uint8Array(), partOf(bytes, range))
    assertBytes(await bytesOf(file.read()), bytes)
  },

  'a reader who stops half-way harms nobody': async (subject) => {
    const file = await opened(subject.files)
    if (!file) return
    for (let round = 0; round < 50; round++) {
      const reader = file.read().getReader()
      await reader.read()
      await reader.cancel()
      await file.read().cancel()
    }
    await assertFile(subject, key, bytes)
    await subject.files.delete(key)
  },

  'whoever changes the bytes that were read does not change the file': async (subject) => {
    const file = await opened(subject.files)
    if (!file) return
    for await (const chunk of file.read()) chunk.fill(0)
    await assertFile(subject, key, bytes)
  },

  'the hash that an opened file tells is that of its bytes': async ({ files }) => {
    const file = await opened(files)
    if (file?.sha256 === undefined) return
    assert.equal(file.sha256, createHash('sha256').update(bytes).digest('hex'))
  },

  'a damaged file can not be opened, but it can be deleted and stored again': async (subject) => {
    const { files, damage } = subject
    if (!files.open || !damage) return
    for (const mend of [() => files.delete(key), () => files.put(key, patternOf(10), 'image/png')]) {
      await files.put(key, patternOf(1_000), 'image/png')
      await damage(key)
      await assert.rejects(files.open(key))
      await mend()
      await files.open(key)
    }
    await assertFile(subject, key, patternOf(10))
  },

  'a link is a URL that gives the file with its type, and nothing once it is deleted': async (subject) => {
    const { files, now = Date.now } = subject
    if (!files.link) return
    await files.put(key, bytes, 'image/png')
    assert.equal(new URL(await files.link(key, now() + 60_000)).protocol.replace('http:', 'https:'), 'https:')
    const content = await follow(subject, key)
    assert.equal(content?.contentType, 'image/png')
    assertBytes(content.bytes, bytes)
    await files.delete(key)
    assert.ok(!(await follow(subject, key)), 'the link of a deleted file still leads to it')
  },
}

async function opened(files: FileStore): Promise<StoredFile | undefined> {
  if (!files.open) return undefined
  await files.put(key, bytes.slice(), 'image/png')
  const file = await files.open(key)
  assert.ok(file)
  return file
}
