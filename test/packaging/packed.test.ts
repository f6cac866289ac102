import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { filterProblems } from '@arethetypeswrong/core/problems'
import { beforeAll, describe, expect, test } from 'vitest'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { npmCommand } from '../../packages/release/src/release-npm.ts'
import { repo } from '../processes/repo.ts'
import { startProcess } from '../processes/start-process.ts'
import { isPng, liveThrough } from '../projects/project-life.ts'
import { publishedPackages as names } from '../published-packages.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type PackedPackage, type PackedPackages, packedPackages } from './packed-packages.ts'
import { npm, run } from './run.ts'

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(repo, 'packages', name, 'package.json'), 'utf8'))
/** The oldest Node.js version that all packages support. */
const oldestNode = names
  .map((name): string => `${manifestOf(name).engines.node.replace('>=', '')}.0`)
  .reduce((a, b) => (a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b))

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

test(`all packages install together with npm under Node ${oldestNode}, the oldest supported, serve a request, and npx genmount makes a picture`, async () => {
  const workspace = temporaryFolder()
  const folderWith = (name: string, files: Readonly<Record<string, string>>) => {
    const folder = join(workspace, name)
    mkdirSync(folder)
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
    return folder
  }
  const nodePackage = `node-${process.platform}-${process.arch}`
  const runtime = folderWith('runtime', { 'package.json': '{}' })
  await npm(runtime, ['install', '--prefer-offline', `${nodePackage}@${oldestNode}`])
  const node = join(runtime, 'node_modules', nodePackage, 'bin/node')
  expect((await run(runtime, [node, '--version'])).trim()).toBe(`v${oldestNode}`)

  const app = folderWith('app', {
    'package.json': '{ "type": "module" }',
    '.npmrc': 'engine-strict=true\n',
    'server.cjs': readFileSync(join(repo, 'test/projects/commonjs/server.cjs'), 'utf8'),
    'import-all.mjs': names.map((name) => `import '@genmount/${name}'`).join('\n'),
  })
  const tarballs = Object.values(packages).map(({ tarball }) => tarball)
  await npm(app, ['install', '--prefer-offline', 'express@5.3.0', ...tarballs], node)
  await run(app, [node, 'import-all.mjs'])
  await liveThrough({ command: [node, 'server.cjs'], mount: '' }, app)

  const startedAt = performance.now()
  const program = join(app, 'node_modules/.bin/genmount')
  // The server is started without npx, because a killed npx leaves its program running.
  const server = startProcess([node, program, 'serve', '--port', '0'], { cwd: app })
  const [, url = ''] = await server.heard(/listens on (\S+)\n/)
  const words = ['generate', '-m', 'procedural-image', '-p', 'a lighthouse', '--url', url, '-o', 'a.png']
  const npx = [...npmCommand(node), 'exec', '--offline', '--', 'genmount', ...words] as const
  expect(await run(app, npx)).toBe('a.png\n')
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  expect(isPng(readFileSync(join(app, 'a.png')))).toBe(true)
  expect(await run(app, [node, program, '--version'])).toBe('0.1.0\n')
  expect(await run(app, [node, program, 'types', '--url', url])).toContain('export interface Models')
  expect(readdirSync(app)).not.toContain('genmount.json')
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
