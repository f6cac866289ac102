import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { npmCommand } from '../../packages/release/src/release-npm.ts'
import { repo } from '../processes/repo.ts'
import { outputOf } from '../processes/run-program.ts'
import { startProcess } from '../processes/start-process.ts'
import { env, expectImage, isPng, portOf } from '../projects/project-life.ts'
import { publishedPackages } from '../published-packages.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { packedPackages } from './packed-packages.ts'
import { startPackageRegistry } from './package-registry.ts'
import { npm, run } from './run.ts'
import { lighthouseCommand } from './lighthouse-command.ts'

/** A repository that has the packages as they are built, and nothing to build. */
async function builtRepository(npmrc: string): Promise<string> {
  const folder = temporaryFolder()
  const packages = await packedPackages()
  for (const name of publishedPackages)
    cpSync(packages[`@genmount/${name}`]!.folder, join(folder, 'packages', name), { recursive: true })
  const manifest = { private: true, workspaces: ['packages/*'], scripts: { build: 'true' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, '.npmrc'), npmrc)
  cpSync(join(repo, 'package-lock.json'), join(folder, 'package-lock.json'))
  return folder
}

/**
 * The settings with which npm finds our packages in this registry, and others where it always finds them. What npx installs is
 * new too, but not what npm has downloaded before.
 */
async function npmSettings(registry: string): Promise<Readonly<Record<string, string>>> {
  const folder = temporaryFolder()
  const shared = (await npm(folder, ['config', 'get', 'cache'])).trim()
  mkdirSync(join(shared, '_cacache'), { recursive: true })
  symlinkSync(join(shared, '_cacache'), join(folder, '_cacache'))
  return {
    npm_config_cache: folder,
    npm_config_prefer_offline: 'true',
    'npm_config_@genmount:registry': registry,
  }
}

test('a release into a registry on this machine publishes all packages, and from there npm install and npx @genmount/cli serve make pictures in empty folders', async () => {
  const registry = await startPackageRegistry()
  onTestFinished(registry.stop)
  const cwd = await builtRepository(registry.login)
  const program = join(repo, 'packages/release/src/release.ts')
  await outputOf([process.execPath, program, '--rehearse', registry.url, '--output', 'kept'], {
    cwd,
    timeoutMs: 300_000,
  })
  expect(registry.published.toSorted()).toEqual(publishedPackages.map((name) => `@genmount/${name}`))
  expect(readdirSync(join(cwd, 'kept'))).toContain('genmount.cdx.json')

  const settings = await npmSettings(registry.url)
  const app = temporaryFolder()
  const packages = ['@genmount/core', '@genmount/node-http', '@genmount/provider-procedural']
  await run(app, [...npmCommand(), 'install', ...packages], settings)
  cpSync(join(repo, 'test/projects/node-http/server.ts'), join(app, 'server.mts'))
  const server = startProcess([process.execPath, 'server.mts'], { cwd: app, env })
  await expectImage(`http://localhost:${await portOf(server)}`)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)

  const empty = temporaryFolder()
  const npx = [...npmCommand(), 'exec', '--yes', '--', '@genmount/cli'] as const
  const served = startProcess([...npx, 'serve', '--port', '0'], {
    cwd: empty,
    env: settings,
    leadsGroup: true,
  })
  // npm passes no signal on to the server: the terminal sends it to both.
  const signal = (name: NodeJS.Signals) => process.kill(-served.pid, name)
  onTestFinished(() => void (served.hasEnded || signal('SIGKILL')))
  const [, url = ''] = await served.heard(/listens on (\S+)\n/)
  await run(empty, [...npx, ...lighthouseCommand(url)], settings)
  expect(isPng(readFileSync(join(empty, 'a.png')))).toBe(true)
  signal('SIGTERM')
  await served.ended
  await expect(fetch(url)).rejects.toThrow()
})
