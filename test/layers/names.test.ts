import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const repo = join(import.meta.dirname, '../..')

/** Words that say what happened to a value, and not what it is. */
const empty = new Set(['told', 'given', 'known', 'found', 'asked'])

/** The names of variables, parameters, fields and functions in a file that are such words, as `line: name`. */
function emptyNames(text: string): readonly string[] {
  const source = ts.createSourceFile('file.tsx', text, ts.ScriptTarget.Latest)
  const names: string[] = []
  function visit(node: ts.Node): void {
    const name = ts.isPropertyAccessExpression(node) ? undefined : (node as { name?: ts.Node }).name
    if (name && ts.isIdentifier(name) && empty.has(name.text))
      names.push(`${source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1}: ${name.text}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

test('no variable, parameter, field or function of a package is called told, given, known, found or asked', () => {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: repo })
  expect(files.length).toBeGreaterThan(500)
  const breaches = files
    .filter((file) => !/\.test(-d)?\.ts$/.test(file))
    .flatMap((file) => emptyNames(readFileSync(`${repo}/${file}`, 'utf8')).map((name) => `${file}:${name}`))
  expect(breaches).toEqual([])
})

test('the search finds such a name of a variable, a parameter, a field and a function, and not the word in a text', () => {
  const text = `
    const { known } = options
    function found(given: string): { readonly told: string } {
      return { told: 'asked' }
    }`
  expect(emptyNames(text)).toEqual(['2: known', '3: found', '3: given', '3: told', '4: told'])
})
