import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { npmCommand } from '../../packages/release/src/release-npm.ts'
import { repo } from '../processes/repo.ts'
import { runProgram } from '../processes/run-program.ts'
import { startProcess } from '../processes/start-process.ts'
import { isPng, liveThrough } from '../projects/project-life.ts'
import { publishedPackages } from '../published-packages.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { packedPackages } from './packed-packages.ts'
import { npm, run } from './run.ts'
import { lighthouseCommand } from './lighthouse-command.ts'

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(repo, 'packages', name, 'package.json'), 'utf8'))
/** What an app imports of the package: the package itself, or each of its entries if it has no entry of its own name. */
function importsOf(name: string): string[] {
  const entries = Object.keys(manifestOf(name).exports)
  return (entries.includes('.') ? ['.'] : entries).map((entry) => `@genmount/${name}${entry.slice(1)}`)
}
/** The oldest Node.js version that all packages support. */
const oldestNode = publishedPackages
  .map((name): string => `${manifestOf(name).engines.node.replace('>=', '')}.0`)
  .reduce((a, b) => (a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b))

/** The last Node.js version before the oldest that the packages support. The client alone runs on it. */
const tooOldNode = '22.11.0'
/** Imports the packages that are named behind it, and prints why it can't, by their names. */
const importEach = `
  const reasons = {}
  for (const name of process.argv.slice(2)) await import(name).catch(({ message }) => (reasons[name] = message))
  console.log(JSON.stringify(reasons))`

/**
 * Installs a Node.js of this version where later runs find it: npm needs 5 CPU seconds for one.
 * @returns its binary
 */
async function installedNode(version: string): Promise<string> {
  const nodePackage = `node-${process.platform}-${process.arch}`
  const cache = join(repo, 'node_modules/.cache')
  const place = join(cache, `${nodePackage}-${version}`)
  if (!existsSync(place)) {
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(join(cache, 'node-'))
    writeFileSync(join(folder, 'package.json'), '{}')
    await npm(folder, ['install', '--prefer-offline', `${nodePackage}@${version}`])
    // Another run may have put it there meanwhile. Then this one goes.
    await rename(folder, place).catch(() => rm(folder, { recursive: true }))
  }
  const node = join(place, 'node_modules', nodePackage, 'bin/node')
  expect((await run(place, [node, '--version'])).trim()).toBe(`v${version}`)
  return node
}

/** Checks that each of these installed packages refuses a Node.js that is too old for it, in words, and so does the program. */
async function expectRefusals(app: string, tooOld: string, names: readonly string[]): Promise<void> {
  const own = names.flatMap(importsOf)
  const reasons = JSON.parse(await run(app, [tooOld, 'import-each.mjs', ...own]))
  const refused = own.filter((name) => name !== '@genmount/client')
  const words = expect.stringMatching(
    /^@genmount\/[a-z-]+ is made for Node\.js 22\.1[23] or later, and this is Node\.js 22\.11\.0\.$/,
  )
  expect(reasons).toEqual(Object.fromEntries(refused.map((name) => [name, words])))
  const program = join(app, 'node_modules/.bin/genmount')
  expect(await runProgram([tooOld, program, 'serve', '--port', '0'], { cwd: app })).toMatchObject({
    exit: 1,
    stdout: '',
    stderr: '@genmount/cli is made for Node.js 22.13 or later, and this is Node.js 22.11.0.\n',
  })
}

/** Declares a test that npm installs these packages together, and that the server and the program in them work. */
export function testInstall(names: readonly string[]): void {
  test(`${names.length} packages install together with npm under Node ${oldestNode}, the oldest supported, serve a request, and npx genmount makes a picture; an older one is refused in words`, async () => {
    const node = await installedNode(oldestNode)
    const app = temporaryFolder()
    const files = {
      'package.json': '{ "type": "module" }',
      '.npmrc': 'engine-strict=true\n',
      'server.cjs': readFileSync(join(repo, 'test/projects/commonjs/server.cjs'), 'utf8'),
      'import-all.mjs': names
        .flatMap(importsOf)
        .map((name) => `import '${name}'`)
        .join('\n'),
      'import-each.mjs': importEach,
    }
    for (const [file, text] of Object.entries(files)) writeFileSync(join(app, file), text)
    const packages = await packedPackages()
    const tarballs = names.map((name) => packages[`@genmount/${name}`]!.tarball)
    await npm(app, ['install', '--prefer-offline', 'express@5.3.0', ...tarballs], node)
    await run(app, [node, 'import-all.mjs'])
    const tooOld = await installedNode(tooOldNode)
    await expectRefusals(app, tooOld, names)
    await liveThrough({ command: [node, 'server.cjs'], mount: '' }, app)

    const startedAt = performance.now()
    const program = join(app, 'node_modules/.bin/genmount')
    // The server is started without npx, because a killed npx leaves its program running.
    const server = startProcess([node, program, 'serve', '--port', '0'], { cwd: app })
    const [, url = ''] = await server.heard(/listens on (\S+)\n/)
    const npx = [
      ...npmCommand(node),
      'exec',
      '--offline',
      '--',
      'genmount',
      ...lighthouseCommand(url),
    ] as const
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
