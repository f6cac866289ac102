import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const repo = join(import.meta.dirname, '../..')
const oxlint = join(dirname(createRequire(import.meta.url).resolve('oxlint/package.json')), 'bin/oxlint')
const house = mkdtempSync(join(tmpdir(), 'genmount-lint-'))
copyFileSync(join(repo, '.oxlintrc.json'), join(house, '.oxlintrc.json'))
afterAll(() => rmSync(house, { recursive: true }))

/** Lints one file of a house that is empty but for it. */
function lint(path: string, source: string) {
  const file = join(house, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
  const { status, stdout } = spawnSync(process.execPath, [oxlint, '--deny-warnings', path], {
    cwd: house,
    encoding: 'utf8',
  })
  rmSync(file)
  return { status, stdout }
}

const uses = (name: string) => `import { thing } from '${name}'\nexport const mine = thing\n`

test.each([
  ['packages/core/src/jobs/breach.ts', '@genmount/v1-interface'],
  ['packages/core/src/jobs/breach.ts', 'node:fs'],
  ['packages/core/src/jobs/breach.ts', '../defaults/system-clock.ts'],
  ['packages/core/src/contracts/breach.ts', '../jobs/job-machine.ts'],
  ['packages/core/src/errors/breach.ts', '../contracts/job.ts'],
  ['packages/v1-interface/src/routes/breach.ts', '@genmount/node-http'],
  ['packages/v1-interface/src/routes/breach.ts', 'node:crypto'],
  ['packages/fetch-handler/src/breach.ts', '@genmount/node-http'],
  ['packages/fetch-handler/src/breach.ts', 'node:http'],
  ['packages/node-http/src/breach.ts', '@genmount/express-middleware'],
  ['packages/express-middleware/src/breach.ts', '@genmount/v1-interface'],
  ['packages/provider-new/src/breach.ts', '@genmount/v1-interface'],
  ['packages/backend-new/src/breach.ts', '@genmount/guarded-fetch'],
  ['packages/files-new/src/breach.ts', '@genmount/testing'],
  ['packages/testing/src/breach.ts', '@genmount/node-http'],
  ['packages/guarded-fetch/src/breach.ts', '@genmount/core'],
  ['packages/vendor-http/src/breach.ts', '@genmount/guarded-fetch'],
  ['packages/input-fields/src/breach.ts', '@genmount/vendor-http'],
  ['packages/worker-tasks/src/breach.ts', '@genmount/input-fields'],
])('%s may not import %s', (path, name) => {
  const { status, stdout } = lint(path, uses(name))
  expect(stdout).toContain('no-restricted-imports')
  expect(status).not.toBe(0)
})

test.each([
  ['packages/core/src/jobs/fine.ts', '../contracts/job.ts'],
  ['packages/core/src/jobs/generation-service.ts', '../defaults/system-clock.ts'],
  ['packages/v1-interface/src/routes/fine.ts', '@genmount/core'],
  ['packages/fetch-handler/src/fine.ts', '@genmount/v1-interface'],
  ['packages/node-http/src/fine.ts', '@genmount/v1-interface'],
  ['packages/express-middleware/src/fine.ts', '@genmount/node-http'],
  ['packages/provider-new/src/fine.ts', '@genmount/guarded-fetch'],
  ['packages/files-new/src/fine.ts', '@genmount/guarded-fetch'],
  ['packages/provider-new/src/fine.ts', '@genmount/vendor-http'],
  ['packages/provider-new/src/fine.ts', '@genmount/input-fields'],
  ['packages/provider-new/src/fine.ts', '@genmount/worker-tasks'],
  ['packages/input-fields/src/fine.ts', '@genmount/guarded-fetch'],
  ['packages/core/src/jobs/fine.test.ts', '@genmount/testing'],
])('%s may import %s', (path, name) => {
  expect(lint(path, uses(name))).toMatchObject({ status: 0 })
})

test.each(['Date.now()', 'setTimeout(() => {}, 1)', 'performance.now()'])(
  'in core only defaults/ may use %s',
  (source) => {
    expect(lint('packages/core/src/jobs/breach.ts', `export const value = ${source}\n`).stdout).toContain(
      'no-restricted-globals',
    )
    expect(lint('packages/core/src/defaults/fine.ts', `export const value = ${source}\n`)).toMatchObject({
      status: 0,
    })
  },
)
