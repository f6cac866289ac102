import { assertAbsent, assertFile, patternOf, type FileStoreCases } from './stored-file.ts'

/**
 * Keys that are difficult for file systems, URLs and objects, together with keys that a bad store confuses
 * them with.
 */
const awkwardKeys = [
  'job-1',
  'job-1/0',
  'job-1/0/thumbnail',
  'job-10',
  'JOB-1',
  'with space',
  'with%20space',
  'with%2Fslash',
  'with/slash',
  'with//slash',
  './with/slash',
  'query?n=1#hash',
  'plus+and&amp;',
  'back\\slash',
  'colon:star*"<>|',
  '.hidden',
  '..',
  '../escape',
  'escape',
  'a/../b',
  'b',
  '/absolute',
  'trailing',
  'trailing/',
  'trailing.',
  '-dash',
  '~',
  'CON',
  '__proto__',
  'constructor',
  'ümläut 🦊',
  'x'.repeat(200),
]

export const keyCases: FileStoreCases = {
  'any text can be a key, and each leads to its own file': async (subject) => {
    const sizeOf = (key: string) => awkwardKeys.indexOf(key) + 1
    for (const key of awkwardKeys) await subject.files.put(key, patternOf(sizeOf(key)), 'image/png')
    for (const key of awkwardKeys) await assertFile(subject, key, patternOf(sizeOf(key)))
  },

  'a key that nobody has used leads nowhere': async (subject) => {
    await subject.files.put('job-1/0', patternOf(10), 'image/png')
    for (const key of [
      'job-1',
      'job-1/',
      'job-1/1',
      'JOB-1/0',
      '',
      '.',
      '..',
      '../job-1/0',
      '__proto__',
      'toString',
    ]) {
      await assertAbsent(subject, key)
    }
  },

  'a deleted file is gone, and only that one': async (subject) => {
    for (const key of awkwardKeys) await subject.files.put(key, patternOf(10), 'image/png')
    const isKept = (_key: string, index: number) => index % 2 === 1
    for (const key of awkwardKeys.filter((each, index) => !isKept(each, index))) {
      await subject.files.delete(key)
      await assertAbsent(subject, key)
    }
    for (const key of awkwardKeys.filter(isKept)) await assertFile(subject, key, patternOf(10))
  },

  'deleting an unknown file, or one a second time, does nothing': async (subject) => {
    await subject.files.put('job-1/0', patternOf(10), 'image/png')
    for (const key of ['unknown', 'job-1', '..', '']) await subject.files.delete(key)
    await assertFile(subject, 'job-1/0', patternOf(10))
    await subject.files.delete('job-1/0')
    await subject.files.delete('job-1/0')
  },

  'a key is free again after its file was deleted': async (subject) => {
    await subject.files.put('job-1/0', patternOf(10), 'image/png')
    await subject.files.delete('job-1/0')
    await subject.files.put('job-1/0', patternOf(20, 7), 'video/mp4')
    await assertFile(subject, 'job-1/0', patternOf(20, 7), 'video/mp4')
  },
}
