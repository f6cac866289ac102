import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The test files that take longest, so that none of them runs alone at the end. The first waits for the build. */
const longest = [
  'test/packaging/packed.test.ts',
  'test/hosts/http-suite.test.ts',
  'test/bench/budgets.test.ts',
  'test/examples/standalone-node.test.ts',
  'test/providers/runtimes.test.ts',
  'test/backend-postgres/set-clock.test.ts',
  'test/projects/projects.test.ts',
  'packages/testing/src/suites/plugin/plugin-suite.test.ts',
  'packages/provider-procedural/src/render/render.test.ts',
  'packages/provider-procedural/src/provider/procedural-provider.test.ts',
  // In the deep suite, two that wait for vendors and stores, and two that compute. Storms side by side would take the
  // processor from one another.
  'test/examples/paid-calls-at-stop.deep.test.ts',
  'test/deaths/backends/store-away.deep.test.ts',
  'test/deaths/kill-points.deep.test.ts',
  'test/deaths/simulated/job-life.deep.test.ts',
]

/** @returns the place of a test file among the longest, or behind all of them */
function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((file) => moduleId.endsWith(file))
  return place < 0 ? longest.length : place
}

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- This is no sort of an array.
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
