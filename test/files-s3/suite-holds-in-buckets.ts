import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import type { Runtime } from '../processes/runtimes.ts'
import { verifyingServer } from './servers/verifying-server.ts'

/** Expects cases of the conformance suite to hold on a runtime, each in a bucket of its own. */
export async function suiteHoldsInBuckets(runtime: Runtime, titles: readonly string[]): Promise<void> {
  const { createBucket } = await verifyingServer()
  const buckets = await Promise.all(titles.map(createBucket))
  const script = new URL('suite-on-runtime.ts', import.meta.url)
  await suitesHoldOn(runtime, script, titles, JSON.stringify(buckets))
}
