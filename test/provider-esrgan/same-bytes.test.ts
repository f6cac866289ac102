import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runtimes } from '../runtimes.ts'

const script = fileURLToPath(new URL('enlarge-and-digest.ts', import.meta.url))

/** Runs the script to its own end; one that hangs on to something is killed and fails. */
async function digestsOn(runtime: keyof typeof runtimes): Promise<unknown> {
  const [binary, ...args] = runtimes[runtime]
  const { stdout } = await promisify(execFile)(binary, [...args, script], {
    timeout: 90_000,
    killSignal: 'SIGKILL',
  })
  return JSON.parse(stdout)
}

test(
  'Node, Deno and Bun enlarge to the same bytes, and end once the provider is closed',
  { timeout: 300_000 },
  async () => {
    const onNode = await digestsOn('node')
    expect(onNode).toHaveLength(2)
    expect(await digestsOn('deno')).toEqual(onNode)
    expect(await digestsOn('bun')).toEqual(onNode)
  },
)
