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
export type Comparison = readonly [
  what: string,
  peer: string,
  against: string,
  target?: Target | undefined,
  /** @default 'requestsPerCpuSecond' */
  figure?: keyof Sample,
]

const express = ['Express mount against an Express 5 route', 'express-mount', 'express'] as const
const fetchHandler = ['fetch handler against Hono, both on @hono/node-server', 'fetch', 'hono'] as const

const running = 'node-http, jobs submitted and running, against bare node:http that'
const followed = 'node-http, jobs followed to their end, against the same'

export const contests: readonly Contest[] = [
  {
    workload: 'get',
    title: 'GET job on Node',
    peers: nodePeers,
    rounds: full(9),
    seconds: 1,
    comparisons: [
      ['noise: bare against itself (A/A)', 'control', 'bare'],
      ['node-http against bare node:http', 'node-http', 'bare', atLeast(1)],
      ['node-http against Fastify 5', 'node-http', 'fastify', above(1)],
      ['node-http against Hono', 'node-http', 'hono', atLeast(1.2)],
      [...express, atLeast(1.3)],
      fetchHandler,
    ],
  },
  {
    workload: 'get',
    title: 'GET job on Bun and Deno',
    peers: runtimePeers,
    rounds: full(9),
    seconds: 1,
    comparisons: [
      ['fetch handler against native Bun.serve', 'bun-fetch', 'bun', atLeast(0.9)],
      ['fetch handler against native Deno.serve', 'deno-fetch', 'deno', atLeast(0.9)],
    ],
  },
  {
    workload: 'create',
    title: 'POST create on Node',
    peers: [...nodePeers.filter(({ name }) => name !== 'control'), runningPeer, atOncePeer],
    rounds: full(5),
    seconds: full(2),
    comparisons: [
      [`${running} does the same by hand`, 'node-http', 'running', atLeast(0.75)],
      [followed, 'node-http', 'running', undefined, 'livesPerCpuSecond'],
      [`${running} only inserts`, 'node-http', 'bare', atLeast(0.5)],
      ['node-http, jobs that end in their submit, against the same', 'at-once', 'bare'],
      express,
      fetchHandler,
    ],
  },
]
