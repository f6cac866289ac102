import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { installedWith } from './lock-file.ts'

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
  ['core and an adapter', page, /core and an adapter take (\d+) MB/, () => megabytes(...app)],
  [
    'provider-procedural beside core',
    page,
    /`@genmount\/provider-procedural` takes (\d+) MB more/,
    () => beside('provider-procedural'),
  ],
  [
    'provider-esrgan beside core',
    page,
    /`@genmount\/provider-esrgan` takes (\d+) MB more/,
    () => beside('provider-esrgan'),
  ],
  [
    'provider-esrgan',
    'packages/provider-esrgan/README.md',
    /install takes some (\d+) MB/,
    () => megabytes('provider-esrgan'),
  ],
])('an install of %s takes the size that %s says, within 15 percent', (_what, readme, size, measured) => {
  const [, written] = size.exec(readFileSync(join(repo, readme), 'utf8').replaceAll(/\s+/g, ' ')) ?? []
  expect(measured()).toBeGreaterThan(0.85 * Number(written))
  expect(measured()).toBeLessThan(1.15 * Number(written))
})
