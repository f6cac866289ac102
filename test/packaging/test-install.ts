import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { npmCommand } from '../../packages/release/src/release-npm.ts'
import { repo } from '../processes/repo.ts'
import { startProcess } from '../processes/start-process.ts'
import { isPng, liveThrough } from '../projects/project-life.ts'
import { publishedPackages } from '../published-packages.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { packedPackages } from './packed-packages.ts'
import { npm, run } from './run.ts'

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(repo, 'packages', name, 'package.json'), 'utf8'))
/** The oldest Node.js version that all packages support. */
const oldestNode = publishedPackages
  .map((name): string => `${manifestOf(name).engines.node.replace('>=', '')}.0`)
  .reduce((a, b) => (a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b))

/** The import of what a package exports under its name, or of its entries if each has a name of its own. */
function importsOf(name: string): string[] {
  const entries = Object.keys(manifestOf(name).exports)
  const chosen = entries.includes('.') ? ['.'] : entries
  return chosen.map((entry) => `import '@genmount/${name}${entry.slice(1)}'`)
}

/** Declares a test that npm installs these packages together, and that the server and the program in them work. */
export function testInstall(names: readonly string[]): void {
  test(`${names.length} packages install together with npm under Node ${oldestNode}, the oldest supported, serve a request, and npx genmount makes a picture`, async () => {
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
      'import-all.mjs': names.flatMap(importsOf).join('\n'),
    })
    const packages = await packedPackages()
    const tarballs = names.map((name) => packages[`@genmount/${name}`]!.tarball)
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
}
