/**
 * Bundles the server process of the storms as it was at an earlier commit, with all packages of that commit, so that a
 * storm can run it beside the server of today. Run it after a migration was added, with the last commit before that:
 * `node test/deaths/older/bundle-older-server.ts <commit>`
 *
 * `mends.patch` is applied to that commit first. The patch mends faults of the commit that later commits have mended and
 * that a storm would report as breaches.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { outputOf } from '../../processes/run-program.ts'

const commit = process.argv[2] ?? ''
const name = (await outputOf(['git', 'log', '-1', '--format=%H of %cs', commit])).trim()
const folder = mkdtempSync(join(tmpdir(), 'genmount-older-'))
try {
  const archive = join(folder, 'sources.tar')
  await outputOf(['git', 'archive', `--output=${archive}`, commit, 'packages', 'test', 'tsconfig.json'])
  await outputOf(['tar', 'xf', archive], { cwd: folder })
  const patch = join(import.meta.dirname, 'mends.patch')
  await outputOf(['patch', '--strip=1', '--quiet', '--input', patch], { cwd: folder })
  const scope = join(folder, 'node_modules/@genmount')
  mkdirSync(scope, { recursive: true })
  for (const each of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', each), join(scope, each))
  // Where the server was before it came here.
  const places = ['test/deaths/service/server.ts', 'test/crashes/service/server.ts']
  const place = places.find((path) => existsSync(join(folder, path))) ?? ''
  await build({
    entryPoints: [join(folder, place)],
    outfile: join(import.meta.dirname, 'older-server.js'),
    banner: { js: `// ${place} of commit ${name} with mends.patch, made by bundle-older-server.ts` },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['@genmount/source'],
    // All other packages come from node_modules.
    external: ['pg', 'bullmq', 'ioredis', 'valibot', 'itty-router', 'lru-cache', 'p-retry'],
    minify: true,
    // Nobody reads the bundle, so the line breaks of its SQL are escaped as well.
    supported: { 'template-literal': false },
    legalComments: 'none',
  })
} finally {
  rmSync(folder, { recursive: true })
}
