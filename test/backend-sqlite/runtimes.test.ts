import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import { startScript, startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

test.each(['node', 'deno', 'bun'] as const)(
  'on %s, two sqliteBackends share jobs through one file, and close leaves only the database file',
  async (runtime) => {
    const file = temporaryFile()
    const seen = JSON.parse(await startScript('round-trip.ts', [file], { runtime }).line())
    const job = exampleJob({
      id: 'kept',
      idempotency: { key: 'alice "key" \u0000 ❄️', fingerprint: 'f' },
      input: { text: 'a 🦊, NUL \u0000, high \ud83e, low \udd8a', number: 0.1 + 0.2 },
    })
    expect(seen).toEqual({
      inserted: { outcome: 'inserted' },
      duplicate: { outcome: 'duplicate', job },
      read: job,
      replaced: 'replaced',
      stale: 'stale',
      seenByTheOther: 7,
      due: ['kept'],
      watched: [true, 'replaced', true],
      finished: [{ outcome: 'inserted' }, 'replaced', ['done']],
      listed: ['kept'],
      deleted: 2,
      unknown: true,
      reopened: { ...job, attempts: 9, revision: 3 },
    })
    expect(readdirSync(dirname(file))).toEqual([basename(file)])
  },
)

test('without node:sqlite, the first use of sqliteBackend fails and names the versions that have it', async () => {
  const { line } = startTask('use once', [temporaryFile()], { flags: ['--no-experimental-sqlite'] })
  expect(await line()).toBe('sqliteBackend needs node:sqlite: use Node 22.13, Deno 2.9, Bun 1.4 or newer.')
})
