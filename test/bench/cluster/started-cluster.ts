import { postgresMigrations } from '@genmount/backend-postgres'
import pg from 'pg'
import type { StartedPostgres } from '../../postgres/start-postgres.ts'
import type { BenchModel } from '../bench-service.ts'
import { type Measured, startMeasured } from '../measured-process.ts'

/** How many connections each pool of a node has. */
export const poolSize = 10

/** The schema of the raw statements. Its tables are those of the backend. */
export const rawSchema = 'raw'

/** How long a life of the model `bench-video` takes on an idle machine, in milliseconds. */
export const polledLifeMs = 2100

/** How many statements a life of the model `bench-video` takes: 5 writes and 2 reads. */
export const statementsOfPolledLife = 7

/** For how long something is measured, in milliseconds. */
export interface MeasuredTime {
  /** The time before. */
  readonly warmMs: number
  readonly measuredMs: number
}

/** What the bench asks a node. */
export type ClusterQuestion =
  | { readonly do: 'done at' }
  | { readonly do: 'record'; readonly model: BenchModel }
  | { readonly do: 'readable'; readonly count: number }
  | ({ readonly do: Contest; readonly atATime: number } & MeasuredTime)
  | { readonly do: 'call back'; readonly origin: string; readonly afterMs: number }

/** What is measured in jobs a second: whole lives or creates, through a node or by raw statements. */
export type Contest = 'lives' | 'creates' | 'raw lives' | 'raw creates'

/** Where a node listens, and the bare code beside it. */
export interface NodeOrigins {
  readonly ours: string
  readonly bare: string
}

/** Nodes of a cluster, each a process of its own, on one database. */
export interface StartedCluster {
  readonly url: string
  readonly nodes: readonly Measured<NodeOrigins>[]
  /** Asks all nodes at the same time. */
  ask<Answer>(question: ClusterQuestion): Promise<Answer[]>
  stop(): Promise<void>
}

/** Starts nodes on a new database of the server. The server and the load run on the same cores. */
export async function startCluster(server: StartedPostgres, count: number): Promise<StartedCluster> {
  const name = `cluster_of_${count}`
  await run(server.url('postgres'), [`CREATE DATABASE ${name}`])
  const url = server.url(name)
  await run(
    url,
    postgresMigrations({ schema: rawSchema }).map(({ sql }) => sql),
  )
  const nodes: Measured<NodeOrigins>[] = []
  while (nodes.length < count)
    nodes.push(await startMeasured(new URL('cluster-node.ts', import.meta.url), { core: 'both' }, url))
  return {
    url,
    nodes,
    ask: <Answer>(question: ClusterQuestion) => Promise.all(nodes.map((node) => node.ask<Answer>(question))),
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  }
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}
