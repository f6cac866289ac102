import { full } from '../bench.ts'
import { above, atLeast, type Target } from '../figures.ts'
import type { Sample, Workload } from './measure.ts'
import { atOncePeer, nodePeers, type Peer, runningPeer, runtimePeers } from './peers.ts'

/** A group of servers that are measured in the same rounds. */
export interface Contest {
  readonly workload: Workload
  readonly title: string
  readonly peers: readonly Peer[]
  readonly rounds: number
  readonly seconds: number
  readonly comparisons: readonly Comparison[]
}

/** Two servers by their names, and the target for their ratio. */
export interface Comparison {
  readonly what: string
  readonly peer: string
  readonly against: string
  /** The figure that is compared. @default 'requestsPerCpuSecond' */
  readonly figure?: keyof Sample
  readonly target?: Target
}

export const contests: readonly Contest[] = [
  {
    workload: 'get',
    title: 'GET job on Node',
    peers: nodePeers,
    rounds: full(9),
    seconds: 1,
    comparisons: [
      { what: 'noise: bare against itself (A/A)', peer: 'control', against: 'bare' },
      { what: 'node-http against bare node:http', peer: 'node-http', against: 'bare', target: atLeast(1) },
      { what: 'node-http against Fastify 5', peer: 'node-http', against: 'fastify', target: above(1) },
      { what: 'node-http against Hono', peer: 'node-http', against: 'hono', target: atLeast(1.2) },
      {
        what: 'Express mount against an Express 5 route',
        peer: 'express-mount',
        against: 'express',
        target: atLeast(1.3),
      },
      { what: 'fetch handler against Hono, both on @hono/node-server', peer: 'fetch', against: 'hono' },
    ],
  },
  {
    workload: 'get',
    title: 'GET job on Bun and Deno',
    peers: runtimePeers,
    rounds: full(9),
    seconds: 1,
    comparisons: [
      {
        what: 'fetch handler against native Bun.serve',
        peer: 'bun-fetch',
        against: 'bun',
        target: atLeast(0.9),
      },
      {
        what: 'fetch handler against native Deno.serve',
        peer: 'deno-fetch',
        against: 'deno',
        target: atLeast(0.9),
      },
    ],
  },
  {
    workload: 'create',
    title: 'POST create on Node',
    peers: [...nodePeers.filter(({ name }) => name !== 'control'), runningPeer, atOncePeer],
    rounds: full(5),
    seconds: 2,
    comparisons: [
      {
        what: 'node-http, jobs submitted and running, against bare node:http that does the same by hand',
        peer: 'node-http',
        against: 'running',
        target: atLeast(0.75),
      },
      {
        what: 'node-http, jobs followed to their end, against the same',
        peer: 'node-http',
        against: 'running',
        figure: 'livesPerCpuSecond',
      },
      {
        what: 'node-http, jobs submitted and running, against bare node:http that only inserts',
        peer: 'node-http',
        against: 'bare',
        target: atLeast(0.5),
      },
      {
        what: 'node-http, jobs that end in their submit, against the same',
        peer: 'at-once',
        against: 'bare',
      },
      { what: 'Express mount against an Express 5 route', peer: 'express-mount', against: 'express' },
      { what: 'fetch handler against Hono, both on @hono/node-server', peer: 'fetch', against: 'hono' },
    ],
  },
]
