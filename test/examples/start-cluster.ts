import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { repo } from '../processes/repo.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { envWithBundle } from './standalone-server.ts'

/** Starts the cluster with its own folder for temporary files. The folder's path identifies the processes of the cluster. */
export async function startCluster(env: Readonly<Record<string, string>> = {}) {
  const bundle = await envWithBundle()
  const folder = temporaryFolder()
  // Postgres runs as another user, who must be able to read this folder.
  chmodSync(folder, 0o755)
  onTestFinished(() => {
    for (const pid of processesWith(folder)) process.kill(pid, 'SIGKILL')
  })
  const cluster = startProcess([...runtimes.node, join(repo, 'examples/cluster/cluster.ts')], {
    env: { TMPDIR: folder, ...bundle, ...env },
  })
  const left = () => ({ processes: processesWith(folder), files: readdirSync(folder) })
  return { cluster, left }
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

/** Sends SIGINT to a cluster that has printed these words, and expects that nothing is left of it. */
export async function expectEndAfter(words: RegExp): Promise<void> {
  const { cluster, left } = await startCluster()
  await cluster.heard(words)
  cluster.child.kill('SIGINT')
  expect([await cluster.ended, cluster.output]).toEqual([0, expect.not.stringContaining('Error')])
  expect(left()).toEqual({ processes: [], files: [] })
}
