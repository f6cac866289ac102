import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { repo, start, type Started } from '../examples/started-server.ts'
import { runtimes } from '../processes/runtimes.ts'

/** The command that runs the program from its source. */
export const command = [...runtimes.node, join(repo, 'packages/cli/src/bin.ts')] as const

/** What a run has left. */
export interface Ran {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

/** Around a run. */
export interface Surroundings {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Uint8Array
}

/** Runs the program to its end, with pipes around it. */
export function genmount(args: readonly string[], around: Surroundings = {}): Promise<Ran> {
  const [program, ...first] = command
  return ran([program, ...first, ...args], around)
}

/** Runs a program to its end. */
export async function ran(
  [program = '', ...args]: readonly string[],
  { cwd = repo, env = {}, input }: Surroundings = {},
): Promise<Ran> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(program, args, { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } })
  const out: Buffer[] = []
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk))
  child.stdin.on('error', () => {}).end(input)
  const [code] = await once(child, 'close')
  return { code, stdout: Buffer.concat(out), stderr }
}

/** Starts the program, which goes on by itself. */
export function started(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Started {
  const [program, ...first] = command
  return start([program, ...first, ...args], env, cwd)
}

/** An empty folder, deleted when the test has finished. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
