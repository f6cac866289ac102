import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './suite/long-files-first.ts'
import { missingNeeds, type SystemNeedName, systemNeeds, tagOf } from './suite/system-needs.ts'
import { tallyReporter } from './suite/tally-reporter.ts'

const conditions = ['@genmount/source', 'module', 'node', 'development|production']

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const deep = 'test/**/*.deep{,.alone}.test.ts'
const alone = 'test/**/*.alone.test.ts'
const missing = await missingNeeds()

/**
 * V8 collects garbage with one thread, as several spend a twentieth of the CPU time on waiting for one another. It then keeps the
 * bytes of dead streams for longer, so what measures memory does not run with it.
 */
const oneCollector = { execArgv: ['--single-threaded-gc'] }

/** What measures memory or time runs after all others, with nothing beside it, and each file in a process of its own. */
const nothingBeside = { maxWorkers: 1, isolate: true, sequence: { groupOrder: 1 } }

/** The pages are built once for a run, in place of once in each worker. */
const sharedPages = {
  name: 'shared pages',
  enforce: 'pre',
  resolveId: (name: string) =>
    ({ '#page': here('suite/pages/playground.ts'), '#built-page': here('suite/pages/operator.ts') })[name],
} as const

export default defineConfig({
  plugins: [sharedPages],
  root: new URL('..', import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ['test/suite/offer-servers.ts'],
    // A loaded machine makes a test of seconds take minutes. These limits only end tests that hang.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 90_000, interval: 20 } },
    // The processes that tests start share what Node has compiled, which halves the CPU time of a start.
    env: { NODE_COMPILE_CACHE: here('../node_modules/.cache/node') },
    // Most tests wait more than they work. Six at a time end a tenth sooner on two quick cores, and on slow ones they keep
    // one another from their promises: a create, for example, has 0.9 seconds to be stored.
    maxWorkers: 4,
    // Tests of one file run at once where they wait. The files of a worker share this limit: no file can set it for itself.
    maxConcurrency: 10,
    // Requests, answers and their checks leave much garbage. With more room for what is new, V8 looks for it less often: a
    // tenth less CPU time.
    execArgv: ['--max-semi-space-size=64'],
    // The test files of one worker share the modules that they import: units take a third less CPU time by this.
    isolate: false,
    // The projects of a run share what Vite has made of a module, and later runs do until npm installs again.
    fsModuleCache: true,
    sequence: { sequencer: LongFilesFirst },
    // A test that needs what this system lacks is skipped, and the reporter says so.
    tags: (Object.keys(systemNeeds) as SystemNeedName[]).map((name) => ({
      name: tagOf(name),
      description: systemNeeds[name].usedFor,
      // Without `skip: false`, which would undo the `skip: true` of another tag of the same test.
      ...(missing.includes(name) && { skip: true }),
    })),
    reporters: ['default', tallyReporter(missing)],
    projects: [
      // What `npm run test:quick` runs.
      {
        extends: true,
        test: {
          name: 'units',
          include: ['packages/*/src/**/*.test.ts'],
          ...oneCollector,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'promises',
          include: ['test/**/*.test.ts'],
          exclude: [deep, alone],
          ...oneCollector,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: [alone], exclude: [deep], ...nothingBeside } },
      // What `npm run test:deep` runs.
      {
        extends: true,
        test: {
          name: 'deep',
          include: [deep],
          exclude: [alone],
          ...oneCollector,
          // Of five of its files more than one waits for a vendor, a lease or a cron.
          maxWorkers: 5,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'deep alone',
          include: ['test/**/*.deep.alone.test.ts'],
          ...nothingBeside,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
