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
    reporters: ['default', tallyReporter()],
  },
})
