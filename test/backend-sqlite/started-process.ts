import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'

export interface StartedProcess {
  readonly child: ChildProcess
  /** What it prints, line by line. */
  readonly lines: AsyncIterableIterator<string>
  /** The next line it prints. @throws Error with its standard error when it ends instead */
  line(): Promise<string>
}

export interface StartOptions {
  /** @default 'node' */
  readonly runtime?: keyof typeof runtimes
  /** Flags of the runtime. */
  readonly flags?: readonly string[]
  /** A command that gets the one to run as its arguments. */
  readonly within?: readonly string[]
}

/** Runs a script of `processes/` from source in a process of its own, which does not outlive the test. */
export function startProcess(script: string, args: string[], options: StartOptions = {}): StartedProcess {
  const { runtime = 'node', flags = [], within = [] } = options
  const path = join(import.meta.dirname, 'processes', script)
  const [command = '', ...rest] = [...within, ...runtimes[runtime], ...flags, path, ...args]
  const child = spawn(command, rest, { env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    lines,
    async line() {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${script} has ended: ${errors}`)
      return value
    },
  }
}

/** Ends the process with SIGKILL. Resolves when it has ended. */
export async function killProcess({ child }: StartedProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
