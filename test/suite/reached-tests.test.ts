import { expect, test } from 'vitest'
import { reachedTests } from './reached-tests.ts'

const repository: Readonly<Record<string, string>> = {
  'packages/core/src/index.ts': `export { machine } from './job/machine.ts'\nexport { old as limit } from './limits.ts'`,
  'packages/core/src/job/machine.ts': '',
  'packages/core/src/job/machine.test.ts': `import { machine } from './machine.ts'`,
  'packages/core/src/limits.ts': '',
  'packages/core/src/limits.test.ts': `import { limits } from './limits.ts'`,
  'packages/node-http/src/index.ts': `import { machine, type Job } from '@genmount/core'\nimport type { Limit } from '@genmount/core'`,
  'test/hosts/servers/bun-server.ts': `import { toNodeHandler } from '@genmount/node-http'`,
  'test/hosts/hosts.test.ts': `startServer('bun-server.ts')`,
  'test/limits/limits.test.ts': `import { limit as own } from '@genmount/core'`,
  'test/readme/readme.test.ts': `readFileSync(join(repo, 'README.md'))`,
  'README.md': '',
}

const reachedBy = (...changed: string[]) =>
  reachedTests(Object.keys(repository), new Set(changed), (file) => repository[file] ?? '')

test('test:changed runs the tests that import a changed file through other packages and started servers', () => {
  expect(reachedBy('packages/core/src/job/machine.ts')).toEqual([
    'packages/core/src/job/machine.test.ts',
    'test/hosts/hosts.test.ts',
  ])
})

test('test:changed runs the tests of a changed entry of a package, and no tests of another entry', () => {
  expect(reachedBy('packages/core/src/limits.ts')).toEqual([
    'packages/core/src/limits.test.ts',
    'test/limits/limits.test.ts',
  ])
})

test('test:changed runs a changed test file and the tests that name a changed document', () => {
  expect(reachedBy('README.md', 'packages/core/src/limits.test.ts')).toEqual([
    'packages/core/src/limits.test.ts',
    'test/readme/readme.test.ts',
  ])
})

test('test:changed runs nothing when a changed file reaches no test', () => {
  expect(reachedBy('LICENSE')).toEqual([])
})
