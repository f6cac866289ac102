import { globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { build } from 'tsup'
import { recordBuild } from './built-sources.ts'
import { engineCheck } from './engine-check.ts'
import { runVisibly } from './run-visibly.ts'

/**
 * Builds all packages in one process. The compiler writes the type declarations of all packages in one run, because a run for
 * each package would take ten times as long in all. The build does not report type errors: `npm run types` does.
 */
const written = mkdtempSync(join(tmpdir(), 'genmount-types-'))
const waiting = globSync('packages/*/package.json').map(dirname)

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** @returns the names of the sources that become files of the package; none for a package that is not published */
function entriesOf(folder: string): string[] {
  const { tsup: { entry = 'src/*.ts' } = {}, private: isPrivate } = manifestOf(folder)
  if (isPrivate) return []
  const sources = globSync(entry, { cwd: folder, exclude: ['**/*.test.ts'] })
  return sources.map((source) => basename(source, '.ts')).toSorted()
}

const pathsOf = (names: readonly string[], folder: string, ending: string) =>
  Object.fromEntries(names.map((name) => [name, join(folder, name + ending)]))

/** Bundles the sources of a package. What they share becomes a file of its own. */
async function bundleSources(folder: string, names: readonly string[]): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: pathsOf(names, resolve(folder, 'src'), '.ts'),
    outDir: resolve(folder, 'dist'),
    clean: true,
    format: 'esm',
    target: 'es2023',
    platform: 'neutral',
    tsconfig: 'tsconfig.json',
    removeNodeProtocol: false,
    // Dependencies are not bundled: npm installs them beside the package. What is not published is.
    external: [/^(?!@genmount\/page-kit\/)[^./]/],
    // esbuild writes the path of each source into a comment. These paths start at the folder of the package.
    esbuildOptions: (options) => void (options.absWorkingDir = resolve(folder)),
    // tsup would start a thread for the declarations of each package, and each thread would load a compiler.
    dts: false,
  })
}

/** Joins the declarations of a package. They are complete, so the compiler need not read what they import. */
async function joinDeclarations(folder: string, names: readonly string[]): Promise<void> {
  const bundle = await rollup({
    input: pathsOf(names, join(written, basename(folder), 'src'), '.d.ts'),
    external: /^[^./]/,
    plugins: [dts({ compilerOptions: { noLib: true, noResolve: true, types: [] } })],
    // A program exports nothing.
    onwarn: (warning, warn) => void (warning.code !== 'EMPTY_BUNDLE' && warn(warning)),
  })
  await bundle.write({
    dir: resolve(folder, 'dist'),
    entryFileNames: '[name].d.ts',
    chunkFileNames: '[name]-[hash].d.ts',
  })
  await bundle.close()
}

/**
 * Lets each file that the package exports refuse a Node.js that is too old. A module evaluates what it imports first. So a
 * program becomes a file that imports nothing before its check, and then the program itself, `<name>.program.js`.
 */
function checkEngine(folder: string, names: readonly string[]): void {
  const manifest = manifestOf(folder)
  const programs = Object.values<string>(typeof manifest.bin === 'object' ? manifest.bin : [manifest.bin])
  for (const name of names) {
    const file = resolve(folder, 'dist', `${name}.js`)
    if (programs.some((program) => resolve(folder, program ?? '') === file)) {
      renameSync(file, resolve(folder, 'dist', `${name}.program.js`))
      const lines = [
        '#!/usr/bin/env node',
        engineCheck(manifest, 'exit'),
        `await import('./${name}.program.js')\n`,
      ]
      writeFileSync(file, lines.join('\n'), { mode: 0o755 })
    } else writeFileSync(file, `${engineCheck(manifest, 'throw')}\n${readFileSync(file, 'utf8')}`)
  }
}

async function buildNext(): Promise<void> {
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const names = entriesOf(folder)
    if (names.length === 0) continue
    await bundleSources(folder, names)
    await joinDeclarations(folder, names)
    checkEngine(folder, names)
  }
}

async function run(...args: string[]): Promise<void> {
  const { exit } = await runVisibly([process.execPath, ...args])
  if (exit !== 0) throw new Error(`node ${args.join(' ')} has ended with ${exit}`)
}

async function buildAll(): Promise<void> {
  const compiler = 'node_modules/@typescript/native/bin/tsc'
  await run(compiler, '-p', 'packages/release/types.json', '--outDir', written)
  await Promise.all(Array.from({ length: availableParallelism() }, buildNext))
  for (const page of ['playground/src/build/write-page.ts', 'operator/src/build-page/write-built-page.ts'])
    await run('--conditions=@genmount/source', `packages/${page}`)
}

try {
  await recordBuild(buildAll)
} finally {
  rmSync(written, { recursive: true })
}
