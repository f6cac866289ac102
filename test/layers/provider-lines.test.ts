import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const packages = join(import.meta.dirname, '../../packages')

/** How many lines the sources of a provider may have, with comments, without tests and without its catalogue. */
const mostLines = 500

/** Those that have more, with the most that they may have, and why. */
const exceptions: Readonly<Record<string, number>> = {
  // Makes its pictures and films itself, and has no vendor.
  'provider-procedural': 5000,
}

/** Models as data: a folder `catalogue`, or the entry `models.ts`. */
const catalogue = /^(?:.*\/)?catalogue\/|^models\.ts$/

function linesOf(name: string): number {
  const folder = join(packages, name, 'src')
  const sources = globSync('**/*.ts', { cwd: folder }).filter(
    (file) => !file.endsWith('.test.ts') && !catalogue.test(file.replaceAll('\\', '/')),
  )
  const lines = sources.map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1)
  return lines.reduce((sum, count) => sum + count, 0)
}

const providers = readdirSync(packages).filter((name) => name.startsWith('provider-'))

test.each(providers)('the sources of %s are read in one sitting', (name) => {
  expect(linesOf(name)).toBeLessThanOrEqual(exceptions[name] ?? mostLines)
})
