/**
 * Bundles the server process of the storms as it was at an earlier commit, with all packages of that commit, so that a
 * storm can run it beside the server of today. Run it after a migration was added, with the last commit before that:
 * `node test/crashes/older/bundle-older-server.ts <commit>`
 *
 * `mends.patch` is applied to that commit first. The patch mends faults of the commit that later commits have mended and
 * that a storm would report as breaches.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../../..')
const commit = process.argv[2] ?? ''
const name = execFileSync('git', ['log', '-1', '--format=%H of %cs', commit], {
  cwd: root,
  encoding: 'utf8',
}).trim()
const folder = mkdtempSync(join(tmpdir(), 'genmount-older-'))
try {
  const sources = execFileSync('git', ['archive', commit, 'packages', 'test/crashes', 'tsconfig.json'], {
    cwd: root,
    maxBuffer: 2 ** 30,
  })
  execFileSync('tar', ['x', '-C', folder], { input: sources })
  execFileSync('patch', ['--strip=1', '--quiet', '--input', join(import.meta.dirname, 'mends.patch')], {
    cwd: folder,
    stdio: 'inherit',
  })
  const scope = join(folder, 'node_modules/@genmount')
  mkdirSync(scope, { recursive: true })
  for (const each of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', each), join(scope, each))
  await build({
    entryPoints: [join(folder, 'test/crashes/service/server.ts')],
    outfile: join(import.meta.dirname, 'older-server.js'),
    banner: {
      js: `// test/crashes/service/server.ts of commit ${name} with mends.patch, made by bundle-older-server.ts`,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['@genmount/source'],
    // All other packages come from node_modules.
    external: ['pg', 'bullmq', 'ioredis', 'valibot', 'itty-router', 'lru-cache', 'p-retry'],
    minify: true,
    lineLimit: 200,
    legalComments: 'none',
  })
} finally {
  rmSync(folder, { recursive: true })
}
