import { defineConfig } from 'vitest/config'
import { tallyReporter } from './tally-reporter.ts'

const conditions = ['@genmount/source', 'module', 'node', 'development|production']

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most tests wait more than they work. More at a time would get in the way of those that look at the clock.
    maxWorkers: 2,
    reporters: ['default', tallyReporter()],
  },
})
