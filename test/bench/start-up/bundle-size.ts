import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import smallLibrary from '@size-limit/preset-small-lib'
import { build } from 'esbuild'
import sizeLimit from 'size-limit'
import { disposableFolder } from '../../disposable-folder.ts'

const packagesFolder = new URL('../../../packages/', import.meta.url)

export { publishedPackages as packageNames } from '../../published-packages.ts'

/**
 * The size of these source files with everything that they import except `external`, minified and gzipped, in
 * bytes.
 * @param entry the name of the file of which only what it loads at once is counted. @default everything is counted, also
 *   what is imported later
 */
function bundleSize(files: readonly URL[], external: RegExp, entry?: string): Promise<number> {
  const key = [...files, external, entry].join(' ')
  const size = sizes.get(key) ?? sizeOfBundle(files, external, entry)
  sizes.set(key, size)
  return size
}

/** Each bundle is made once in a process. */
const sizes = new Map<string, Promise<number>>()

async function sizeOfBundle(files: readonly URL[], external: RegExp, entry?: string): Promise<number> {
  const check = {
    files: files.map((file) => fileURLToPath(file)),
    ...(entry !== undefined && { entry: [entry] }),
    gzip: true,
    modifyRolldownConfig: (config: object) => ({
      ...config,
      platform: 'node',
      external: [/^node:/, external],
      resolve: { conditionNames: ['@genmount/source', 'import', 'node', 'default'] },
    }),
  }
  const limits = { checks: [check], cwd: fileURLToPath(packagesFolder) }
  // The types of size-limit only know the options of its command line.
  const results = (await sizeLimit([smallLibrary as never], limits as never)) as readonly {
    readonly size: number
  }[]
  return results[0]!.size
}

/**
 * The code that one package publishes: what it exports, and the worker threads that this code starts by their
 * file.
 */
export async function packageSize(name: string): Promise<number> {
  const folder = new URL(`${name}/`, packagesFolder)
  const exported = Object.values(manifestOf(name).exports).map((entry) => entry['@genmount/source'])
  const workers = globSync('src/*-worker.ts', { cwd: fileURLToPath(folder) })
  return bundleSize(
    [...exported, ...workers].map((file) => new URL(file, folder)),
    isOfOthers,
  )
}

/**
 * The size of what a bundler takes along for one name that core exports. Core is bundled into few files first, as it is
 * published, so that its modules can't be left out as a whole.
 */
export async function nameSize(exported: string): Promise<number> {
  using folder = disposableFolder()
  const source = fileURLToPath(new URL('core/src/index.ts', packagesFolder))
  await build({
    entryPoints: [source],
    outdir: folder.path,
    bundle: true,
    splitting: true,
    format: 'esm',
    packages: 'external',
  })
  const entry = join(folder.path, 'entry.js')
  writeFileSync(entry, `export { ${exported} } from './index.js'`)
  return await bundleSize([pathToFileURL(entry)], isOfOthers)
}

/** The code that one entry of a package, such as `.` or `./models`, loads at once. */
export async function entrySize(name: string, entry: string): Promise<number> {
  const file = manifestOf(name).exports[entry]!['@genmount/source']
  return bundleSize(
    [new URL(`${name}/${file}`, packagesFolder)],
    isOfOthers,
    basename(file).replace(/\.tsx?$/, ''),
  )
}

interface Manifest {
  readonly version: string
  readonly exports: Readonly<Record<string, { readonly '@genmount/source': string }>>
}

export function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(new URL(`${name}/package.json`, packagesFolder), 'utf8'))
}

/** The imports of four real servers and of a page: the files in the folder `imports`. */
export const serverImports = [
  'client',
  'minimal',
  'sqlite-and-mirror',
  'durable-object',
  'everything',
] as const
export type ServerImport = (typeof serverImports)[number]

/** The size of such a program with all dependencies, in bytes. */
export function importSize(name: ServerImport): Promise<number> {
  return bundleSize([new URL(`imports/${name}.ts`, import.meta.url)], isNothing)
}

/** What a package imports of others. The build puts `page-kit` into the packages that import it. */
const isOfOthers = /^(?!@genmount\/page-kit\/)[^./]/
const isNothing = /^$/
