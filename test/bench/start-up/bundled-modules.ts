import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { ServerImport } from './bundle-size.ts'

/** The source files that a bundler takes along for such a program, with those that it would load later. */
export async function bundledModules(name: ServerImport): Promise<readonly string[]> {
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
