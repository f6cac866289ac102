import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const repo = join(import.meta.dirname, '../..')

interface Manifest {
  readonly publishConfig?: object
  readonly files: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Locked {
  readonly link?: boolean
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const packages: Readonly<Record<string, Locked>> = JSON.parse(
  readFileSync(join(repo, 'package-lock.json'), 'utf8'),
).packages

/** Decoders read what strangers send: whoever uses a package gets their fixes without waiting for our next release. */
const decoders = ['sharp']

/** What a NOTICE must say of dependencies whose licenses ask for more than to be kept. */
const notices: Readonly<Record<string, readonly string[]>> = {
  sharp: ['libvips', 'LGPL-3.0-or-later'],
  mediabunny: ['mediabunny', 'MPL-2.0'],
}

/** Where the lock file has the dependency, as Node resolves it from there. */
function placeOf(name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = join(at, 'node_modules', name)
    const { link, resolved } = packages[place] ?? {}
    if (packages[place]) return link ? resolved : place
    if (at === '') return undefined
  }
}

/** Every place of the lock file that installing the package fills, its own among them. */
function installedWith(start: string): Set<string> {
  const places = new Set([start])
  for (const place of places) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[place] ?? {}
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    )
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = placeOf(name, place)
      if (found !== undefined) places.add(found)
    }
  }
  return places
}

describe.each(readdirSync(join(repo, 'packages')))('@genmount/%s', (name) => {
  const folder = join(repo, 'packages', name)
  const {
    publishConfig,
    files,
    dependencies = {},
  }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

  test('is published with proof of where it was built', () => {
    expect(publishConfig).toEqual({ access: 'public', provenance: true })
  })

  test('takes fixes of the decoders that it uses', () => {
    for (const decoder of decoders)
      if (dependencies[decoder] !== undefined) expect(dependencies[decoder]).toMatch(/^\^/)
  })

  test('has a NOTICE where a dependency asks for one', () => {
    const required = Object.keys(notices).filter((dependency) => dependency in dependencies)
    const notice = join(folder, 'NOTICE')
    expect(files.includes('NOTICE')).toBe(existsSync(notice))
    for (const dependency of required)
      for (const words of notices[dependency] ?? []) expect(readFileSync(notice, 'utf8')).toContain(words)
  })

  test('runs no script of anybody when it is installed', () => {
    const installed = [...installedWith(`packages/${name}`)]
    expect(installed.length).toBeGreaterThan(0)
    expect(installed.filter((place) => packages[place]?.hasInstallScript)).toEqual([])
  })
})
