import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { npmCommand } from '../../packages/release/src/release-npm.ts'
import { startProcess } from '../processes/start-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { installedWith } from './lock-file.ts'
import { packedPackages } from './packed-packages.ts'
import { npm, run } from './run.ts'
import { lighthouseCommand } from './lighthouse-command.ts'

test('npx of the packed command line, installed alone, makes a picture from an empty folder within 30 s, offline', async () => {
  const app = temporaryFolder()
  writeFileSync(join(app, 'package.json'), '{}')
  const packages = await packedPackages()
  /** The package and all packages of this repository that it depends on, directly or not. */
  const needed = [...installedWith('packages/cli')].flatMap(
    (place) => packages[place.replace('packages', '@genmount')]?.tarball ?? [],
  )
  expect(needed.length).toBeGreaterThan(10)
  await npm(app, ['install', '--prefer-offline', ...needed])

  const startedAt = performance.now()
  const program = join(app, 'node_modules/.bin/genmount')
  // The server is started without npx, because a killed npx leaves its program running.
  const server = startProcess([program, 'serve', '--port', '0'], { cwd: app })
  const [, url = ''] = await server.heard(/listens on (\S+)\n/)
  const npx = (...words: readonly string[]) =>
    run(app, [...npmCommand(), 'exec', '--offline', '--', 'genmount', ...words])
  expect(await npx(...lighthouseCommand(url))).toBe('a.png\n')
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  expect(readFileSync(join(app, 'a.png')).subarray(1, 4).toString()).toBe('PNG')
  expect(await npx('--version')).toBe('0.1.0\n')
  expect(await npx('types', '--url', url)).toContain('export interface Models')
  expect(readdirSync(app)).not.toContain('genmount.json')
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
