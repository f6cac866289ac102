import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadFor, settled, type Workload } from './measure.ts'
import { type Load, putLoad } from './load.ts'
import type { Peer } from './peers.ts'
import { type ServerFlags, type ServerProcess, startServer } from './server-process.ts'

const warmUpSeconds = 1
const seconds = 5
const shownFunctions = 35

/** The fields of a file of `node --cpu-prof` that are used here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/**
 * Measures where the CPU time of a server goes under load, as Markdown: microseconds for each request, by
 * package and by function.
 */
export async function profileServer(
  workload: Workload,
  peer: Peer,
  flags: ServerFlags = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'genmount-profile-'))
  try {
    const runtimeArgs = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200']
    const server = await startServer(peer, { ...flags, runtimeArgs })
    const { requests, lastUs } = await profiled(server, loadFor(workload, server)).finally(() =>
      server.stop(),
    )
    const [file] = await readdir(folder)
    const profile = JSON.parse(await readFile(join(folder, file!), 'utf8')) as CpuProfile
    return `### ${peer.label}: ${workload}\n\n${digest(profile, requests, lastUs)}`
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Puts load on a server that is warmed up, and measures the time until its last job has ended. */
async function profiled(server: ServerProcess, load: Load) {
  await putLoad(load, warmUpSeconds)
  await settled(server)
  const startedAt = performance.now()
  const { requests } = await putLoad(load, seconds)
  await settled(server)
  return { requests, lastUs: (performance.now() - startedAt) * 1000 }
}

/**
 * Counts only the last `lastUs` microseconds, because the time before is the start and the warm-up of the
 * process.
 */
function digest({ nodes, samples, timeDeltas }: CpuProfile, requests: number, lastUs: number): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const byFunction = new Map<string, number>()
  const byPlace = new Map<string, number>()
  const add = (sums: Map<string, number>, key: string, us: number) => sums.set(key, (sums.get(key) ?? 0) + us)
  let remainingUs = lastUs
  for (let index = samples.length - 1; index >= 0 && remainingUs > 0; index--) {
    remainingUs -= timeDeltas[index]!
    const { functionName, url, lineNumber } = frames.get(samples[index]!)!
    if (functionName === '(idle)') continue
    const us = timeDeltas[index]! / requests
    const place = placeOf(url, functionName)
    const line = url === '' ? '' : `:${lineNumber + 1}`
    add(byPlace, place, us)
    add(byFunction, `${functionName || '(anonymous)'} | ${place}${line}`, us)
  }
  const total = [...byPlace.values()].reduce((sum, us) => sum + us, 0)
  const table = (sums: Map<string, number>, count: number) =>
    [...sums]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([key, us]) => `| ${us.toFixed(2)} | ${((100 * us) / total).toFixed(1)} % | ${key} |`)
  return [
    `${total.toFixed(1)} us a request.`,
    '',
    '| us | share | place |',
    '|---:|---:|---|',
    ...table(byPlace, 20),
    '',
    '| us | share | function, self time | place |',
    '|---:|---:|---|---|',
    ...table(byFunction, shownFunctions),
    '',
  ].join('\n')
}

/** The package that a function belongs to, or the part of the engine or of Node. */
function placeOf(url: string, functionName: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native'
  const [, dependency] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return dependency ?? url.replace(/^file:.*\/(?:packages|test\/bench)\//, '')
}
