import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { ServerImport } from './bundle-size.ts'

const bundled = new Map<ServerImport, Promise<readonly string[]>>()

/** The source files that a bundler takes along for such a program, with those that it would load later. */
export function bundledModules(name: ServerImport): Promise<readonly string[]> {
  const modules = bundled.get(name) ?? modulesOf(name)
  bundled.set(name, modules)
  return modules
}

async function modulesOf(name: ServerImport): Promise<readonly string[]> {
  const { outputs } = (
    await build({
      entryPoints: [fileURLToPath(new URL(`imports/${name}.ts`, import.meta.url))],
      outdir: 'never-written',
      bundle: true,
      format: 'esm',
      platform: 'node',
      conditions: ['@genmount/source'],
      write: false,
      metafile: true,
    })
  ).metafile
  return Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
}
