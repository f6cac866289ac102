import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { publishedPackages } from '../published-packages.ts'
import { installedWith, lockedPackages } from './lock-file.ts'

interface Manifest {
  readonly publishConfig?: object
  readonly files: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * Dependencies that decode files from strangers. Users of our packages must get fixes of these without waiting for our next
 * release.
 */
const decoders = ['sharp']

/** The words that a NOTICE file must contain for dependencies whose licenses require a notice. */
const notices: Readonly<Record<string, readonly string[]>> = {
  sharp: ['libvips', 'LGPL-3.0-or-later'],
  mediabunny: ['mediabunny', 'MPL-2.0'],
}

/** Licenses that ask for nothing but to be kept beside the code, as SPDX names them. */
const permissive = [
  '(AFL-2.1 OR BSD-3-Clause)',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Python-2.0',
]

describe.each(publishedPackages)('the package @genmount/%s', (name) => {
  const folder = join(repo, 'packages', name)
  const {
    publishConfig,
    files,
    dependencies = {},
  }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

  test('is published with a provenance statement of npm', () => {
    expect(publishConfig).toEqual({ access: 'public', provenance: true })
  })

  test('accepts newer versions of the decoders that it depends on', () => {
    for (const decoder of decoders)
      if (dependencies[decoder] !== undefined) expect(dependencies[decoder]).toMatch(/^\^/)
  })

  test('has a NOTICE if the license of a dependency requires one', () => {
    const required = Object.keys(notices).filter((dependency) => dependency in dependencies)
    const notice = join(folder, 'NOTICE')
    expect(files.includes('NOTICE')).toBe(existsSync(notice))
    for (const dependency of required)
      for (const words of notices[dependency] ?? []) expect(readFileSync(notice, 'utf8')).toContain(words)
  })

  test('installs only what is under a permissive license, or under one that a NOTICE installed with it names', () => {
    const installed = [...installedWith(`packages/${name}`)]
    const installedNotices = installed
      .map((place) => join(repo, place, 'NOTICE'))
      .filter((file) => !file.includes('node_modules') && existsSync(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('')
    const others = installed.flatMap((place) => {
      const licenses = lockedPackages[place]?.license?.split(' AND ') ?? ['no license']
      return licenses
        .filter((license) => !permissive.includes(license) && !installedNotices.includes(license))
        .map((license) => `${place}: ${license}`)
    })
    expect(others).toEqual([])
  })

  test('installs without an install script, of itself or of a dependency', () => {
    const installed = [...installedWith(`packages/${name}`)]
    expect(installed.length).toBeGreaterThan(0)
    // An optional package may have an install script: if npm must not run it, npm leaves out the package.
    const needed = installed.filter((place) => !lockedPackages[place]?.optional)
    expect(needed.filter((place) => lockedPackages[place]?.hasInstallScript)).toEqual([])
  })

  test('installs nothing that its author marks as deprecated at npm', () => {
    const deprecated = [...installedWith(`packages/${name}`)].flatMap((place) => {
      const { version, deprecated: reason } = lockedPackages[place] ?? {}
      return reason === undefined ? [] : `${place} ${version}: ${reason}`
    })
    expect(deprecated).toEqual([])
  })
})
