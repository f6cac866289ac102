import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../packages/provider-kit/src')

/** The names that an entry exports, types among them. */
function namesOf(entry: string): readonly string[] {
  const lists = readFileSync(join(folder, entry), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from /gm)
  return [...lists].flatMap(([, names = '']) => names.split(',').map((name) => name.trim())).filter(Boolean)
}

test('provider-kit exports at most 60 names, so that an author of a provider can know them all', () => {
  const names = ['index.ts', 'workers.ts'].flatMap(namesOf)
  expect(names).toContain('vendorClient')
  expect(names).toContain('workerPool')
  expect(names.length).toBeLessThanOrEqual(60)
})
