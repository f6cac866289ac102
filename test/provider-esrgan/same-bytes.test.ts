import { expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime } from '../processes/runtimes.ts'

const digestsOn = (runtime: Runtime) =>
  printedBy(runtime, new URL('enlarge-and-digest.ts', import.meta.url), { timeoutMs: 90_000 })

test(
  'esrganProvider makes the same bytes on Node, Deno and Bun, and the process ends after close',
  { timeout: 900_000 },
  async () => {
    const [onNode, onDeno, onBun] = await Promise.all([
      digestsOn('node'),
      digestsOn('deno'),
      digestsOn('bun'),
    ])
    expect(onNode).toHaveLength(2)
    expect(onDeno).toEqual(onNode)
    expect(onBun).toEqual(onNode)
  },
)
