import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { entrySize, importSize, manifestOf, packageNames, packageSize, serverImports } from './bundle-size.ts'

/**
 * `npm run sizes` prints the size of each package and of each entry, with the change since the last release.
 * `npm run sizes -- --record` writes the sizes down, which is a step of a release. `npm run sizes -- --record NAME ...`
 * writes only these down, for a package whose growth is worth it.
 */

/** The gzipped bytes of packages, of their entries, and of whole programs, by name. */
export type Sizes = Readonly<Record<string, number>>

/** The sizes at the last release. */
export interface RecordedSizes {
  readonly version: string
  readonly bytes: Sizes
}

/** How much a size may grow until the next release. Small packages grow by a large part with each line. */
const most = { part: 0.1, bytes: 250 }

const file = new URL('recorded-sizes.json', import.meta.url)

export function recordedSizes(): RecordedSizes {
  return JSON.parse(readFileSync(file, 'utf8'))
}

export async function measuredSizes(): Promise<Sizes> {
  const sizes: Record<string, number> = {}
  for (const name of packageNames) {
    sizes[name] = await packageSize(name)
    const entries = Object.keys(manifestOf(name).exports)
    // Of a package with one entry, this is what it loads at its start.
    for (const entry of entries) sizes[`${name}${entry.slice(1)} at once`] = await entrySize(name, entry)
    if (entries.length === 1 && sizes[`${name} at once`] === sizes[name]) delete sizes[`${name} at once`]
  }
  for (const name of serverImports) sizes[`server ${name}`] = await importSize(name)
  return sizes
}

/** The sizes that have grown by more than a change may without a word, as lines of text. */
export function tooLarge(measured: Sizes, { bytes }: Pick<RecordedSizes, 'bytes'>): readonly string[] {
  return Object.entries(measured)
    .filter(([name, size]) => {
      const before = bytes[name] ?? size
      return size > before * (1 + most.part) && size > before + most.bytes
    })
    .map(([name, size]) => lineOf(name, size, bytes[name]))
}

function lineOf(name: string, size: number, before: number | undefined): string {
  const change = before === undefined ? 'new' : `${(((size - before) / before) * 100).toFixed(1)} %`
  return `${name.padEnd(36)} ${String(before ?? '').padStart(7)} ${String(size).padStart(7)} ${change.padStart(8)}`
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { record: { type: 'boolean', default: false } },
  })
  const measured = await measuredSizes()
  const { version, bytes } = recordedSizes()
  console.log(`Gzipped bytes, at the release of ${version} and now:`)
  for (const [name, size] of Object.entries(measured)) console.log(lineOf(name, size, bytes[name]))
  if (!values.record) return
  const isNamed = (name: string) => positionals.some((word) => name === word || name.startsWith(`${word} `))
  const named = Object.fromEntries(Object.entries(measured).filter(([name]) => isNamed(name)))
  const recorded: RecordedSizes =
    positionals.length === 0
      ? { version: manifestOf('core').version, bytes: measured }
      : { version, bytes: { ...bytes, ...named } }
  writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`)
}

if (import.meta.main) await run()
