import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runtimes } from '../../processes/runtimes.ts'
import type { Peer } from './peers.ts'
import { cores, pinned } from './pinned.ts'
import type { ServerState } from './servers/control.ts'
import { host } from './servers/workload.ts'

/** A server in its own process on its own core. */
export interface ServerProcess {
  readonly peer: Peer
  readonly url: string
  readonly ids: readonly string[]
  state(): Promise<ServerState>
  stop(): Promise<void>
}

export interface ServerFlags {
  /** Whether to run the sources of the packages and not their build. */
  readonly fromSource?: boolean
  /** More arguments for the runtime. */
  readonly runtimeArgs?: readonly string[]
}

const sourceCondition = '--conditions=@genmount/source'

export async function startServer(
  peer: Peer,
  { fromSource, runtimeArgs = [] }: ServerFlags = {},
): Promise<ServerProcess> {
  const script = fileURLToPath(new URL(`servers/${peer.script}`, import.meta.url))
  const [binary, ...ownArgs] = runtimes[peer.runtime]
  const args = ownArgs.filter((arg) => fromSource || arg !== sourceCondition)
  const [command, ...rest] = pinned(cores.server, [binary, ...args, ...runtimeArgs, script])
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()

  async function nextState(): Promise<ServerState> {
    const { value, done } = await lines.next()
    if (done) throw new Error(`The server ${peer.name} has ended.`)
    return JSON.parse(value)
  }

  const { port, ids } = await nextState()
  return {
    peer,
    url: `http://${host}:${port}`,
    ids,
    state() {
      child.stdin.write('\n')
      return nextState()
    },
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}
