import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packPackages } from './pack-packages.ts'
import { npm, npx } from './run.ts'

const repo = join(import.meta.dirname, '../..')

/** The package and all packages of this repository that it depends on, directly or not. */
function closureOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  const path = join(repo, name.replace('@genmount', 'packages'), 'package.json')
  const { dependencies = {} } = JSON.parse(readFileSync(path, 'utf8'))
  for (const needed of Object.keys(dependencies))
    if (needed.startsWith('@genmount/')) closureOf(needed, found)
  return found
}

test('npx of the packed command line makes a picture from an empty folder in under 30 s after install, offline', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'genmount-npx-'))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  const tarballs = packPackages(workspace)
  const app = join(workspace, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{}')
  const needed = [...closureOf('@genmount/cli')].map((name) => tarballs.get(name) ?? name)
  npm(app, ['install', '--prefer-offline', ...needed])

  const startedAt = performance.now()
  const program = join(app, 'node_modules/.bin/genmount')
  // The program is started without npx, because a killed npx leaves the program running. It gets only three variables,
  // because the test runner sets others, such as BASE_URL, that would change what the program does.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const server = spawn(program, ['serve', '--port', '0'], {
    cwd: app,
    env: { PATH, HOME, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    server.once('close', () => reject(new Error(`It ended, having said: ${said}`)))
    server.stdout.on('data', (chunk: Buffer) => {
      said += chunk
      const [, found] = /listens on (\S+)\n/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const words = ['generate', '-m', 'procedural-image', '-p', 'a lighthouse', '--url', url, '-o', 'a.png']
  expect(npx(app, ['genmount', ...words])).toBe('a.png\n')
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  expect(readFileSync(join(app, 'a.png')).subarray(1, 4).toString()).toBe('PNG')
  expect(npx(app, ['genmount', '--version'])).toBe('0.1.0\n')
  expect(npx(app, ['genmount', 'types', '--url', url])).toContain('export interface Models')
  expect(readdirSync(app)).not.toContain('genmount.json')
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}, 300_000)
