import { parseArgs } from 'node:util'
import { measureInRounds, type Workload } from './measure.ts'
import { allPeers } from './peers.ts'
import { profileServer } from './profile.ts'
import { ratioOf, shown, spreadOf } from './ratio.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/**
 * A quick comparison for use while one changes the code. `look.ts [get|create] [PEER ...]` compares the
 * servers with the first one. `--profile` shows where their CPU time goes instead. `--source` runs the
 * packages without a build.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    source: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
  },
})
const workload: Workload = positionals[0] === 'create' ? 'create' : 'get'
const named = positionals.filter((word) => word !== 'get' && word !== 'create')
const wanted = named.length > 0 ? named : ['bare', 'node-http']
const peers = wanted.map((name) => {
  const peer = allPeers.find((candidate) => candidate.name === name)
  if (!peer) throw new Error(`Peers are ${allPeers.map((each) => each.name).join(', ')}.`)
  return peer
})

if (values.profile) {
  for (const peer of peers) console.log(await profileServer(workload, peer, { fromSource: values.source }))
} else {
  const servers: ServerProcess[] = []
  try {
    for (const peer of peers) servers.push(await startServer(peer, { fromSource: values.source }))
    const rounds = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
    const samples = await measureInRounds(workload, servers, rounds)
    const first = samples.get(peers[0]!.name)!
    for (const [name, each] of samples) {
      const perCpu = spreadOf(each.map((sample) => sample.requestsPerCpuSecond))
      console.log(
        `${name.padEnd(14)} ${shown(ratioOf(each, first, 'requestsPerCpuSecond'))} per CPU-second,`,
        `${shown(ratioOf(each, first, 'livesPerCpuSecond'))} to the end of the jobs,`,
        `${shown(ratioOf(each, first, 'requestsPerSecond'))} per second; ${(1e6 / perCpu.median).toFixed(1)} us each`,
      )
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}
