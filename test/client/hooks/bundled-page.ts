import { readFile } from 'node:fs/promises'
import { build, type Plugin } from 'esbuild'
import { compile } from 'svelte/compiler'
import { compileScript, parse } from 'vue/compiler-sfc'

/** Compiles the files of components of Svelte and Vue. */
const components = (generate: 'client' | 'server'): Plugin => ({
  name: 'components',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const { js, warnings } = compile(source, { filename: path, generate, dev: true })
      return { contents: js.code, warnings: warnings.map(({ message }) => ({ text: message })) }
    })
    onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const { descriptor, errors } = parse(await readFile(path, 'utf8'), { filename: path })
      const { content } = compileScript(descriptor, { id: 'component', inlineTemplate: true })
      return { contents: content, loader: 'ts', errors: errors.map(({ message }) => ({ text: message })) }
    })
  },
})

const bundles = new Map<string, Promise<string>>()

/** @returns a file with everything that it imports, for a page or for a server in Node. Each is bundled once. */
export function bundledPage(file: string, platform: 'browser' | 'node'): Promise<string> {
  const made = bundles.get(`${platform} ${file}`) ?? bundle(file, platform)
  bundles.set(`${platform} ${file}`, made)
  return made
}

async function bundle(file: string, platform: 'browser' | 'node'): Promise<string> {
  const { outputFiles, warnings } = await build({
    entryPoints: [file],
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
    plugins: [components(platform === 'node' ? 'server' : 'client')],
  })
  if (warnings.length > 0) throw new Error(JSON.stringify(warnings))
  return outputFiles[0]!.text
}
