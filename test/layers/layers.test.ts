import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { publishedPackages } from '../published-packages.ts'
import { importBreach } from './import-breach.ts'
import { floorsOfCore, importsOfPackage, withoutNode } from './layers.ts'

const repo = join(import.meta.dirname, '../..')
/** What is published: no test, and no kit that only tests use. */
const sources = globSync(`packages/{${publishedPackages.join()}}/src/**/*.{ts,tsx}`, { cwd: repo }).filter(
  (file) => !/\.test\.ts$|\/test-kit\//.test(file),
)

function importsOf(file: string): string[] {
  const text = readFileSync(join(repo, file), 'utf8')
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
}

test('every file imports what the table of layers allows it', () => {
  expect(sources.length).toBeGreaterThan(200)
  const breaches = sources.flatMap((file) =>
    importsOf(file)
      .map((imported) => [imported, importBreach(file, imported)])
      .filter(([, breach]) => breach !== undefined)
      .map(([imported, breach]) => `${file} imports ${imported}: ${breach}`),
  )
  expect(breaches).toEqual([])
})

const packages = [...new Set(sources.map((file) => file.split('/')[1] ?? ''))]
const ownPackages = (allowed: readonly string[]) => packages.filter((name) => !allowed.includes(name))

test.each(packages)('an import of %s of a package that is not its business is a breach', (name) => {
  const allowed = importsOfPackage[name] ?? importsOfPackage[name.replace(/-.*/, '-*')]
  expect(allowed).toBeDefined()
  for (const other of ownPackages([...(allowed ?? []), name]))
    expect(importBreach(`packages/${name}/src/breach.ts`, `@genmount/${other}`)).toBeDefined()
})

test.each(floorsOfCore.flat())('in core, %s imports no room of its own floor or above', (room) => {
  const floor = floorsOfCore.findIndex((rooms) => rooms.includes(room))
  const forbidden = floorsOfCore
    .slice(floor)
    .flat()
    .filter((other) => other !== room)
  for (const other of forbidden)
    expect(importBreach(`packages/core/src/${room}/breach.ts`, `../${other}/thing.ts`)).toBeDefined()
  expect(importBreach(`packages/core/src/${room}/breach.ts`, '../index.ts')).toBeDefined()
  expect(importBreach(`packages/core/src/${room}/breach.ts`, '../new-room/thing.ts')).toBeDefined()
})

test.each(withoutNode)('%s runs where there are no modules of Node', (name) => {
  expect(importBreach(`packages/${name}/src/breach.ts`, 'node:fs')).toBeDefined()
})

test('the files of another package are imported by its name', () => {
  const path = '../../core/src/text/short-text.ts'
  expect(importBreach('packages/testing/src/http.ts', path)).toBeDefined()
})
