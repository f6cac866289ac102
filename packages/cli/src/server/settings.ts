import type { Environment } from '../vendors/environment.ts'
import { dirname, resolve } from 'node:path'
import * as v from 'valibot'
import { environmentSchema, publishedKeys } from './environment-schema.ts'
import { fieldOf } from './field-of.ts'
import type { ConfigFile } from './read-config.ts'

/** The settings of the environment and the configuration file. */
export interface Settings {
  readonly port: number
  readonly host: string
  /** The key of each owner. */
  readonly apiKeys: Readonly<Record<string, string>>
  /** The key of each operator. Empty when the server has no routes for operators. */
  readonly operatorKeys: Readonly<Record<string, string>>
  /**
   * The key that the server has by itself because API_KEYS is not set: the published key `dev-key`, or a random one.
   */
  readonly ownKey: 'published' | 'random' | undefined
  readonly baseUrl: string | undefined
  readonly waitBudgetMs: number | undefined
  /** The time that the host gives the process to end after a signal. */
  readonly stopWithinMs: number | undefined
  /** The absolute path of the folder for jobs and files that are not in a database or a bucket. */
  readonly dataDir: string | undefined
  /** The connection string of the Postgres database that stores the jobs. */
  readonly databaseUrl: string | undefined
  /** The connection string of the Redis that wakes jobs and tells the nodes which jobs have changed. */
  readonly redisUrl: string | undefined
  /** The bucket that stores the files. */
  readonly bucket: Bucket | undefined
  readonly maxJobs: number | undefined
  readonly allowSimulation: boolean
}

/** A bucket, and how to reach it. */
export interface Bucket {
  readonly name: string
  /** @default the endpoint of AWS in the region */
  readonly endpoint: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/**
 * Reads the settings from environment variables and the configuration file. A variable wins over the same setting in the
 * file; an empty variable counts as absent.
 * @throws Error that names the setting as the operator wrote it, and says what it accepts
 */
export function readSettings(env: Environment, config?: ConfigFile): Settings {
  const ofEnv = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const ofFile = config?.settings ?? {}
  const named = (variable: string) =>
    !(variable in ofEnv) && variable in ofFile ? `${fieldOf(variable)} in ${config?.name}` : variable
  const parsed = v.safeParse(environmentSchema(named), { ...ofFile, ...ofEnv })
  if (!parsed.success) throw new Error(parsed.issues[0].message)
  const { PORT, HOST, API_KEYS, OPERATOR_KEYS, BASE_URL, DATA_DIR, MAX_JOBS, ALLOW_SIMULATION, ...shared } =
    parsed.output
  const isFolderOfFile = config !== undefined && !('DATA_DIR' in ofEnv)
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
    apiKeys: Object.fromEntries(API_KEYS ?? publishedKeys),
    operatorKeys: Object.fromEntries(OPERATOR_KEYS ?? []),
    ownKey: API_KEYS === undefined ? 'published' : undefined,
    baseUrl: BASE_URL,
    waitBudgetMs: shared.WAIT_BUDGET_MS,
    stopWithinMs: shared.STOP_WITHIN_MS,
    dataDir: DATA_DIR && (isFolderOfFile ? resolve(dirname(config.path), DATA_DIR) : resolve(DATA_DIR)),
    maxJobs: MAX_JOBS,
    allowSimulation: ALLOW_SIMULATION === '1',
  }
}
