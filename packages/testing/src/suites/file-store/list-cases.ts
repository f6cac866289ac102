import assert from 'node:assert/strict'
import { patternOf, streamOf, type FileStoreCases, type FileStoreSubject } from './stored-file.ts'

const keys = ['clips/0199-ab', 'clips/0199-cd', 'clips/02', 'clips-0199', 'clip/0199', 'clipss/0199', '0199']

/** The listed keys in order; `undefined` for a store that can't list its files. */
async function listed({ files }: FileStoreSubject, prefix: string): Promise<string[] | undefined> {
  if (!files.list) return undefined
  const listedKeys: string[] = []
  for await (const key of files.list(prefix)) listedKeys.push(key)
  return listedKeys.toSorted()
}

/** Fails if the store can list its files, and lists others than these. */
async function assertListed(subject: FileStoreSubject, prefix: string, expected: string[]): Promise<void> {
  assert.deepEqual((await listed(subject, prefix)) ?? expected, expected)
}

export const listCases: FileStoreCases = {
  'a list has the keys that begin with the prefix, each once, and no others': async (subject) => {
    await assertListed(subject, 'clips/', [])
    for (const key of keys) await subject.files.put(key, patternOf(10), 'image/png')
    await subject.files.put(keys[0] ?? '', patternOf(20), 'image/png')
    await assertListed(subject, 'clips/', keys.slice(0, 3))
    await assertListed(subject, 'clips/0199', keys.slice(0, 2))
    await assertListed(subject, 'clips/0199-cd', ['clips/0199-cd'])
    await assertListed(subject, 'clips/1', [])
    await assertListed(subject, 'films/', [])
  },

  'a list has no deleted files and no files that were not stored whole': async (subject) => {
    for (const key of keys) await subject.files.put(key, patternOf(10), 'image/png')
    await subject.files.delete('clips/02')
    const broken = streamOf([patternOf(10)], new Error('The stream broke.'))
    await assert.rejects(subject.files.put('clips/03', broken, 'image/png'))
    await assertListed(subject, 'clips/', ['clips/0199-ab', 'clips/0199-cd'])
  },
}
