import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../packages/provider-kit/src')

/** The names in an entry that an author of a provider may import, types among them. */
function namesOf(entry: string): readonly string[] {
  const [imported = ''] = readFileSync(join(folder, entry), 'utf8').split('// Types that the declarations')
  const lists = imported.matchAll(/^export (?:type )?\{([^}]*)\} from /gm)
  return [...lists].flatMap(([, names = '']) => names.split(',').map((name) => name.trim())).filter(Boolean)
}

function providerSources(): readonly string[] {
  const files = globSync('provider-*/src/**/*.ts', { cwd: join(folder, '../..') })
  return files.map((file) => readFileSync(join(folder, '../..', file), 'utf8'))
}

function kitImportsIn(source: string): readonly string[] {
  const imports = source.matchAll(/^import (?:type )?\{([^}]*)\} from '@genmount\/provider-kit'/gm)
  return [...imports].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace('type ', '').trim()),
  )
}

test('provider-kit has at most 61 names to import, so that an author of a provider can know them all', () => {
  const names = ['index.ts', 'workers.ts'].flatMap(namesOf)
  expect(names).toContain('vendorClient')
  expect(names).toContain('workerPool')
  expect(names.length).toBeLessThanOrEqual(61)
})

test('no provider imports the types that provider-kit exports for declarations alone', () => {
  const [, rest = ''] = readFileSync(join(folder, 'index.ts'), 'utf8').split('// Types that the declarations')
  const lists = rest.matchAll(/^export type \{([^}]*)\}/gm)
  const types = [...lists].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
  expect(types.length).toBeGreaterThan(0)
  const imported = new Set(providerSources().flatMap(kitImportsIn))
  expect(types.filter((name) => imported.has(name))).toEqual([])
})
