// @module-tag needs/linux
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import type { Holdings } from './cycles/holdings.ts'

const program = join(import.meta.dirname, 'cycles/cycles.ts')
const megabyte = 2 ** 20

test.concurrent.for([
  ['node', 200, ['--expose-gc'], 3 * megabyte],
  // The garbage collectors of Deno and Bun free memory later than Node's, and in larger pieces.
  ['deno', 40, ['--v8-flags=--expose-gc'], 5 * megabyte],
  ['bun', 40, ['--expose-gc'], 16 * megabyte],
] as const)(
  'on %s, %i services that come and go in one process leave nothing behind, and it ends by itself',
  async ([runtime, cycles, flags, heapMargin], { onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), 'genmount-cycles-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [binary, ...args] = runtimes[runtime]
    const { stdout, stderr } = await promisify(execFile)(
      binary,
      [...args, ...flags, program, folder, String(cycles)],
      { timeout: 170_000, env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' } },
    )
    expect(stderr).not.toMatch(/error|warning/i)
    const [early, late] = JSON.parse(stdout) as [Holdings, Holdings]
    expect(late.descriptors).toEqual(early.descriptors)
    expect(late.resources).toEqual(early.resources)
    expect(late.heapBytes - early.heapBytes).toBeLessThan(heapMargin)
    expect(late.workers).toBe(early.workers)
  },
)
