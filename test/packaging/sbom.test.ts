import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sbom } from '../../packages/release/src/sbom.ts'
import { repo } from '../processes/repo.ts'
import { publishedPackages } from '../published-packages.ts'
import { installedWith, lockedPackages } from './lock-file.ts'

const hash = `sha512-${Buffer.alloc(64, 1).toString('base64')}`
const places = publishedPackages.map((name) => `packages/${name}`)
const { bomFormat, specVersion, serialNumber, version, metadata, components, dependencies } = sbom(
  lockedPackages,
  new Map(places.map((place) => [place, hash])),
)
const manifestOf = (place: string) => JSON.parse(readFileSync(join(repo, place, 'package.json'), 'utf8'))
const graph = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))

/** The name of a dependency in the registry, which `package.json` may call by another name. */
const realName = ([name, range]: readonly [string, string]) => /^npm:(.+)@/.exec(range)?.[1] ?? name

test('the list of parts has what the schema of CycloneDX 1.6 and the attestation of GitHub require', () => {
  expect({ bomFormat, specVersion, version }).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
  })
  expect(serialNumber).toMatch(/^urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
  expect(metadata.timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(metadata.component).toMatchObject({ type: 'application', name: 'genmount' })
  for (const { hashes, licenses = [], ...component } of components) {
    expect(component).toEqual({
      type: 'library',
      'bom-ref': component.purl,
      name: expect.stringMatching(/^(?:@[\w.-]+\/)?[\w.-]+$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      scope: expect.stringMatching(/^(?:required|optional)$/),
      purl: `pkg:npm/${component.name.replace('@', '%40')}@${encodeURIComponent(component.version)}`,
    })
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }])
    expect(licenses, component.purl).toHaveLength(1)
  }
})

test('each package of the list of parts is there once and has its place in the graph', () => {
  const refs = components.map(({ purl }) => purl)
  expect(new Set(refs).size).toBe(refs.length)
  expect([...graph.keys()].toSorted()).toEqual(['genmount', ...refs].toSorted())
  for (const dependsOn of graph.values()) {
    expect(refs).toEqual(expect.arrayContaining(dependsOn))
    expect(new Set(dependsOn).size).toBe(dependsOn.length)
  }
})

test.each(places)('the list of parts has all that is installed with %s, and what it depends on', (place) => {
  const { name, version: own, dependencies = {} } = manifestOf(place)
  const direct: Readonly<Record<string, string>> = dependencies
  const installed = new Set(
    [...installedWith(place)].map((each) => {
      const { name: other = each.split('node_modules/').at(-1), version: at } = lockedPackages[each] ?? {}
      return `pkg:npm/${other?.replace('@', '%40')}@${at}`
    }),
  )
  const reached = new Set([`pkg:npm/${name.replace('@', '%40')}@${own}`])
  for (const ref of reached) for (const dependency of graph.get(ref) ?? []) reached.add(dependency)
  expect([...installed].filter((ref) => !reached.has(ref))).toEqual([])
  const names = [...reached].map((ref) =>
    ref.slice('pkg:npm/'.length, ref.lastIndexOf('@')).replace('%40', '@'),
  )
  expect(names).toEqual(expect.arrayContaining(Object.entries(direct).map(realName)))
})

test('the list of parts has no tool of the developers', () => {
  const { devDependencies } = manifestOf('.')
  const needed = new Set(places.flatMap((place) => [...installedWith(place)]))
  const tools = Object.keys(devDependencies).filter((name) => !needed.has(`node_modules/${name}`))
  expect(tools).toEqual(expect.arrayContaining(['vitest', 'typescript', 'rollup', 'oxlint', 'vitepress']))
  const listed = new Set(components.map(({ name }) => name))
  expect(tools.filter((name) => listed.has(name))).toEqual([])
})

test('the list of parts has the hash of a package from the lock file, and that of a tarball from the release', () => {
  const contentOf = (wanted: string) => components.find(({ name }) => name === wanted)?.hashes[0]?.content
  const { integrity = '' } = lockedPackages['node_modules/valibot'] ?? {}
  expect(Buffer.from(contentOf('valibot') ?? '', 'hex').toString('base64')).toBe(
    integrity.replace('sha512-', ''),
  )
  expect(contentOf('@genmount/core')).toBe('01'.repeat(64))
})

test('the list of parts names one license by its id, and several by their expression', () => {
  const licensesOf = (wanted: string) => components.find(({ name }) => name === wanted)?.licenses
  expect(licensesOf('@genmount/core')).toEqual([{ license: { id: 'MIT' } }])
  expect(licensesOf('@img/sharp-win32-x64')).toEqual([{ expression: 'Apache-2.0 AND LGPL-3.0-or-later' }])
})

test('a release stops when the lock file has no hash of a package', () => {
  const locked = {
    'packages/a': { name: 'a', version: '1.0.0', dependencies: { b: '1.0.0' } },
    'node_modules/b': { version: '1.0.0' },
  }
  expect(() => sbom(locked, new Map([['packages/a', hash]]))).toThrow(
    'package-lock.json has no hash of b 1.0.0.',
  )
})
