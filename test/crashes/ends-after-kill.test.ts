import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startProcess } from '../backend-sqlite/started-process.ts'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'

const script = '../../crashes/ends/app-that-books-ends.ts'

test.each([
  ['SQLite', async () => temporaryFile()],
  ['Postgres', databaseOfFile],
])(
  'the end of a job that a process has written, and of which it has told nobody when it is killed, is found in the ledger by the next one: %s',
  async (_name, open) => {
    const database = await open()
    const doomed = startProcess(script, [database])
    const exit = once(doomed.child, 'exit')
    const first = await doomed.line()
    expect(await exit).toEqual([null, 'SIGKILL'])
    expect((await doomed.lines.next()).done).toBe(true)

    const next = startProcess(script, [database, 'after', first.split(' ')[2] ?? ''])
    const booked: string[] = []
    for (let line = await next.line(); line !== 'read'; line = await next.line()) booked.push(line)
    // The ledger returns ends that are already booked again, unchanged, so that the app recognises them by job id and
    // instant.
    expect(booked).toHaveLength(2)
    expect(booked).toContain(first)
    for (const line of booked) expect(line).toMatch(/^gen_\S+ completed \d+$/)
    expect(new Set(booked.map((line) => line.split(' ')[0])).size).toBe(2)
  },
)
