import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with one plain line that people and machines can read. */
export function tallyReporter(): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[]) {
      const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
      for (const module of modules) {
        if (module.children.size === 0 && module.state() === 'failed') count.failed++
        for (const test of module.children.allTests()) count[test.result().state]++
      }
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`)
    },
  }
}
