import { launch, type Launched } from '../processes/launch.ts'
import { programPath } from '../suite/system-needs.ts'

/** Launches `redis-server` in memory on a port. Resolves when it accepts connections. The caller kills it. */
export async function launchRedis(port: number, ...settings: readonly string[]): Promise<Launched> {
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = launch([programPath('redis'), ...place, ...settings])
  await server.heard(/Ready to accept connections/)
  return server
}
