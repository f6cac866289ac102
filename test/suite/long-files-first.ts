import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The test files that take longest, so that none of them runs alone at the end. The first waits for the build. Behind them,
 * the largest files come first. Storms stay there, as storms side by side would take the processor from one another.
 */
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
  // In the deep suite, first those that wait for vendors, crons and stores beside two that compute.
  'test/examples/paid-calls-at-stop.deep.test.ts',
  'test/backend-libsql/cron-storm.deep.test.ts',
  'test/deaths/libsql-storm.deep.test.ts',
  'test/deaths/simulated/job-life.deep.test.ts',
  'test/providers/faults.deep.test.ts',
  'test/deaths/backends/store-away.deep.test.ts',
  'test/workerd/d1-service.deep.test.ts',
  'test/openai-interface/sdk-programs.deep.test.ts',
  'test/deaths/kill-points.deep.test.ts',
  'test/workerd/object-storm.deep.test.ts',
  // Then those that others would come before because they are short to read.
  'test/memory/small-heap.deep.test.ts',
  'test/memory/counted-calls.deep.test.ts',
  'test/hosts/http-suite.deep.test.ts',
  'test/fuzz/never-a-500.deep.test.ts',
  'test/spreading/spread-lives.deep.test.ts',
  'test/providers/killed/spread-deaths.deep.test.ts',
  'test/provider-procedural/provider-suite.deep.test.ts',
  'test/providers/runtimes.deep.test.ts',
  'test/examples/keys-in-environment.deep.test.ts',
  'test/deaths/backends/frozen-node.deep.test.ts',
  'test/packaging/packed.deep.test.ts',
  'test/deaths/start-stop.deep.test.ts',
  'test/deaths/closing.deep.test.ts',
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
