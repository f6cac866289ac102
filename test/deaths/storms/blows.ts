import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { StartedServer } from '../campaign/started-server.ts'
import type { Store } from '../service/server-settings.ts'

interface Site {
  readonly servers: StartedServer[]
  /** Starts a server at a place. */
  readonly start: (place: number) => StartedServer
  readonly clockSpeed: number
  /** The path of a SQLite file, or the URL of a Postgres database. */
  readonly database: string
  /** The vendor accepts another key from now on, which only new servers have. */
  readonly rotateKey: () => void
  /** Sets the clock of the machine, or of the database, so that it is ahead of the right time by this much. */
  readonly misset: (aheadMs: number) => void
  /** Sets the clock of the machine of one server, which follows the database. */
  readonly missetNode: (aheadMs: number) => void
}

/**
 * What happens to the server at one place. Resolves when it is over. If the server has ended, another one is started in its
 * place.
 * @param aheadMs by how much a clock is to be ahead, in milliseconds
 */
export type Blow = (site: Site, place: number, aheadMs: number) => Promise<void>

export const kill: Blow = async ({ servers, start }, place) => {
  await servers[place]?.kill()
  servers[place] = start(place)
}

/** A new server takes the place of the one that closes at once, as in a deployment. */
const close: Blow = async ({ servers, start }, place) => {
  const server = servers[place]
  servers[place] = start(place)
  await server?.close()
}

/** @param forMs how long, in milliseconds of the system */
const freeze =
  (forMs: number): Blow =>
  async ({ servers }, place) => {
    const server = servers[place]
    await server?.freeze()
    await delay(forMs)
    server?.thaw()
  }

/** Cuts the server off from a store, from now on or from when the provider has answered its next submit. */
const outage =
  (store: Store, seconds: number, afterNextAnswer: boolean): Blow =>
  async ({ servers, clockSpeed }, place) => {
    const forMs = seconds * 1000
    servers[place]?.tell({ store, forMs, afterNextAnswer })
    await delay(forMs / clockSpeed)
  }

/**
 * Postgres ends all connections of all servers, several times. They connect again within 30 ms, so that most rounds meet
 * connections that are being made.
 */
const disconnect: Blow = async ({ database }) => {
  const client = new pg.Client(database)
  await client.connect()
  for (let round = 0; round < 5; round++) {
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await delay(30)
  }
  await client.end()
}

/** The key is rotated, and a new server with it takes the place of one with the old key. The others keep the old one. */
const rotateKey: Blow = async (site, place, aheadMs) => {
  site.rotateKey()
  await close(site, place, aheadMs)
}

/** The clock by which all servers work is set. */
const misset: Blow = async (site, _, aheadMs) => site.misset(aheadMs)

/** The clock of the machine of one server is set. */
const missetNode: Blow = async (site, _, aheadMs) => site.missetNode(aheadMs)

/** With a clock that is ten times as fast, this is longer than a lease of 30 s. */
const longFreeze = freeze(3600)

/** What happens in each kind of storm. */
export const blowsOf = {
  kills: [kill],
  everything: [
    ...Array<Blow>(4).fill(kill),
    ...Array<Blow>(3).fill(longFreeze),
    freeze(300),
    close,
    outage('jobs', 15, false),
    outage('jobs', 15, true),
    outage('jobs', 15, true),
    outage('files', 10, false),
    outage('files', 10, true),
  ],
  onPostgres: [kill, kill, longFreeze, disconnect, kill, kill, longFreeze],
  deployment: [kill, close, longFreeze, kill],
  /** With vendors whose calls take long. */
  slowDeployment: [close, close, close, longFreeze],
  moves: [close, kill, rotateKey, close, kill, close],
  /** The clock of the machine is set while its servers live, die and stand still. */
  clocks: [misset, kill, misset, longFreeze, misset, kill, freeze(300), misset, kill],
  /** The clocks of the database and of one node are set. */
  databaseClocks: [misset, kill, missetNode, longFreeze, misset, kill, freeze(300), misset, kill, missetNode],
  /** The four blows of storms of five seconds. */
  shortOnSqlite: [kill, outage('jobs', 15, true), kill, close],
  shortDeployment: [close, kill, close, close],
}
