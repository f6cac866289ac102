import type { Bar, Bench, BenchResult, Row } from '../bench.ts'
import { inRounds, ratioOf, shown, type Spread, spreadOf, spreadRow, table } from '../figures.ts'
import { canPin } from '../measured-process.ts'
import { type Contest, contests, type Peer } from './contests.ts'
import { measure, type MeasuredServer, type Sample, startServer, warmUp } from './measure.ts'
import { checkSameWork } from './same-work.ts'

/** The samples of all rounds, by the name of the server. */
type Samples = ReadonlyMap<string, readonly Sample[]>

const what = `Each server is a process of its own${canPin ? ', kept to one core' : ''}; autocannon puts load on it from
the bench over 32 connections. A ratio is of requests for each second of the server's own CPU time, taken round by round
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
  const notes: string[] = []
  for (const contest of contests) {
    const samples = await hold(contest)
    rows.push(...rowsOf(contest, samples))
    bars.push(...barsOf(contest, samples))
    notes.push(rawTable(contest, samples))
  }
  return { rows, notes: [...notes, what].join('\n\n'), bars }
}

async function hold({ workload, peers, rounds, seconds }: Contest): Promise<Samples> {
  const servers: MeasuredServer[] = []
  try {
    for (const peer of peers) servers.push(await startServer(peer))
    await checkSameWork(servers)
    for (const server of servers) await warmUp(workload, server)
    const samples = await inRounds(rounds, servers, (server) => measure(workload, server, seconds))
    return new Map(peers.map(({ name }, index) => [name, samples[index]!]))
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

function ratio(samples: Samples, peer: string, against: string, figure: keyof Sample): Spread {
  const of = (name: string) => samples.get(name)!.map((sample) => sample[figure])
  return ratioOf(of(peer), of(against))
}

function rowsOf({ title, comparisons }: Contest, samples: Samples): readonly Row[] {
  return comparisons.map(([what, peer, against, target, figure = 'requestsPerCpuSecond']) =>
    spreadRow(`${title}: ${what}`, ratio(samples, peer, against, figure), target),
  )
}

/** The server that stands for 1: the first one, or the native handler of the same runtime. */
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
      const { median } = ratio(samples, peer.name, yardstick(contest, peer).name, 'requestsPerCpuSecond')
      return { group, label: peer.label, value: median, isOurs: peer.isOurs }
    })
}

function rawTable(contest: Contest, samples: Samples): string {
  const lines = contest.peers.map((peer) => {
    const own = samples.get(peer.name)!
    const usEach = 1e6 / spreadOf(own.map((sample) => sample.requestsPerCpuSecond)).median
    const perSecond = spreadOf(own.map((sample) => sample.requestsPerSecond))
    const [byCpu, byTime] = (['requestsPerCpuSecond', 'requestsPerSecond'] as const).map((figure) =>
      shown(ratio(samples, peer.name, yardstick(contest, peer).name, figure)),
    )
    return [peer.label, usEach.toFixed(1), byCpu!, shown(perSecond, 0), byTime!]
  })
  const heads = ['CPU each, us', 'ratio per CPU-second', 'requests per second', 'ratio per second']
  return table([contest.title, ...heads], lines)
}

/** Measures what a request costs, compared with the same work done by what people would use or write instead. */
export const bench: Bench = { title: 'A read and a create', run }
