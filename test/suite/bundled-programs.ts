import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { launch } from '../processes/launch.ts'
import { repo } from '../processes/repo.ts'
import { runtimes } from '../processes/runtimes.ts'
import type { builtPages } from './built-pages.ts'
import { sharedServer } from './shared-server.ts'

/** The programs that tests start most often, by their sources. */
const sources = [
  'test/deaths/service/server.ts',
  'examples/standalone-node/server.ts',
  'examples/hosted-providers/server.ts',
  'packages/cli/src/bin.ts',
  'packages/mcp/src/genmount-mcp.ts',
  'test/examples/vendors-on-loopback.ts',
  'test/providers/killed/killed-server.ts',
  'test/providers/killed/spread-server.ts',
  'test/providers/openai-videos/genmount-server.ts',
  'test/limits/processes/limited-service.ts',
] as const

/** The scripts of worker threads, which a server starts when it starts: they check that they can be loaded. */
const workers = [
  'packages/provider-procedural/src/render-worker.ts',
  'packages/variants/src/convert-worker.ts',
] as const

/** Packages of many modules, each of which Node would look for at each start. The other packages stay outside. */
const manyModules =
  /^(?:@ioredis|@modelcontextprotocol|bullmq|ioredis|mediabunny|pg(?:-[a-z]+)?|valibot|zod)(?:\/|$)/

const requireIn = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`

/** Marks a question of the plugin itself, which esbuild answers. */
const isAsked = Symbol('is asked')

/**
 * Installed packages stay outside, and those in the folder of one package, such as its own sharp, are found there.
 * `@genmount/provider-esrgan` is not found, because it takes half of a start.
 */
const onlyOurSources: Plugin = {
  name: 'only our sources',
  setup({ onResolve, onLoad, resolve }) {
    // An import() of a CommonJS module that esbuild has bundled has no names but `default`.
    onResolve({ filter: /^ioredis$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'ioredis', namespace: 'names' } : undefined,
    )
    onLoad({ filter: /^ioredis$/, namespace: 'names' }, () => ({
      contents: `export { Cluster, Redis } from 'ioredis'`,
      resolveDir: repo,
    }))
    onResolve({ filter: /^[^./#]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === isAsked) return undefined
      if (path === '@genmount/provider-esrgan') return { path: 'no-such-package', external: true }
      if (path.startsWith('@genmount/') || manyModules.test(path)) return undefined
      const [folder = repo] = /^.*\/packages\/[^/]+/.exec(importer) ?? []
      if (!existsSync(join(folder, 'node_modules', path))) return { path, external: true }
      const own = await resolve(path, { kind, importer, resolveDir, pluginData: isAsked })
      return { path: own.path, external: true }
    })
  },
}

/**
 * A source in the bundle finds the files beside it as if it were not bundled, but the bundled scripts of worker threads, and
 * the pages as a release contains them.
 */
const placesOfSources = (
  outdir: string,
  { playground, operator }: ReturnType<typeof builtPages>,
): Plugin => ({
  name: 'places of sources',
  setup({ onLoad }) {
    for (const [filter, page] of [
      [/packages\/playground\/src\/build\/page\.ts$/, playground],
      [/packages\/operator\/src\/build-page\/built-page\.ts$/, operator],
    ] as const)
      onLoad({ filter }, () => ({ contents: `export const page = () => (${JSON.stringify(page)})` }))
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      for (const worker of workers)
        contents = contents.replaceAll(
          `'../${basename(worker)}'`,
          JSON.stringify(pathToFileURL(bundleOf(worker, outdir)).href),
        )
      return { contents, loader: 'ts' }
    })
  },
})

/**
 * Bundles the programs that tests start most often. A bundle starts in half the CPU time that its sources need, or less.
 * @returns the URL of the folder with the bundles
 */
export async function bundlePrograms() {
  const { build } = await import('esbuild')
  const { builtPages } = await import('./built-pages.ts')
  const cache = join(repo, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // Here the bundles find the packages that are not in them.
  const outdir = mkdtempSync(join(cache, 'programs-'))
  // Some programs run as another user.
  chmodSync(outdir, 0o755)
  const stop = async () => rmSync(outdir, { recursive: true })
  try {
    await build({
      absWorkingDir: repo,
      entryPoints: [...sources, ...workers],
      outdir,
      outbase: repo,
      bundle: true,
      splitting: true,
      platform: 'node',
      // The oldest Node that runs the tests. It does not know `using`.
      target: 'node22',
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      // Some of these packages are CommonJS.
      banner: { js: requireIn },
      conditions: ['@genmount/source'],
      plugins: [onlyOurSources, placesOfSources(outdir, builtPages())],
    })
    await startOnce(bundleOf('examples/standalone-node/server.ts', outdir))
  } catch (error) {
    await stop()
    throw error
  }
  return { url: pathToFileURL(outdir).href, stop }
}

/** Node keeps what it has compiled when a process ends by itself. Most servers of tests are killed. */
async function startOnce(program: string): Promise<void> {
  const server = launch([...runtimes.node, program], { env: { PORT: '0' } })
  await server.heard(/curl/)
  server.child.kill('SIGTERM')
  await server.ended
}

const bundleOf = (source: (typeof sources | typeof workers)[number], folder: string) =>
  join(folder, source.replace(/ts$/, 'mjs'))

/** @returns the file of a program in the bundle that all test files of this run share */
export async function bundledProgram(source: (typeof sources)[number]): Promise<string> {
  return bundleOf(source, fileURLToPath(await sharedServer('programs')))
}
