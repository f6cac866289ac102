import { programServer } from '../processes/program-server.ts'
import { programPath } from '../suite/system-needs.ts'

/** Launches `redis-server`, which keeps all in memory. The caller stops it. */
export const launchRedis = (...settings: readonly string[]) =>
  programServer((port, folder) => {
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
    return [programPath('redis'), ...place, '--save', '', '--appendonly', 'no', ...settings]
  }, /Ready to accept connections/)
