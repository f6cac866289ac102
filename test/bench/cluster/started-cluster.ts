import { postgresMigrations } from '@genmount/backend-postgres'
import pg from 'pg'
import type { StartedPostgres } from '../../postgres/start-postgres.ts'
import { type Measured, startMeasured } from '../measured-process.ts'
import type { NodeCalls } from './cluster-node.ts'

/** How many connections each pool of a node has. */
export const poolSize = 10

/** The schema of the raw statements. Its tables are those of the backend. */
export const rawSchema = 'raw'

/** How long a life of the model `bench-video` takes on an idle machine, in milliseconds. */
export const polledLifeMs = 2100

/** How many statements a life of the model `bench-video` takes: 5 writes and 2 reads. */
export const statementsOfPolledLife = 7

/**
 * Uses a cluster on a new database of the server. Each node is a process of its own. The server and the load run on the
 * same cores.
 */
export async function withCluster<Result>(
  server: StartedPostgres,
  count: number,
  use: (cluster: StartedCluster) => Promise<Result>,
): Promise<Result> {
  const name = `cluster_of_${count}`
  await run(server.url('postgres'), [`CREATE DATABASE ${name}`])
  const url = server.url(name)
  await run(
    url,
    postgresMigrations({ schema: rawSchema }).map(({ sql }) => sql),
  )
  const cluster: StartedNode[] = []
  try {
    while (cluster.length < count) {
      const node = startMeasured<NodeCalls>(
        new URL('cluster-node.ts', import.meta.url),
        { onAllCores: true },
        url,
      )
      cluster.push({ ...node, ...(await node.ask('origins')) })
    }
    return await use(cluster)
  } finally {
    await Promise.all(cluster.map((node) => node.stop()))
  }
}

type StartedNode = Measured<NodeCalls> & ReturnType<NodeCalls['origins']>
export type StartedCluster = readonly StartedNode[]

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}
