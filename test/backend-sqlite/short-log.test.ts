import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startProcess } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

test.each(['node', 'deno', 'bun'] as const)(
  'on %s the log stays short however much is written, and the process ends by itself, without a close',
  async (runtime) => {
    const { child, line } = startProcess('write-much.ts', [temporaryFile()], { runtime })
    const exit = once(child, 'exit')
    expect(Number(await line())).toBeLessThan(8_000_000)
    expect(await exit).toEqual([0, null])
  },
)
