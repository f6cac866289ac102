import { expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime } from '../processes/runtimes.ts'

/** Declares a test that each runtime draws the same outputs. @param args of the script that draws them */
export function testSameBytes(outputs: number, ...args: readonly string[]): void {
  const digestsOn = (runtime: Runtime) =>
    printedBy(runtime, new URL('draw-and-digest.ts', import.meta.url), { args, timeoutMs: 90_000 })

  test(
    `proceduralProvider makes the same bytes of ${outputs} files on Node, Deno and Bun, and the process ends after close`,
    { timeout: 900_000 },
    async () => {
      const [onNode, onDeno, onBun] = await Promise.all([
        digestsOn('node'),
        digestsOn('deno'),
        digestsOn('bun'),
      ])
      expect(onNode).toHaveLength(outputs)
      expect(onDeno).toEqual(onNode)
      expect(onBun).toEqual(onNode)
    },
  )
}
