import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster } from 'ioredis'
import { onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import { outputOf } from '../processes/run-program.ts'
import { launchRedis } from './launch-redis.ts'

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>

/** Starts a Redis Cluster of three servers, in memory. The caller stops it when its tests are over. */
export async function startRedisCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-redis-'))
  const places: { readonly port: number; readonly bus: number }[] = []
  for (let count = 0; count < 3; count++) places.push({ port: await freePort(), bus: await freePort() })
  const ports = places.map(({ port }) => port)
  const launchAll = () =>
    Promise.all(
      places.map(({ port, bus }) => {
        const own = ['--cluster-port', String(bus), '--cluster-config-file', `nodes-${port}.conf`]
        return launchRedis(port, '--cluster-enabled', 'yes', '--dir', folder, ...own)
      }),
    )
  let servers = await launchAll()
  const online = () => Promise.all(servers.map((server) => server.heard(/Cluster state changed: ok/)))
  const kill = () => Promise.all(servers.map((server) => server.kill()))

  const addresses = ports.map((port) => `127.0.0.1:${port}`)
  await outputOf(['redis-cli', '--cluster', 'create', ...addresses, '--cluster-yes'])
  await online()

  return {
    ports,
    /** A client that first asks the server at this port, and is closed with the test. */
    client(port = ports[0]) {
      const client = new Cluster([{ host: '127.0.0.1', port }])
      client.on('error', () => {})
      onTestFinished(() => client.disconnect())
      return client
    },
    freeze: () => Promise.all(servers.map((server) => server.freeze())),
    thaw: () => servers.forEach((server) => server.thaw()),
    kill,
    /** Starts the servers again on their ports after they were killed, empty. */
    async start() {
      servers = await launchAll()
      await online()
    },
    async stop() {
      await kill()
      rmSync(folder, { recursive: true })
    },
  }
}
