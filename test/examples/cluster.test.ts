import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { temporaryFolder } from './standalone-server.ts'
import { repo, start } from './started-server.ts'

/** Starts the cluster with its own folder for temporary files. The folder's path identifies the processes of the cluster. */
function startCluster(env: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  // Postgres runs as another user, who must be able to read this folder.
  chmodSync(folder, 0o755)
  onTestFinished(() => {
    for (const pid of processesWith(folder)) process.kill(pid, 'SIGKILL')
  })
  const cluster = start([...runtimes.node, join(repo, 'examples/cluster/cluster.ts')], {
    TMPDIR: folder,
    ...env,
  })
  return { ...cluster, left: () => ({ processes: processesWith(folder), files: readdirSync(folder) }) }
}

/** The ids of the processes with the folder's path in their environment. */
function processesWith(folder: string): number[] {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`=${folder}`)
    } catch {
      // The process has ended since its id was read.
      return false
    }
  })
}

test('three nodes on one Postgres finish every job although one is killed and one is drained, and end with the cluster', async () => {
  const cluster = startCluster()
  await cluster.heard(/node b is killed \(SIGKILL\)/)
  await cluster.heard(/node c gets SIGTERM/)
  const [summary] = await cluster.heard(/All \d+ jobs have ended: .*/)
  expect(summary).toBe('All 30 jobs have ended: 30 completed, 0 failed, 0 lost.')
  cluster.process.kill('SIGTERM')
  expect(await cluster.exited).toBe(0)
  expect(cluster.left()).toEqual({ processes: [], files: [] })
})

test.each([
  ['while its nodes start', /Three standalone servers start/],
  ['just before it starts a node again', /[5-9]\.\d s  node a/],
])('Ctrl+C %s ends the cluster with exit code 0, and leaves no process and no file', async (_when, words) => {
  const cluster = startCluster()
  await cluster.heard(words)
  cluster.process.kill('SIGINT')
  expect([await cluster.exited, cluster.said()]).toEqual([0, expect.not.stringContaining('Error')])
  expect(cluster.left()).toEqual({ processes: [], files: [] })
})

test('a cluster whose port is taken says so, and leaves no process and no file', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void holder.close())
  await new Promise((resolve) => holder.once('listening', resolve))
  const cluster = startCluster({ PORT: String((holder.address() as AddressInfo).port) })
  expect(await cluster.exited).toBe(1)
  expect(cluster.said().trim().split('\n')).toEqual([expect.stringContaining('EADDRINUSE')])
  expect(cluster.left()).toEqual({ processes: [], files: [] })
})
