import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/** The command that runs a TypeScript file from source, on each runtime: the binary itself, no shim around it. */
export const runtimes: Record<'node' | 'deno' | 'bun', readonly [binary: string, ...args: string[]]> = {
  node: [process.execPath, '--conditions=@genmount/source'],
  deno: [binary('deno/deno', 'deno/deno.exe'), 'run', '--allow-all', '--conditions=@genmount/source'],
  bun: [binary('bun/bin/bun.exe', 'bun/bin/bun'), '--conditions=@genmount/source'],
}

/** Where the package's install script has put its binary. */
function binary(...places: string[]): string {
  const found = places.map((place) => join(modules, place)).find((file) => existsSync(file))
  if (found === undefined) throw new Error(`None of ${places.join(', ')} is installed`)
  return found
}
