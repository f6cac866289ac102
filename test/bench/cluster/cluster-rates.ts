import { full } from '../bench.ts'
import { putLoad } from '../http/load.ts'
import { polledLifeMs, type StartedCluster } from './started-cluster.ts'

const rounds = full(3)
/** Lives are measured after some three times the length of one, when the burst of the first creates has passed. */
const times = {
  lives: { warmMs: 6000, measuredMs: 5000 },
  creates: { warmMs: 500, measuredMs: 2000 },
} as const
const readSeconds = 2

/** Figures of rounds in which ours and theirs took turns, a second. */
function noRounds() {
  return { ours: [] as number[], theirs: [] as number[] }
}
export type Rounds = Readonly<ReturnType<typeof noRounds>>

export type ClusterRates = Awaited<ReturnType<typeof clusterRates>>

/** Measures what a cluster can do beside the bare code in the same processes. */
export async function clusterRates(nodes: StartedCluster) {
  for (const model of ['bench-video', 'bench-long'] as const)
    await Promise.all(nodes.map((node) => node.ask('record', model)))
  const ids = await nodes[0]!.ask('readable', 200)
  const rates = { lives: noRounds(), creates: noRounds(), reads: noRounds() }
  const rateOf = async (contest: 'lives' | 'creates' | 'raw lives' | 'raw creates', atATime: number) => {
    const how = contest.endsWith('lives') ? times.lives : times.creates
    const question = { atATime: Math.ceil(atATime / nodes.length), ...how }
    return sum(await Promise.all(nodes.map((node) => node.ask(contest, question))))
  }
  const readsOf = async (whose: 'ours' | 'bare') => {
    const paths = ids.map((id) => `/v1/jobs/${id}`)
    const loads = nodes.map((node) => putLoad({ url: node[whose], paths }, readSeconds))
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
