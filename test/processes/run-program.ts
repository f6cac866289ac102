import { fileURLToPath } from 'node:url'
import { type Command, launch, type LaunchOptions } from './launch.ts'
import { type Runtime, runtimes } from './runtimes.ts'

export interface RunOptions extends LaunchOptions {
  /** What the program reads from standard input. */
  readonly input?: Uint8Array | string
  /** How long it may run before it is killed. @default 150 seconds */
  readonly timeoutMs?: number
}

export type Ran = Awaited<ReturnType<typeof runProgram>>

/** Runs a program to its own end. */
export async function runProgram(command: Command, options: RunOptions = {}) {
  const { input, timeoutMs = 150_000, ...rest } = options
  const { child, kill, ended } = launch(command, rest)
  const out: Buffer[] = []
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk))
  child.stdin.end(input)
  const timer = setTimeout(kill, timeoutMs)
  const exit = await ended.finally(() => clearTimeout(timer))
  const bytes = Buffer.concat(out)
  return { exit, stdout: bytes.toString(), bytes, stderr }
}

/** Runs a program to its own end. @returns its standard output @throws Error with both outputs if it fails */
export async function outputOf(command: Command, options?: RunOptions): Promise<string> {
  const { exit, stdout, stderr } = await runProgram(command, options)
  if (exit !== 0) throw new Error(`${command[0]} has ended with ${exit} and printed:\n${stdout}\n${stderr}`)
  return stdout
}

export interface ScriptOptions extends RunOptions {
  /** What the script finds behind its own name in `process.argv`. */
  readonly args?: readonly string[]
  /** How many file descriptors the process may have. */
  readonly maxDescriptors?: number
  /** Whether the script trusts every certificate, whoever signed it. */
  readonly trustsEverybody?: boolean
}

/** Runs a script from source to its own end. @returns what it has printed, read as JSON */
export async function printedBy(
  runtime: Runtime,
  script: URL,
  { args = [], maxDescriptors, trustsEverybody, env, ...rest }: ScriptOptions = {},
): Promise<unknown> {
  const trust = trustsEverybody && runtime === 'deno' ? ['--unsafely-ignore-certificate-errors'] : []
  const command: Command = [...runtimes[runtime], ...trust, fileURLToPath(script), ...args]
  // The shell becomes the program, so a program that hangs is killed and not its shell.
  const limited: Command = ['sh', '-c', `ulimit -n ${maxDescriptors}; exec "$0" "$@"`, ...command]
  const printed = await outputOf(maxDescriptors === undefined ? command : limited, {
    ...rest,
    env: { ...(trustsEverybody && { NODE_TLS_REJECT_UNAUTHORIZED: '0' }), ...env },
  })
  return JSON.parse(printed)
}
