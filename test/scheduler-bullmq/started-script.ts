import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { until } from '../until.ts'

export interface ScriptProcess {
  readonly child: ChildProcess
  /** What it has printed so far, line by line. */
  readonly lines: readonly string[]
}

/** Runs a script of `processes/` from source in a process of its own, which does not outlive the test. */
export function startScript(script: string, args: readonly string[]): ScriptProcess {
  const [node, ...flags] = runtimes.node
  const path = join(import.meta.dirname, 'processes', script)
  const child = spawn(node, [...flags, path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return { child, lines }
}

/**
 * Tells a started `stop-and-end.ts` to stop. Checks that its scheduler stops within 3 seconds, and that the process then
 * ends by itself within `endsWithinMs`.
 * @param breakRedis is called before the stop
 */
export async function endsAfterStop(
  { child, lines }: ScriptProcess,
  endsWithinMs: number,
  breakRedis?: () => Promise<void>,
): Promise<void> {
  const exit = once(child, 'exit')
  await until(() => lines.length > 0)
  await breakRedis?.()
  child.stdin?.write('stop\n')
  await until(() => /^\d+$/.test(lines.at(-1) ?? ''))
  expect(Number(lines.at(-1))).toBeLessThan(3000)
  const from = performance.now()
  expect(await exit).toEqual([0, null])
  expect(performance.now() - from).toBeLessThan(endsWithinMs)
}
