import { expect, test } from 'vitest'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { startProcess } from '../processes/start-process.ts'
import { scriptCommand } from '../processes/start-server.ts'

const script = new URL('service/app-that-books-ends.ts', import.meta.url)

test.each([
  ['SQLite', async () => temporaryFile()],
  ['Postgres', databaseOfFile],
])(
  'an app on %s finds in the ledger the end of a job that was stored when the app was killed before onTransition had returned',
  async (_name, open) => {
    const database = await open()
    const doomed = startProcess(scriptCommand('node', script, database))
    const first = await doomed.line()
    expect(await doomed.ended).toBe('SIGKILL')
    await expect(doomed.line()).rejects.toThrow('has ended')

    const next = startProcess(scriptCommand('node', script, database, 'after', first.split(' ')[2] ?? ''))
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
