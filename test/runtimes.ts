import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/** Node 22 does not know `using`, and warns that its SQLite is experimental. */
const forNode22 = process.version.startsWith('v22.')
  ? [
      '--disable-warning=ExperimentalWarning',
      `--import=${new URL('write-out-using.ts', import.meta.url).href}`,
    ]
  : []

/** The command that runs a TypeScript file from source, on each runtime: the binary itself, no shim around it. */
export const runtimes: Record<'node' | 'deno' | 'bun', readonly [binary: string, ...args: string[]]> = {
  node: [process.execPath, '--conditions=@genmount/source', ...forNode22],
  deno: [binary('deno/deno', 'deno/deno.exe'), 'run', '--allow-all', '--conditions=@genmount/source'],
  bun: [binary('bun/bin/bun.exe', 'bun/bin/bun'), '--conditions=@genmount/source'],
}

/** Where the package's install script has put its binary. */
function binary(...places: string[]): string {
  const found = places.map((place) => join(modules, place)).find((file) => existsSync(file))
  if (found === undefined) throw new Error(`None of ${places.join(', ')} is installed`)
  return found
}

export type Runtime = keyof typeof runtimes

export interface ScriptOptions {
  /** What the script finds behind its own name in `process.argv`. */
  readonly args?: readonly string[]
  readonly timeoutMs?: number
  /** Beside that of this process. */
  readonly env?: NodeJS.ProcessEnv
  /** How many file descriptors its process may have. */
  readonly maxDescriptors?: number
  /** Takes certificates of whoever has signed them. */
  readonly trustsEverybody?: boolean
}

/** Runs a script to its own end, and reads what it prints as JSON. One that hangs on to something is killed and rejects. */
export async function printedBy(
  runtime: Runtime,
  script: URL,
  options: ScriptOptions = {},
): Promise<unknown> {
  const { args = [], timeoutMs = 150_000, env = {}, maxDescriptors, trustsEverybody } = options
  const trust = trustsEverybody && runtime === 'deno' ? ['--unsafely-ignore-certificate-errors'] : []
  const command = [...runtimes[runtime], ...trust, fileURLToPath(script), ...args]
  // In a shell that becomes the program, so that it is this one which is killed.
  const limited = ['sh', '-c', `ulimit -n ${maxDescriptors}; exec "$0" "$@"`, ...command]
  const [program = '', ...rest] = maxDescriptors === undefined ? command : limited
  const ran = promisify(execFile)(program, rest, {
    env: {
      ...process.env,
      DENO_NO_UPDATE_CHECK: '1',
      ...(trustsEverybody && { NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
      ...env,
    },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const { stdout } = await ran.catch((error: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`It failed on ${runtime}, having printed:\n${error.stdout}\n${error.stderr}`, {
      cause: error,
    })
  })
  return JSON.parse(stdout)
}
