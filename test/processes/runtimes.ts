import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repo } from './repo.ts'

const modules = join(repo, 'node_modules')

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
