import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { ServerImport } from './bundle-size.ts'

/** The source files that such a program loads at once when it is bundled, without those that it imports later, if ever. */
export async function initialModules(name: ServerImport): Promise<readonly string[]> {
  const { outputs } = (
    await build({
      entryPoints: [fileURLToPath(new URL(`imports/${name}.ts`, import.meta.url))],
      outdir: 'never-written',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      conditions: ['@genmount/source'],
      write: false,
      metafile: true,
    })
  ).metafile
  const chunks = new Set(
    Object.keys(outputs).filter((file) => outputs[file]?.entryPoint?.endsWith(`${name}.ts`)),
  )
  for (const chunk of chunks)
    for (const { kind, path } of outputs[chunk]?.imports ?? [])
      if (kind === 'import-statement' && path in outputs) chunks.add(path)
  return [...chunks].flatMap((chunk) => Object.keys(outputs[chunk]?.inputs ?? {}))
}
