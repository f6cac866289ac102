import { launchSwift } from '../files-s3/servers/launch-swift.ts'
import { listen } from '../loopback.ts'
import { startPackedPackages } from '../packaging/packed-packages.ts'
import { startPostgres } from '../postgres/start-postgres.ts'
import { launchRedis } from '../scheduler-bullmq/launch-redis.ts'
import { bundlePrograms } from './bundled-programs.ts'
import { askAt, type SharedServerName } from './shared-server.ts'

const starts = {
  async postgres() {
    const { url, stop } = await startPostgres(['fsync=off'])
    return { url: url('postgres'), stop }
  },
  async redis() {
    const { port, stop } = await launchRedis()
    return { url: `redis://127.0.0.1:${port}`, stop }
  },
  async swift() {
    const { port, stop } = await launchSwift()
    return { url: `http://127.0.0.1:${port}`, stop }
  },
  packages: startPackedPackages,
  async media() {
    const { textOfFiles } = await import('../media/made-files.ts')
    return { url: await textOfFiles(), stop: async () => {} }
  },
  async pages() {
    const { builtPages } = await import('./built-pages.ts')
    return { url: JSON.stringify(builtPages()), stop: async () => {} }
  },
  programs: bundlePrograms,
} satisfies Record<SharedServerName, unknown>

/** Starts a shared server when the first test file of a run asks for it, and ends all of them with the run. */
export default async function offerServers(): Promise<() => Promise<void>> {
  const started = new Map<SharedServerName, ReturnType<(typeof starts)[SharedServerName]>>()
  const { origin, stop } = await listen((request, response) => {
    const name = (request.url ?? '').slice(1) as SharedServerName
    const server = started.get(name) ?? starts[name]()
    started.set(name, server)
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  process.env[askAt] = origin
  return async () => {
    await stop()
    for (const server of await Promise.allSettled(started.values()))
      if (server.status === 'fulfilled') await server.value.stop()
  }
}
