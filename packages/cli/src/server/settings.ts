import { resolve } from 'node:path'
import * as v from 'valibot'

/** What the environment sets. */
export interface Settings {
  readonly port: number
  readonly host: string
  /** The key of each owner. */
  readonly apiKeys: Readonly<Record<string, string>>
  readonly usesDefaultKey: boolean
  readonly baseUrl: string | undefined
  readonly waitBudgetMs: number | undefined
  /** The folder where jobs and files are kept, absolute, unless a database or a bucket keeps them. */
  readonly dataDir: string | undefined
  /** The connection string of the Postgres that keeps the jobs. */
  readonly databaseUrl: string | undefined
  /** The connection string of the Redis that wakes the jobs and tells the nodes what has changed. */
  readonly redisUrl: string | undefined
  /** The bucket that keeps the files. */
  readonly bucket: Bucket | undefined
  readonly maxJobs: number | undefined
  readonly allowSimulation: boolean
}

/** A bucket, and how to reach it. */
export interface Bucket {
  readonly name: string
  /** @default that of AWS in the region */
  readonly endpoint: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const wholeNumber = (name: string, min: number, max: number) => {
  const message = `${name} must be a whole number from ${min} to ${max}.`
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

const baseUrlMessage = 'BASE_URL must be an http or https URL, such as https://example.org.'

const urlOf = (name: string, protocols: readonly string[]) => {
  const message = `${name} must be a URL that begins with ${protocols.join(' or ')}.`
  const begins = (text: string) => protocols.some((protocol) => text.startsWith(protocol))
  return v.pipe(v.string(), v.url(message), v.check(begins, message))
}

const variables = v.object({
  PORT: v.optional(wholeNumber('PORT', 0, 65_535), '3000'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  API_KEYS: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[^:,\s]+:[^:,\s]+(,[^:,\s]+:[^:,\s]+)*$/,
        'API_KEYS must be owner:key pairs with commas between them, such as alice:s3cret,bob:t0ps3cret.',
      ),
      v.transform((pairs) => pairs.split(',').map((pair) => pair.split(':') as [owner: string, key: string])),
      v.check(
        (pairs) => new Set(pairs.map(([owner]) => owner)).size === pairs.length,
        'API_KEYS must name each owner once.',
      ),
    ),
  ),
  BASE_URL: v.optional(v.pipe(v.string(), v.url(baseUrlMessage), v.startsWith('http', baseUrlMessage))),
  WAIT_BUDGET_MS: v.optional(wholeNumber('WAIT_BUDGET_MS', 0, 2 ** 31 - 1)),
  DATA_DIR: v.optional(
    v.pipe(
      v.string(),
      v.transform((path) => resolve(path)),
    ),
  ),
  DATABASE_URL: v.optional(urlOf('DATABASE_URL', ['postgres://', 'postgresql://'])),
  REDIS_URL: v.optional(urlOf('REDIS_URL', ['redis://', 'rediss://'])),
  S3_BUCKET: v.optional(v.string()),
  S3_ENDPOINT: v.optional(urlOf('S3_ENDPOINT', ['https://', 'http://'])),
  S3_REGION: v.optional(v.string(), 'us-east-1'),
  S3_ACCESS_KEY_ID: v.optional(v.string()),
  S3_SECRET_ACCESS_KEY: v.optional(v.string()),
  MAX_JOBS: v.optional(wholeNumber('MAX_JOBS', 1, Number.MAX_SAFE_INTEGER)),
  ALLOW_SIMULATION: v.optional(v.picklist(['0', '1'], 'ALLOW_SIMULATION must be 1 or 0.'), '0'),
})

const environment = v.pipe(
  variables,
  v.check(
    ({ DATA_DIR, DATABASE_URL, MAX_JOBS }) =>
      (DATA_DIR ?? DATABASE_URL) === undefined || MAX_JOBS === undefined,
    'MAX_JOBS must not be set together with DATA_DIR or DATABASE_URL, where the disk is the only bound.',
  ),
  v.check(
    ({ DATA_DIR, DATABASE_URL, S3_BUCKET }) =>
      DATABASE_URL === undefined || DATA_DIR !== undefined || S3_BUCKET !== undefined,
    'DATABASE_URL needs a place for the files that all nodes share: set S3_BUCKET, or DATA_DIR to a shared folder.',
  ),
  v.check(
    ({ DATABASE_URL, REDIS_URL }) => REDIS_URL === undefined || DATABASE_URL !== undefined,
    'REDIS_URL only wakes the jobs of a database that several nodes share: set DATABASE_URL too.',
  ),
  v.check(
    ({ S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }) =>
      S3_BUCKET === undefined || (S3_ACCESS_KEY_ID !== undefined && S3_SECRET_ACCESS_KEY !== undefined),
    'S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too.',
  ),
  v.check(
    ({ DATA_DIR, DATABASE_URL, S3_BUCKET }) =>
      S3_BUCKET === undefined || DATA_DIR !== undefined || DATABASE_URL !== undefined,
    'S3_BUCKET keeps only the files: set DATABASE_URL or DATA_DIR for the jobs.',
  ),
)

/**
 * Reads the settings from environment variables; an empty one counts as absent.
 * @throws Error that names the variable and what it accepts
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = v.safeParse(environment, given)
  if (!parsed.success) throw new Error(parsed.issues[0].message)
  const { PORT, HOST, API_KEYS, BASE_URL, WAIT_BUDGET_MS, DATA_DIR, MAX_JOBS, ALLOW_SIMULATION, ...shared } =
    parsed.output
  return {
    databaseUrl: shared.DATABASE_URL,
    redisUrl: shared.REDIS_URL,
    bucket:
      shared.S3_BUCKET === undefined
        ? undefined
        : {
            name: shared.S3_BUCKET,
            endpoint: shared.S3_ENDPOINT,
            region: shared.S3_REGION,
            accessKeyId: shared.S3_ACCESS_KEY_ID ?? '',
            secretAccessKey: shared.S3_SECRET_ACCESS_KEY ?? '',
          },
    port: PORT,
    host: HOST,
    apiKeys: Object.fromEntries(API_KEYS ?? [['dev', 'dev-key']]),
    usesDefaultKey: API_KEYS === undefined,
    baseUrl: BASE_URL,
    waitBudgetMs: WAIT_BUDGET_MS,
    dataDir: DATA_DIR,
    maxJobs: MAX_JOBS,
    allowSimulation: ALLOW_SIMULATION === '1',
  }
}
