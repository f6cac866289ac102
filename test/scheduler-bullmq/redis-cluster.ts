import { Cluster } from 'ioredis'
import { onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import { outputOf } from '../processes/run-program.ts'
import { launchRedis } from './launch-redis.ts'

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>

/** Starts a Redis Cluster of three servers, in memory. The caller stops it when its tests are over. */
export async function startRedisCluster() {
  const launchOne = async () =>
    launchRedis('--cluster-enabled', 'yes', '--cluster-port', String(await freePort()))
  const servers = [await launchOne(), await launchOne(), await launchOne()]
  const ports = servers.map(({ port }) => port)
  const all = (run: (server: (typeof servers)[number]) => unknown) => Promise.all(servers.map(run))
  const online = () => all((server) => server.heard(/Cluster state changed: ok/))

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
    freeze: () => all((server) => server.freeze()),
    thaw: () => servers.forEach((server) => server.thaw()),
    kill: () => all((server) => server.kill()),
    /** Starts the servers again on their ports after they were killed, empty. */
    async start() {
      await all((server) => server.start())
      await online()
    },
    stop: () => all((server) => server.stop()),
  }
}
