import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installedWith } from './lock-file.ts'

const repo = join(import.meta.dirname, '../..')

/** How many MB each of these sets of packages of this repository takes on disk, with everything that it depends on. */
function megabytes(...names: string[]): number {
  const places = new Set(names.flatMap((name) => [...installedWith(`packages/${name}`)]))
  const bytes = [...places].map((place) => bytesIn(join(repo, place))).reduce((sum, some) => sum + some, 0)
  return bytes / 1e6
}

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? bytesIn(path) : statSync(path).size
    })
    .reduce((sum, some) => sum + some, 0)
}

const page = 'packages/docs/pages/mount-it.md'
const app = ['core', 'fetch-handler']
const beside = (name: string) => megabytes(...app, name) - megabytes(...app)

test.each([
  [page, /core and an adapter take (\d+) MB/, () => megabytes(...app)],
  [page, /`@genmount\/provider-procedural` takes (\d+) MB more/, () => beside('provider-procedural')],
  [page, /`@genmount\/provider-esrgan` takes (\d+) MB more/, () => beside('provider-esrgan')],
  ['packages/provider-esrgan/README.md', /install takes some (\d+) MB/, () => megabytes('provider-esrgan')],
])('%s says the size of an install within 15 %%: %s', (readme, size, measured) => {
  const [, named] = size.exec(readFileSync(join(repo, readme), 'utf8').replaceAll(/\s+/g, ' ')) ?? []
  expect(measured()).toBeGreaterThan(0.85 * Number(named))
  expect(measured()).toBeLessThan(1.15 * Number(named))
})
