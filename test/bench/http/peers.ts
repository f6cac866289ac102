import type { Runtime } from '../../processes/runtimes.ts'

/** A server that is measured: a script of `servers/` on one of the runtimes. */
export interface Peer {
  readonly name: string
  readonly label: string
  readonly script: 'bare.ts' | 'fastify.ts' | 'hono.ts' | 'express.ts' | 'native-fetch.ts' | 'genmount.ts'
  readonly argument?: 'runs' | 'node' | 'express' | 'hono' | 'fetch'
  readonly runtime: Runtime
  readonly isOurs: boolean
  /** The model that a create names. @default bench-video */
  readonly model?: string
  /** Whether its jobs run and complete. @default only ours do */
  readonly runsJobs?: boolean
}

const handWritten = { runtime: 'node', isOurs: false } as const
const ours = { runtime: 'node', isOurs: true, script: 'genmount.ts' } as const

export const nodePeers = [
  { ...handWritten, name: 'bare', label: 'bare node:http', script: 'bare.ts' },
  { ...handWritten, name: 'control', label: 'bare node:http again (A/A)', script: 'bare.ts' },
  { ...handWritten, name: 'fastify', label: 'Fastify 5', script: 'fastify.ts' },
  { ...handWritten, name: 'hono', label: 'Hono on @hono/node-server', script: 'hono.ts' },
  { ...handWritten, name: 'express', label: 'Express 5', script: 'express.ts' },
  { ...ours, name: 'node-http', label: 'genmount, node:http', argument: 'node' },
  { ...ours, name: 'express-mount', label: 'genmount, Express 5 mount', argument: 'express' },
  { ...ours, name: 'fetch', label: 'genmount, fetch on @hono/node-server', argument: 'hono' },
] as const satisfies readonly Peer[]

/** A hand-written server that submits each job and polls it, as ours does. */
export const runningPeer = {
  ...handWritten,
  name: 'running',
  label: 'bare node:http, jobs run',
  script: 'bare.ts',
  argument: 'runs',
  runsJobs: true,
} as const satisfies Peer

/** A server that is asked for jobs which end in their submit, so that each job has one step instead of two. */
export const atOncePeer = {
  ...ours,
  name: 'at-once',
  label: 'genmount, node:http, jobs that end at once',
  argument: 'node',
  model: 'bench-at-once',
} as const satisfies Peer

export const runtimePeers = (['bun', 'deno'] as const).flatMap((runtime) => {
  const label = runtime === 'bun' ? 'Bun.serve' : 'Deno.serve'
  return [
    { ...handWritten, name: runtime, label, script: 'native-fetch.ts', runtime },
    { ...ours, name: `${runtime}-fetch`, label: `genmount, ${label}`, argument: 'fetch', runtime },
  ] satisfies Peer[]
})
