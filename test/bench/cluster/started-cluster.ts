import { postgresMigrations } from '@genmount/backend-postgres'
import pg from 'pg'
import type { StartedPostgres } from '../../postgres/start-postgres.ts'
import { cores } from '../http/pinned.ts'
import { type Child, startChild } from '../waiters/child-process.ts'
import { type ClusterQuestion, rawSchema } from './cluster-protocol.ts'

/** Nodes of a cluster, each a process of its own, on one database. */
export interface StartedCluster {
  readonly url: string
  readonly nodes: readonly Child[]
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
  const core = `${cores.server},${cores.load}`
  // They take over how this process finds the packages.
  const nodeArgs = process.execArgv
  const nodes: Child[] = []
  while (nodes.length < count)
    nodes.push(await startChild(new URL('cluster-node.ts', import.meta.url), { core, nodeArgs }, url))
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
