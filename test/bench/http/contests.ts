import type { Runtime } from '../../processes/runtimes.ts'
import { roundsOf } from '../bench.ts'
import { above, atLeast, type Target } from '../figures.ts'
import type { Sample } from './measure.ts'

/** A group of servers that are measured in the same rounds. */
export interface Contest {
  readonly workload: 'get' | 'create'
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

/** A server that is measured. */
export interface Peer {
  readonly name: string
  readonly label: string
  /** The argument of its script: the host on which it runs. */
  readonly host: 'node' | 'runs' | 'fastify' | 'hono' | 'express' | 'fetch'
  readonly runtime: Runtime
  readonly isOurs: boolean
  /** Whether its jobs run and complete. */
  readonly runsJobs: boolean
  /** The model that a create names. @default bench-video */
  readonly model?: string
}

const theirs = { runtime: 'node', isOurs: false, runsJobs: false } as const
const ours = { runtime: 'node', isOurs: true, runsJobs: true } as const

const nodePeers: readonly Peer[] = [
  { ...theirs, name: 'bare', label: 'bare node:http', host: 'node' },
  { ...theirs, name: 'fastify', label: 'Fastify 5', host: 'fastify' },
  { ...theirs, name: 'hono', label: 'Hono on @hono/node-server', host: 'hono' },
  { ...theirs, name: 'express', label: 'Express 5', host: 'express' },
  { ...ours, name: 'node-http', label: 'genmount, node:http', host: 'node' },
  { ...ours, name: 'express-mount', label: 'genmount, Express 5 mount', host: 'express' },
  { ...ours, name: 'fetch', label: 'genmount, fetch on @hono/node-server', host: 'hono' },
]
const control: Peer = { ...nodePeers[0]!, name: 'control', label: 'bare node:http again (A/A)' }
/** A hand-written server that submits each job and polls it, as ours does. */
const running: Peer = {
  ...theirs,
  name: 'running',
  label: 'bare node:http, jobs run',
  host: 'runs',
  runsJobs: true,
}
/** A server that is asked for jobs which end in their submit, so that each job has one step instead of two. */
const atOnce: Peer = {
  ...ours,
  name: 'at-once',
  label: 'genmount, node:http, jobs that end at once',
  host: 'node',
  model: 'bench-at-once',
}
const runtimePeers = (['bun', 'deno'] as const).flatMap((runtime): Peer[] => {
  const label = runtime === 'bun' ? 'Bun.serve' : 'Deno.serve'
  return [
    { ...theirs, name: runtime, label, host: 'fetch', runtime },
    { ...ours, name: `${runtime}-fetch`, label: `genmount, ${label}`, host: 'fetch', runtime },
  ]
})

const express = ['Express mount against an Express 5 route', 'express-mount', 'express'] as const
const fetchHandler = ['fetch handler against Hono, both on @hono/node-server', 'fetch', 'hono'] as const

const submitted = 'node-http, jobs submitted and running, against bare node:http that'
const followed = 'node-http, jobs followed to their end, against the same'

export const contests: readonly Contest[] = [
  {
    workload: 'get',
    title: 'GET job on Node',
    peers: [...nodePeers, control],
    rounds: roundsOf(5),
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
    rounds: roundsOf(3),
    seconds: 1,
    comparisons: [
      ['fetch handler against native Bun.serve', 'bun-fetch', 'bun', atLeast(0.9)],
      ['fetch handler against native Deno.serve', 'deno-fetch', 'deno', atLeast(0.9)],
    ],
  },
  {
    workload: 'create',
    title: 'POST create on Node',
    // What the hosts add to a create is what they add to a read.
    peers: [
      ...nodePeers.filter(({ name }) => ['bare', 'express', 'node-http'].includes(name)),
      running,
      atOnce,
    ],
    rounds: roundsOf(3),
    seconds: 1,
    comparisons: [
      [`${submitted} does the same by hand`, 'node-http', 'running', atLeast(0.75)],
      [followed, 'node-http', 'running', undefined, 'livesPerCpuSecond'],
      [`${submitted} only inserts`, 'node-http', 'bare', atLeast(0.5)],
      ['node-http, jobs that end in their submit, against the same', 'at-once', 'bare'],
    ],
  },
]
