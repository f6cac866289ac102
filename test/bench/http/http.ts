import type { Bench, BenchResult, Bar, Row } from '../bench.ts'
import { checkPeer } from './check-peer.ts'
import { type Contest, contests } from './contests.ts'
import { generator } from './load.ts'
import { measureInRounds, type Sample } from './measure.ts'
import { nodePeers, type Peer } from './peers.ts'
import { canPin } from './pinned.ts'
import { profileServer } from './profile.ts'
import { ratioOf, shown, spreadOf } from './ratio.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** The samples of all rounds, by the name of the server. */
type Samples = ReadonlyMap<string, readonly Sample[]>

const what = `Each server is a process of its own${canPin ? ', kept to one core' : ''}; ${generator} puts load on it from
the other over 32 connections. A ratio is of requests for each second of the server's own CPU time, taken round by round
with the servers in turn: median (min to max). Before any timing each server is held to the same work: statuses, headers
and bodies of 200, 202, 400, 401 and 404, with a finished job of the same bytes on all.

GET reads 1000 finished jobs of 695 bytes in turn, with one API key. The hand-written servers hash the key and serialise
the job for every request; genmount is measured as it is published, and what it remembers from one request to the next
(a key that it has found good, the text of a job that has not changed) is of use to it here in all requests but the
first ones. POST sends 281 bytes; the hand-written servers parse them, validate
with valibot, make an id, insert into a Map and answer. Only the jobs of "bare node:http, jobs run" and of genmount run:
they are written to the store before the provider is called and with its answer, and polled by a timer, all of it
counted. What the hand-written one leaves out is what genmount is for: limits of time and number, claims, waiters.
Each job's poll comes 3 s after its submit, when the load of the round is over: the row that follows jobs to their end
counts the poll, the collecting of the output and the finish as well. The hand-written servers keep
40,000 jobs, genmount up to 120,000.`

async function run(): Promise<BenchResult> {
  const rows: Row[] = []
  const bars: Bar[] = []
  const notes = [what]
  for (const contest of contests) {
    const samples = await hold(contest)
    const judged = judge(contest, samples)
    rows.push(...judged.rows)
    bars.push(...barsOf(contest, samples))
    notes.push(rawTable(contest, samples))
    for (const peer of judged.fallenShort) notes.push(folded(await profileServer(contest.workload, peer)))
  }
  return { rows, notes: notes.join('\n\n'), bars }
}

async function hold({ workload, peers, rounds, seconds }: Contest): Promise<Samples> {
  const servers: ServerProcess[] = []
  try {
    for (const peer of peers) servers.push(await startServer(peer))
    const sizes = new Set<number>()
    for (const server of servers) sizes.add(await checkPeer(server))
    if (sizes.size > 1) throw new Error(`The same job has several lengths: ${[...sizes].join(', ')} bytes.`)
    return await measureInRounds(workload, servers, { rounds, seconds })
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

function judge({ title, comparisons, peers }: Contest, samples: Samples) {
  const fallenShort = new Set<Peer>()
  const rows = comparisons.map(({ what, peer, against, target, figure = 'requestsPerCpuSecond' }): Row => {
    const ratio = ratioOf(samples.get(peer)!, samples.get(against)!, figure)
    const row = { what: `${title}: ${what}`, figure: shown(ratio) }
    if (!target) return row
    const meets = target.isMetBy(ratio.median)
    if (!meets) fallenShort.add(peers.find(({ name }) => name === peer)!)
    return { ...row, target: target.text, meets }
  })
  return { rows, fallenShort }
}

/**
 * The server that stands for 1: the first one, or the native handler of the same runtime if there are several
 * runtimes.
 */
function yardstick({ peers }: Contest, { runtime }: Peer): Peer {
  return peers.find((peer) => peer.runtime === runtime && !peer.isOurs)!
}

function barsOf(contest: Contest, samples: Samples): Bar[] {
  const { title, peers } = contest
  const isOneRuntime = new Set(peers.map(({ runtime }) => runtime)).size === 1
  const group = `${title}: requests per CPU-second, ${isOneRuntime ? peers[0]!.label : 'a native handler'} = 1`
  return peers
    .filter((peer) => peer !== yardstick(contest, peer))
    .map((peer) => {
      const theirs = samples.get(yardstick(contest, peer).name)!
      const { median } = ratioOf(samples.get(peer.name)!, theirs, 'requestsPerCpuSecond')
      return { group, label: peer.label, value: median, isOurs: peer.isOurs }
    })
}

function rawTable(contest: Contest, samples: Samples): string {
  const lines = contest.peers.map((peer) => {
    const own = samples.get(peer.name)!
    const theirs = samples.get(yardstick(contest, peer).name)!
    const usEach = 1e6 / spreadOf(own.map((sample) => sample.requestsPerCpuSecond)).median
    const perSecond = spreadOf(own.map((sample) => sample.requestsPerSecond))
    const ratios = (['requestsPerCpuSecond', 'requestsPerSecond'] as const).map((figure) =>
      shown(ratioOf(own, theirs, figure)),
    )
    return `| ${[peer.label, usEach.toFixed(1), ratios[0], shown(perSecond, 0), ratios[1]].join(' | ')} |`
  })
  return [
    `| ${contest.title} | CPU each, us | ratio per CPU-second | requests per second | ratio per second |`,
    '|---|---:|---:|---:|---:|',
    ...lines,
  ].join('\n')
}

function folded(markdown: string): string {
  return `<details><summary>Where the CPU goes</summary>\n\n${markdown}\n</details>`
}

async function profile(): Promise<string> {
  const [bare, ours] = ['bare', 'node-http'].map((name) => nodePeers.find((peer) => peer.name === name)!)
  const profiles: string[] = []
  for (const workload of ['get', 'create'] as const)
    for (const peer of [bare!, ours!]) profiles.push(await profileServer(workload, peer))
  return profiles.join('\n')
}

/**
 * Measures what a request costs, compared with the same work done by what people would use or write instead.
 */
export const httpBench: Bench = { name: 'http', title: 'Requests', run, profile }
