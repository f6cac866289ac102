import { full } from '../bench.ts'
import { putLoad } from '../http/load.ts'
import { type Contest, type NodeOrigins, polledLifeMs, type StartedCluster } from './started-cluster.ts'

const rounds = full(3)
/** Lives are measured after some three times the length of one, when the burst of the first creates has passed. */
const times = {
  lives: { warmMs: 6000, measuredMs: 5000 },
  creates: { warmMs: 500, measuredMs: 2000 },
} as const
const readSeconds = 2

/** Figures of rounds in which ours and theirs took turns, a second. */
export interface Rounds {
  readonly ours: number[]
  readonly theirs: number[]
}

/** What one cluster can do. */
export interface ClusterRates {
  readonly lives: Rounds
  readonly creates: Rounds
  readonly reads: Rounds
}

/** Measures a cluster beside the bare code in the same processes. */
export async function clusterRates(cluster: StartedCluster): Promise<ClusterRates> {
  const { nodes, ask } = cluster
  for (const model of ['bench-video', 'bench-long'] as const) await ask({ do: 'record', model })
  const ids = await nodes[0]!.ask<string[]>({ do: 'readable', count: 200 })
  const rates = { lives: noRounds(), creates: noRounds(), reads: noRounds() }
  const rateOf = async (contest: Contest, atATime: number) => {
    const how = contest.endsWith('lives') ? times.lives : times.creates
    return sum(await ask<number>({ do: contest, atATime: Math.ceil(atATime / nodes.length), ...how }))
  }
  const readsOf = async (whose: keyof NodeOrigins) => {
    const paths = ids.map((id) => `/v1/jobs/${id}`)
    const loads = nodes.map(({ greeting }) => putLoad({ url: greeting[whose], paths }, readSeconds))
    return sum((await Promise.all(loads)).map(({ requests, seconds }) => requests / seconds))
  }
  for (let round = 0; round < rounds; round++) {
    const raw = await rateOf('raw lives', 20 * nodes.length)
    rates.lives.theirs.push(raw)
    // With fewer jobs under way, the nodes could not end as many lives in a second as raw SQL, however fast they were.
    rates.lives.ours.push(await rateOf('lives', (raw * polledLifeMs) / 1000))
    rates.creates.ours.push(await rateOf('creates', 20 * nodes.length))
    rates.creates.theirs.push(await rateOf('raw creates', 20 * nodes.length))
    rates.reads.ours.push(await readsOf('ours'))
    rates.reads.theirs.push(await readsOf('bare'))
  }
  return rates
}

/** The better quantile of the rounds: what the machine does while others leave it alone. */
export function best(values: readonly number[]): number {
  return values.toSorted((a, b) => b - a)[Math.floor(values.length / 4)]!
}

function noRounds(): Rounds {
  return { ours: [], theirs: [] }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
