import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { runtimes } from '../runtimes.ts'

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
