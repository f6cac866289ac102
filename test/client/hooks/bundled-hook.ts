import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { compile } from 'svelte/compiler'

/** Compiles components of Svelte. */
const svelte = (generate: 'client' | 'server'): Plugin => ({
  name: 'svelte',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { js, warnings } = compile(await readFile(path, 'utf8'), {
        filename: path,
        generate,
        dev: true,
      })
      return { contents: js.code, warnings: warnings.map(({ message }) => ({ text: message })) }
    }),
})

/** @returns a file of this folder with everything that it imports, for a page or for a server in Node */
export async function bundledHook(file: string, platform: 'browser' | 'node'): Promise<string> {
  const { outputFiles, warnings } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    platform,
    format: platform === 'node' ? 'cjs' : 'iife',
    conditions: ['@genmount/source', 'development'],
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: [svelte(platform === 'node' ? 'server' : 'client')],
  })
  if (warnings.length > 0) throw new Error(JSON.stringify(warnings))
  return outputFiles[0]!.text
}
