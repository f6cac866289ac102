import { expect, test } from 'vitest'
import { startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

test.each(['node', 'deno', 'bun'] as const)(
  'on %s, the log stays below 8 MB after 20 MB of writes, and the process ends by itself without close',
  async (runtime) => {
    const { line, ended } = startTask('write much', [temporaryFile()], { runtime })
    expect(Number(await line())).toBeLessThan(8_000_000)
    expect(await ended).toBe(0)
  },
)
