import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { type SystemNeedName, systemNeeds, tagOf } from './system-needs.ts'

/** Says which tests were skipped and why, and ends with one plain line that people and machines can read. */
export function tallyReporter(missing: readonly SystemNeedName[]): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[]) {
      const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      for (const module of modules)
        if (module.children.size === 0 && module.state() === 'failed') count.failed++
      for (const test of tests) count[test.result().state]++
      for (const name of missing) tellSkipped(name, tests)
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`)
    },
  }
}

function tellSkipped(name: SystemNeedName, tests: readonly TestCase[]): void {
  const skipped = tests.filter(({ tags }) => tags.includes(tagOf(name)))
  if (skipped.length > 0)
    console.log(
      `Skipped without ${name}: ${skipped.length} ${skipped.length === 1 ? 'test' : 'tests'} of ${systemNeeds[name].usedFor}`,
    )
}
