import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster } from 'ioredis'
import { onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import type { Launched } from '../processes/launch.ts'
import { outputOf } from '../processes/run-program.ts'
import { launchRedis } from './launch-redis.ts'

/** A Redis Cluster of three servers, in memory. */
export interface RedisCluster {
  readonly ports: readonly number[]
  /** A client that first asks the server at this port, and is closed with the test. @default the first server */
  client(port?: number): Cluster
  freeze(): Promise<unknown>
  thaw(): void
  /** Ends the servers. */
  kill(): Promise<unknown>
  /** Starts the servers again on their ports after they were killed, empty. */
  start(): Promise<void>
  /** Ends the servers, and deletes their files. */
  stop(): Promise<void>
}

/** Starts three servers. The caller stops them when its tests are over. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-redis-'))
  const places: { readonly port: number; readonly bus: number }[] = []
  for (let count = 0; count < 3; count++) places.push({ port: await freePort(), bus: await freePort() })
  const ports = places.map(({ port }) => port)
  let servers: readonly Launched[] = []

  async function launchAll(): Promise<void> {
    servers = await Promise.all(
      places.map(({ port, bus }) => {
        const own = ['--cluster-port', String(bus), '--cluster-config-file', `nodes-${port}.conf`]
        return launchRedis(port, '--cluster-enabled', 'yes', '--dir', folder, ...own)
      }),
    )
  }
  const online = () => Promise.all(servers.map((server) => server.heard(/Cluster state changed: ok/)))
  const killAll = () => Promise.all(servers.map((server) => server.kill()))

  await launchAll()
  const addresses = ports.map((port) => `127.0.0.1:${port}`)
  await outputOf(['redis-cli', '--cluster', 'create', ...addresses, '--cluster-yes'])
  await online()

  return {
    ports,
    client(port = ports[0]) {
      const client = new Cluster([{ host: '127.0.0.1', port }])
      client.on('error', () => {})
      onTestFinished(() => client.disconnect())
      return client
    },
    freeze: () => Promise.all(servers.map((server) => server.freeze())),
    thaw: () => servers.forEach((server) => server.thaw()),
    kill: killAll,
    async start() {
      await launchAll()
      await online()
    },
    async stop() {
      await killAll()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
