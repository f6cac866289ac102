import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster, type ClusterOptions } from 'ioredis'
import { onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'

/** A Redis Cluster of three servers, in memory. */
export interface RedisCluster {
  readonly ports: readonly number[]
  /** A client that first asks the server at this port, and is closed with the test. @default the first server */
  client(port?: number, options?: ClusterOptions): Cluster
  /** Sends all servers a signal, and waits for their end if the signal ends them. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
  /** Starts the servers again on their ports after they were killed, empty. */
  start(): Promise<void>
  /** Ends the servers, and deletes their files. */
  stop(): Promise<void>
}

/** Starts Debian's `redis-server` three times. The caller stops the servers when its tests are over. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-redis-'))
  const places: { readonly port: number; readonly bus: number }[] = []
  for (let count = 0; count < 3; count++) places.push({ port: await freePort(), bus: await freePort() })
  const ports = places.map(({ port }) => port)
  let servers: ChildProcess[] = []

  function launch(): void {
    servers = places.map(({ port, bus }) => {
      const own = ['--port', port, '--cluster-port', bus, '--cluster-config-file', `nodes-${port}.conf`]
      const rest = ['--cluster-enabled', 'yes', '--bind', '127.0.0.1', '--save', '', '--dir', folder]
      return spawn('redis-server', [...own, ...rest].map(String), { stdio: 'ignore' })
    })
  }

  const isOnline = () => ports.every((port) => says(port, 'cluster_state:ok', 'cluster', 'info'))

  launch()
  await until(() => ports.every((port) => says(port, 'PONG', 'ping')))
  const addresses = ports.map((port) => `127.0.0.1:${port}`)
  execFileSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], {
    stdio: 'ignore',
    timeout: 30_000,
  })
  await until(isOnline)

  async function signal(name: NodeJS.Signals): Promise<void> {
    const running = servers.filter((server) => server.exitCode === null && server.signalCode === null)
    const exits = running.map((server) => once(server, 'exit'))
    for (const server of running) server.kill(name)
    if (name === 'SIGKILL') await Promise.all(exits)
  }

  return {
    ports,
    client(port = ports[0], options = {}) {
      const client = new Cluster([{ host: '127.0.0.1', port }], options)
      client.on('error', () => {})
      onTestFinished(() => client.disconnect())
      return client
    },
    signal,
    async start() {
      launch()
      await until(isOnline)
    },
    async stop() {
      await signal('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Whether the answer of a server to a command contains a text. */
function says(port: number, what: string, ...words: string[]): boolean {
  try {
    const answer = execFileSync('redis-cli', ['-p', String(port), ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return answer.includes(what)
  } catch {
    return false
  }
}
