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
  /** The folder where jobs and files are kept, absolute. Without it they are in memory. */
  readonly dataDir: string | undefined
  readonly maxJobs: number | undefined
  readonly allowSimulation: boolean
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
  MAX_JOBS: v.optional(wholeNumber('MAX_JOBS', 1, Number.MAX_SAFE_INTEGER)),
  ALLOW_SIMULATION: v.optional(v.picklist(['0', '1'], 'ALLOW_SIMULATION must be 1 or 0.'), '0'),
})

const environment = v.pipe(
  variables,
  v.check(
    ({ DATA_DIR, MAX_JOBS }) => DATA_DIR === undefined || MAX_JOBS === undefined,
    'MAX_JOBS must not be set together with DATA_DIR, where the disk is the only bound.',
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
  const { PORT, HOST, API_KEYS, BASE_URL, WAIT_BUDGET_MS, DATA_DIR, MAX_JOBS, ALLOW_SIMULATION } =
    parsed.output
  return {
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
