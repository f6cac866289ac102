import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import type { Release } from './campaign/started-server.ts'
import { readDiary } from './service/diary.ts'
import { blowsOf } from './storms/blows.ts'
import { type Storm, type Survey, rideStorm } from './storms/ride-storm.ts'

interface Place extends Required<Pick<Storm, 'releaseOf'>> {
  readonly name: string
  readonly open: () => Promise<Storm['shared']>
  /** The version of the schema that the older release makes. */
  readonly migratedFrom: number
}

/** Three older servers make the database. The next server is of today and migrates it. */
const isOfThree = (startedBefore: number) => startedBefore < 3
/**
 * Older releases can start on a Postgres schema of today if they can live with it. On a SQLite file they can only go on.
 */
const places: readonly Place[] = [
  {
    name: 'one Postgres',
    open: async () => ({ database: await databaseOfFile() }),
    releaseOf: (startedBefore) => (isOfThree(startedBefore) || startedBefore % 2 === 0 ? 'older' : 'newest'),
    migratedFrom: 3,
  },
  {
    name: 'one SQLite file',
    open: async () => undefined,
    releaseOf: (startedBefore) => (isOfThree(startedBefore) ? 'older' : 'newest'),
    migratedFrom: 6,
  },
]

async function versionIn(database: string): Promise<number> {
  if (!database.startsWith('postgres:'))
    return Number(new DatabaseSync(database).prepare('PRAGMA user_version').get()?.['user_version'])
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query('SELECT max(version) AS version FROM genmount.versions')
  await client.end()
  return rows[0].version
}

/** What servers of a release have written to jobs. */
function writesOf(release: Release, { campaign }: Survey) {
  const pids = new Set(campaign.servers.filter((server) => server.release === release).map(({ pid }) => pid))
  const writes = readDiary(campaign.places.diary).filter((entry) => entry.what === 'write')
  return writes.filter(({ pid }) => pids.has(pid))
}

test.for(places)(
  'three servers of an older release on $name go on when servers of the next release take their places and migrate the jobs, lose no job and pay for none twice, though one is killed, closed or frozen each second',
  async ({ open, releaseOf, migratedFrom }, { onTestFinished }) => {
    const shared = await open()
    const deployment = { blows: blowsOf.deployment, seconds: 16, releaseOf, shared }
    const survey = await rideStorm(deployment, onTestFinished)
    expect(survey.breaches).toEqual([])
    expect(survey.acknowledged).toBe(survey.ordered)
    expect(await versionIn(survey.campaign.places.database)).toBeGreaterThan(migratedFrom)

    const newer = writesOf('newest', survey)
    const migratedAt = Math.min(...newer.map(({ at }) => at))
    const later = writesOf('older', survey).filter(({ at }) => at > migratedAt)
    console.log(`${newer.length} writes of newer servers, ${later.length} of older ones since the migration`)
    // They accept jobs, and take jobs to their end.
    const firstRevision = Math.min(...newer.map(({ revision }) => revision))
    expect(later.some(({ revision }) => revision === firstRevision)).toBe(true)
    expect(later.some(({ phase }) => phase === 'completed')).toBe(true)
    const ofNewer = new Set(newer.map(({ jobId }) => jobId))
    expect(later.some(({ jobId }) => ofNewer.has(jobId))).toBe(true)
  },
)
