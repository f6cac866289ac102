import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import { startProcess } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

test.each(['node', 'deno', 'bun'] as const)(
  'on %s jobs are kept as they are, each writer sees the other, and nothing but the database file is left',
  async (runtime) => {
    const file = temporaryFile()
    const seen = JSON.parse(await startProcess('round-trip.ts', [file], { runtime }).line())
    const job = exampleJob({
      id: 'kept',
      idempotency: { key: 'alice "key" \u0000 ❄️', fingerprint: 'f' },
      task: { text: 'a 🦊, NUL \u0000, high \ud83e, low \udd8a', number: 0.1 + 0.2 },
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

test('a runtime without node:sqlite says what is needed, and not before the database is used', async () => {
  const { line } = startProcess('use-once.ts', [temporaryFile()], { flags: ['--no-experimental-sqlite'] })
  expect(await line()).toBe('sqliteBackend needs node:sqlite: use Node 22.13, Deno 2.9, Bun 1.4 or newer.')
})
