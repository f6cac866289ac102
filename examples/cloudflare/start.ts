import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { Miniflare } from 'miniflare'
import { buildPlayground } from '../../packages/playground/src/build/build-playground.ts'

/** The parts of `wrangler.jsonc` that Miniflare gets. */
interface Configuration {
  readonly main: string
  readonly compatibility_date: string
  readonly durable_objects: { readonly bindings: { readonly name: string; readonly class_name: string }[] }
  readonly r2_buckets: { readonly binding: string; readonly bucket_name: string }[]
}

const folder = resolve(process.env['DATA_DIR'] ?? 'data/cloudflare')
const ownKeys = process.env['API_KEYS'] || undefined
const configuration = readConfiguration()

/** The published package contains the page. From source, the page is built here, because a worker can't build it. */
const builtPage: Plugin = {
  name: 'built page',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#page$/ }, ({ path }) => ({ path, namespace: 'built-page' }))
    onLoad({ filter: /.*/, namespace: 'built-page' }, () => ({
      contents: `export const page = () => (${JSON.stringify(buildPlayground())})`,
    }))
  },
}

// One file, as wrangler makes it.
const { outputFiles } = await build({
  entryPoints: [resolve(import.meta.dirname, configuration.main)],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['@genmount/source', 'workerd', 'worker', 'browser'],
  external: ['cloudflare:workers', 'node:*'],
  plugins: [builtPage],
})

const miniflare = new Miniflare({
  modules: true,
  script: outputFiles[0]!.text,
  compatibilityDate: configuration.compatibility_date,
  host: '127.0.0.1',
  port: Number(process.env['PORT'] ?? 8787),
  // Otherwise it asks Cloudflare where this machine is.
  cf: false,
  durableObjects: Object.fromEntries(
    configuration.durable_objects.bindings.map(({ name, class_name: className }) => [
      name,
      { className, useSQLite: true },
    ]),
  ),
  r2Buckets: Object.fromEntries(
    configuration.r2_buckets.map(({ binding, bucket_name: name }) => [binding, name]),
  ),
  bindings: { API_KEYS: ownKeys ?? 'dev:dev-key', LINK_SECRET: randomBytes(32).toString('hex') },
  defaultPersistRoot: folder,
})

const { origin } = await miniflare.ready
console.log(`It listens on ${origin}`)
console.log(
  `Its page is at ${origin}/, and the key is ${ownKeys === undefined ? 'dev-key' : 'one of API_KEYS'}`,
)
console.log(`Jobs and files are in ${folder}`)

/** JSON with comments on lines of their own and commas at the end of lists. */
function readConfiguration(): Configuration {
  const text = readFileSync(resolve(import.meta.dirname, 'wrangler.jsonc'), 'utf8')
  return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/,(?=\s*[}\]])/g, ''))
}
