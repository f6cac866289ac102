import { readdirSync, readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { filterProblems } from '@arethetypeswrong/core/problems'
import { beforeAll, describe, expect, test } from 'vitest'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { publishedPackages as names } from '../published-packages.ts'
import { type PackedPackage, type PackedPackages, packedPackages } from './packed-packages.ts'
import { testInstall } from './test-install.ts'

let packages: PackedPackages
beforeAll(async () => void (packages = await packedPackages()))

describe.each(names)('the package @genmount/%s as it is published', (name) => {
  let tarball: Uint8Array<ArrayBuffer>
  let packed: PackedPackage
  beforeAll(() => {
    packed = packages[`@genmount/${name}`]!
    tarball = new Uint8Array(readFileSync(packed.tarball))
  })

  test('has the files that its package.json names, as publint checks', async () => {
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: tarball.buffer } })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  test('has types that TypeScript resolves for ESM and for bundlers', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(tarball))
    if (!analysis.types) throw new Error('The package has no types.')
    for (const resolutionKind of ['node16-esm', 'bundler'] as const) {
      expect(filterProblems(analysis, { resolutionKind })).toEqual([])
      for (const { subpath, resolutions } of Object.values(analysis.entrypoints))
        expect(resolutions[resolutionKind].resolution, subpath).toMatchObject({ isTypeScript: true })
    }
  })

  test('has a README, a license, a changelog, and no tests', () => {
    const files = readdirSync(packed.folder, { recursive: true, encoding: 'utf8' })
    for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) expect(files).toContain(file)
    expect(files.filter((file) => file.includes('.test.'))).toEqual([])
  })
})

// The deep suite installs all packages. Those of a neural network are half of what npm then installs.
testInstall(names.filter((name) => name !== 'provider-esrgan'))
