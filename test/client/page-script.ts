import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @returns a file of `programs` with everything that it imports, for a page */
export async function pageScript(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`programs/${program}`, import.meta.url))],
    bundle: true,
    write: false,
    conditions: ['@genmount/source'],
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return outputFiles[0]!.text
}
