import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runProgram } from '../../processes/run-program.ts'
import { type Runtime, runtimes } from '../../processes/runtimes.ts'
import type { Holdings } from './holdings.ts'

const megabyte = 2 ** 20
const program = join(import.meta.dirname, 'cycles.ts')
// The garbage collectors of Deno and Bun free memory later than Node's, and in larger pieces.
const settings = {
  node: { flag: '--expose-gc', heapMargin: 3 * megabyte },
  deno: { flag: '--v8-flags=--expose-gc', heapMargin: 5 * megabyte },
  bun: { flag: '--expose-gc', heapMargin: 16 * megabyte },
} as const satisfies Record<Runtime, object>

/** Expects that a process holds no more after so many further services than after its first ones, and ends by itself. */
export async function expectNothingLeft(runtime: Runtime, cycles: number): Promise<void> {
  const { flag, heapMargin } = settings[runtime]
  const folder = mkdtempSync(join(tmpdir(), 'genmount-cycles-'))
  try {
    const command = [...runtimes[runtime], flag, program, folder, String(cycles)] as const
    const { exit, stdout, stderr } = await runProgram(command)
    expect([exit, stderr]).toEqual([0, expect.not.stringMatching(/error|warning/i)])
    const [early, late] = JSON.parse(stdout) as [Holdings, Holdings]
    expect(late.descriptors).toEqual(early.descriptors)
    expect(late.resources).toEqual(early.resources)
    expect(late.heapBytes - early.heapBytes).toBeLessThan(heapMargin)
    expect(late.workers).toBe(early.workers)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
