import type { Storm } from './ride-storm.ts'
import type { Blow } from './storm-plan.ts'

const clockSpeed = 10
/**
 * Two durations in milliseconds of the system, ten times as long for the service: longer than a lease of 30
 * s, and short.
 */
const [longMs, shortMs] = [3600, 300]
const kill: Blow = { what: 'kill' }
const close: Blow = { what: 'close' }
const freeze: Blow = { what: 'freeze', forMs: longMs }
const disconnect: Blow = { what: 'disconnect' }
const outage = (store: 'jobs' | 'files', seconds: number, afterNextAnswer: boolean): Blow => ({
  what: 'outage',
  store,
  forMs: (seconds * 1000) / clockSpeed,
  afterNextAnswer,
})

/** What happens in each kind of storm. */
export const blowsOf = {
  kills: [kill],
  everything: [
    kill,
    kill,
    kill,
    kill,
    close,
    freeze,
    freeze,
    freeze,
    { what: 'freeze', forMs: shortMs },
    outage('jobs', 15, false),
    outage('jobs', 15, true),
    outage('jobs', 15, true),
    outage('files', 10, false),
    outage('files', 10, true),
  ],
  onPostgres: [kill, kill, freeze, disconnect, kill, kill, freeze],
  deployment: [kill, close, freeze, kill],
  /** The four blows of a storm of five seconds. */
  shortOnSqlite: [kill, outage('jobs', 15, true), kill, close],
  // Without `disconnect`, after which the row of a deleted job may stay for 20 minutes of the service.
  shortOnPostgres: [kill, close, kill, kill],
} satisfies Record<string, readonly Blow[]>

/**
 * A storm with ten jobs each second. `STORM_SECONDS=60 STORM_SEED=7` makes a storm last 60 s, with the same plan each time.
 * @param seconds how long it lasts, without `STORM_SECONDS`
 */
export function storm(kind: keyof typeof blowsOf, seconds: number): Storm {
  const lastsMs = Number(process.env['STORM_SECONDS'] ?? seconds) * 1000
  const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000)
  return { lastsMs, jobCount: 10 * (lastsMs / 1000), seed, blows: blowsOf[kind], clockSpeed }
}
