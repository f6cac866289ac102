import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { publishedPackages } from '../published-packages.ts'
import { importBreach } from './import-breach.ts'
import { importCycles } from './import-cycles.ts'
import { floorsOfCore, importsOfPackage, pluginsOfCore, withoutNode } from './layers.ts'

const repo = join(import.meta.dirname, '../..')
/** What is published: no test, and no kit that only tests use. */
const sources = globSync(`packages/{${publishedPackages.join()}}/src/**/*.{ts,tsx}`, { cwd: repo }).filter(
  (file) => !/\.test\.ts$|\/test-kit\//.test(file),
)

function importsOf(file: string): string[] {
  const text = readFileSync(join(repo, file), 'utf8')
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
}

/** The files of the same package that a file imports. */
function importedFiles(file: string): string[] {
  const local = importsOf(file).filter((imported) => imported.startsWith('.'))
  return local.map((imported) => posix.join(posix.dirname(file), imported))
}

/** @returns a line for each import of these files that is a breach */
function breachesOf(files: readonly string[]): readonly string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .map((imported) => [imported, importBreach(file, imported)])
      .filter(([, breach]) => breach !== undefined)
      .map(([imported, breach]) => `${file} imports ${imported}: ${breach}`),
  )
}

test('each file of a package imports only what the table of layers allows its package', () => {
  expect(sources.length).toBeGreaterThan(200)
  expect(breachesOf(sources)).toEqual([])
})

test('no file of a package imports itself through other files', () => {
  expect(importCycles(new Map(sources.map((file) => [file, importedFiles(file)])))).toEqual([])
})

test('no folder of core has more than 18 files, tests apart', () => {
  const files = sources.filter((file) => file.startsWith('packages/core/src/'))
  const inFolder = Map.groupBy(files, (file) => posix.dirname(file))
  const large = [...inFolder].filter(([, { length }]) => length > 18)
  expect(large.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
})

test('files that import one another are found as a cycle', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ])
  expect(importCycles(graph)).toEqual([['a', 'b', 'c', 'a']])
})

test('below test/, only the files in test/processes start processes by node:child_process', () => {
  const tests = globSync('test/**/*.{ts,tsx,mts,js,mjs,cjs}', { cwd: repo })
  expect(tests.length).toBeGreaterThan(500)
  expect(breachesOf(tests)).toEqual([])
})

test.each(['node:child_process', 'child_process'])(
  'an import of %s below test/ is a breach outside of test/processes',
  (imported) => {
    expect(importBreach('test/crashes/campaign/breach.ts', imported)).toBeDefined()
    expect(importBreach('test/crashes/breach.test.ts', imported)).toBeDefined()
    expect(importBreach('test/processes/launch.ts', imported)).toBeUndefined()
    expect(importBreach('packages/cli/src/start.ts', imported)).toBeUndefined()
  },
)

const packages = [...new Set(sources.map((file) => file.split('/')[1] ?? ''))]
const ownPackages = (allowed: readonly string[]) => packages.filter((name) => !allowed.includes(name))

test.each(packages)(
  'an import in %s of a package that the table of layers does not name for it is a breach',
  (name) => {
    const allowed = importsOfPackage[name] ?? importsOfPackage[name.replace(/-.*/, '-*')]
    expect(allowed).toBeDefined()
    for (const other of ownPackages([...(allowed ?? []), name]))
      expect(importBreach(`packages/${name}/src/breach.ts`, `@genmount/${other}`)).toBeDefined()
  },
)

test.each(floorsOfCore.flat())(
  'in core, an import in the folder %s from a folder of its own floor or of a higher one is a breach',
  (room) => {
    const floor = floorsOfCore.findIndex((rooms) => rooms.includes(room))
    const forbidden = floorsOfCore
      .slice(floor)
      .flat()
      .filter((other) => other !== room)
    for (const other of forbidden)
      expect(importBreach(`packages/core/src/${room}/breach.ts`, `../${other}/thing.ts`)).toBeDefined()
    expect(importBreach(`packages/core/src/${room}/breach.ts`, '../index.ts')).toBeDefined()
    expect(importBreach(`packages/core/src/${room}/breach.ts`, '../new-room/thing.ts')).toBeDefined()
  },
)

test.each(pluginsOfCore)(
  'in core, an import of the plugin %s by a folder of the engine or by another plugin is a breach, as is one of the engine',
  (plugin) => {
    const engine = ['routing', 'plugins', 'steps', 'service']
    for (const other of [...floorsOfCore.flat(), ...pluginsOfCore].filter((room) => room !== plugin))
      expect(importBreach(`packages/core/src/${other}/breach.ts`, `../${plugin}/thing.ts`)).toBeDefined()
    expect(importBreach('packages/core/src/index.ts', `./${plugin}/thing.ts`)).toBeDefined()
    for (const other of engine)
      expect(importBreach(`packages/core/src/${plugin}/breach.ts`, `../${other}/thing.ts`)).toBeDefined()
  },
)

test.each(withoutNode)(
  'an import of a module of Node in %s, which runs without Node, is a breach',
  (name) => {
    expect(importBreach(`packages/${name}/src/breach.ts`, 'node:fs')).toBeDefined()
  },
)

test('an import of a file of another package by its path, not by the name of the package, is a breach', () => {
  const path = '../../core/src/text/short-text.ts'
  expect(importBreach('packages/testing/src/http.ts', path)).toBeDefined()
})
