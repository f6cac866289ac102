/** A server that is measured: a script of `servers/` on one of the runtimes. */
export interface Peer {
  readonly name: string
  readonly label: string
  readonly script: string
  readonly runtime: 'node' | 'bun' | 'deno'
  readonly isOurs: boolean
  /** The model that a create names. @default bench-video */
  readonly model?: string
  /** Whether its jobs run and complete. @default only ours do */
  readonly runsJobs?: boolean
}

const handWritten = { runtime: 'node', isOurs: false } as const
const ours = { runtime: 'node', isOurs: true } as const

export const nodePeers = [
  { ...handWritten, name: 'bare', label: 'bare node:http', script: 'bare.ts' },
  { ...handWritten, name: 'control', label: 'bare node:http again (A/A)', script: 'bare.ts' },
  { ...handWritten, name: 'fastify', label: 'Fastify 5', script: 'fastify.ts' },
  { ...handWritten, name: 'hono', label: 'Hono on @hono/node-server', script: 'hono.ts' },
  { ...handWritten, name: 'express', label: 'Express 5', script: 'express.ts' },
  { ...ours, name: 'node-http', label: 'genmount, node:http', script: 'genmount-node.ts' },
  { ...ours, name: 'express-mount', label: 'genmount, Express 5 mount', script: 'genmount-express.ts' },
  { ...ours, name: 'fetch', label: 'genmount, fetch on @hono/node-server', script: 'genmount-fetch-node.ts' },
] as const satisfies readonly Peer[]

/** A hand-written server that submits each job and polls it, as ours does. */
export const runningPeer = {
  ...handWritten,
  name: 'running',
  label: 'bare node:http, jobs run',
  script: 'bare-running.ts',
  runsJobs: true,
} as const satisfies Peer

/**
 * A server that is asked for jobs which end in their submit, so that each job has one step instead of two.
 */
export const atOncePeer = {
  ...ours,
  name: 'at-once',
  label: 'genmount, node:http, jobs that end at once',
  script: 'genmount-node.ts',
  model: 'bench-at-once',
} as const satisfies Peer

export const runtimePeers = (['bun', 'deno'] as const).flatMap((runtime) => {
  const label = runtime === 'bun' ? 'Bun.serve' : 'Deno.serve'
  return [
    { name: runtime, label, script: 'native-fetch.ts', runtime, isOurs: false },
    {
      name: `${runtime}-fetch`,
      label: `genmount, ${label}`,
      script: 'genmount-fetch.ts',
      runtime,
      isOurs: true,
    },
  ] satisfies Peer[]
})

export const allPeers: readonly Peer[] = [...nodePeers, runningPeer, atOncePeer, ...runtimePeers]
