import { expect, test } from 'vitest'
import { repo, start } from './started-server.ts'
import { runtimes } from '../runtimes.ts'
import { join } from 'node:path'

test(
  'three nodes on one Postgres finish every job although one is killed and one is drained, and end with the cluster',
  { timeout: 120_000 },
  async () => {
    const cluster = start([...runtimes.node, join(repo, 'examples/cluster/cluster.ts')])
    await cluster.heard(/node b is killed \(SIGKILL\)/)
    await cluster.heard(/node c gets SIGTERM/)
    const [summary] = await cluster.heard(/All \d+ jobs have ended: .*/)
    expect(summary).toBe('All 30 jobs have ended: 30 completed, 0 failed, 0 lost.')
    cluster.process.kill('SIGTERM')
    expect(await cluster.exited).toBe(0)
  },
)
