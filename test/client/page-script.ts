import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @returns a file of this folder with everything that it imports, for a page, which finds its exports in `program` */
export async function pageScript(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    globalName: 'program',
    conditions: ['@genmount/source'],
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return outputFiles[0]!.text
}
