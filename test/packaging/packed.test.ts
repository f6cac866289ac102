import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { filterProblems } from '@arethetypeswrong/core/problems'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedPackages as names } from '../published-packages.ts'
import { packPackages } from './pack-packages.ts'
import { npm, run } from './run.ts'

const repo = join(import.meta.dirname, '../..')
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(repo, 'packages', name, 'package.json'), 'utf8'))
/** The oldest Node.js version that all packages support. */
const oldestNode = names
  .map((name): string => `${manifestOf(name).engines.node.replace('>=', '')}.0`)
  .reduce((a, b) => (a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b))
const workspace = mkdtempSync(join(tmpdir(), 'genmount-packed-'))
const tarballs = new Map<string, string>()

afterAll(() => rmSync(workspace, { recursive: true }))

beforeAll(() => {
  for (const [name, tarball] of packPackages(workspace)) tarballs.set(name.replace('@genmount/', ''), tarball)
})

describe.each(names)('@genmount/%s as it is published', (name) => {
  test('has what its manifest promises', async () => {
    const { publint } = await import('publint')
    const { formatMessage } = await import('publint/utils')
    const { messages, pkg } = await publint({
      strict: true,
      pack: { tarball: new Uint8Array(readFileSync(tarballs.get(name) ?? '')).buffer },
    })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  test('has types that every ESM user resolves', async () => {
    const analysis = await checkPackage(
      createPackageFromTarballData(new Uint8Array(readFileSync(tarballs.get(name) ?? ''))),
    )
    if (!analysis.types) throw new Error('The package has no types.')
    for (const resolutionKind of ['node16-esm', 'bundler'] as const) {
      expect(filterProblems(analysis, { resolutionKind })).toEqual([])
      for (const { subpath, resolutions } of Object.values(analysis.entrypoints))
        expect(resolutions[resolutionKind].resolution, subpath).toMatchObject({ isTypeScript: true })
    }
  })

  test('brings a README, a license, what its releases brought, and no tests', () => {
    const files = run('tar', ['-tzf', tarballs.get(name) ?? ''], repo).split('\n')
    expect(files).toContain('package/README.md')
    expect(files).toContain('package/LICENSE')
    expect(files).toContain('package/CHANGELOG.md')
    expect(files.filter((file) => file.includes('.test.'))).toEqual([])
  })
})

test(`all packages install together under Node ${oldestNode}, the oldest supported, and serve a request`, () => {
  const runtime = join(workspace, 'runtime')
  mkdirSync(runtime)
  writeFileSync(join(runtime, 'package.json'), '{}')
  const nodePackage = `node-${process.platform}-${process.arch}`
  npm(runtime, ['install', '--prefer-offline', `${nodePackage}@${oldestNode}`])
  const node = join(runtime, 'node_modules', nodePackage, 'bin/node')
  expect(run(node, ['--version'], runtime).trim()).toBe(`v${oldestNode}`)

  const app = join(workspace, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(app, '.npmrc'), 'engine-strict=true\n')
  npm(app, ['install', '--prefer-offline', 'express@5.3.0', ...tarballs.values()], node)
  const script = readFileSync(join(import.meta.dirname, 'one-request.mjs'), 'utf8')
  writeFileSync(join(app, 'one-request.mjs'), script)
  const imports = names.map((name) => `import '@genmount/${name}'`).join('\n')
  writeFileSync(join(app, 'import-all.mjs'), imports)
  run(node, ['import-all.mjs'], app)
  expect(JSON.parse(run(node, ['one-request.mjs'], app))).toEqual({
    status: 200,
    job: 'completed',
    file: 'image/png',
  })
}, 240_000)
