import * as v from 'valibot'

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

const urlOf = (name: string, protocols: readonly string[]) => {
  const message = `${name} must be a URL that begins with ${protocols.join(' or ')}.`
  const begins = (text: string) => protocols.some((protocol) => text.startsWith(protocol))
  return v.pipe(v.string(), v.url(message), v.check(begins, message))
}

/** The keys of a server that has none. */
export const publishedKeys: readonly (readonly [owner: string, key: string])[] = [['dev', 'dev-key']]

/** Names with a key each. @param who whose name it is */
const keyPairs = (variable: string, who: string, example: string) =>
  v.pipe(
    v.string(),
    v.regex(
      /^[^:,\s]+:[^:,\s]+(,[^:,\s]+:[^:,\s]+)*$/,
      `${variable} must be ${who}:key pairs with commas between them, such as ${example}.`,
    ),
    v.transform((pairs) => pairs.split(',').map((pair) => pair.split(':') as [name: string, key: string])),
    v.check(
      (pairs) => new Set(pairs.map(([name]) => name)).size === pairs.length,
      `${variable} must name each ${who} once.`,
    ),
  )

/**
 * The schema of the server's environment variables. All values are strings.
 * @param named returns the name that the operator used for a variable, for error messages
 */
export function environmentSchema(named: (variable: string) => string) {
  const baseUrlMessage = `${named('BASE_URL')} must be an http or https URL without /v1, such as https://example.org.`
  const variables = v.object({
    PORT: v.optional(wholeNumber(named('PORT'), 0, 65_535), '3000'),
    HOST: v.optional(v.string(), '127.0.0.1'),
    API_KEYS: v.optional(keyPairs(named('API_KEYS'), 'owner', 'alice:s3cret,bob:t0ps3cret')),
    OPERATOR_KEYS: v.optional(keyPairs(named('OPERATOR_KEYS'), 'operator', 'maria:0wn-s3cret')),
    BASE_URL: v.optional(
      v.pipe(v.string(), v.url(baseUrlMessage), v.regex(/^http(?!.*\/v1\/*$)/, baseUrlMessage)),
    ),
    STOP_WITHIN_MS: v.optional(wholeNumber(named('STOP_WITHIN_MS'), 3000, 2 ** 31 - 1)),
    WAIT_BUDGET_MS: v.optional(wholeNumber(named('WAIT_BUDGET_MS'), 0, 2 ** 31 - 1)),
    DATA_DIR: v.optional(v.string()),
    DATABASE_URL: v.optional(urlOf(named('DATABASE_URL'), ['postgres://', 'postgresql://'])),
    REDIS_URL: v.optional(urlOf(named('REDIS_URL'), ['redis://', 'rediss://'])),
    S3_BUCKET: v.optional(v.string()),
    S3_ENDPOINT: v.optional(urlOf(named('S3_ENDPOINT'), ['https://', 'http://'])),
    S3_REGION: v.optional(v.string(), 'us-east-1'),
    S3_ACCESS_KEY_ID: v.optional(v.string()),
    S3_SECRET_ACCESS_KEY: v.optional(v.string()),
    MAX_JOBS: v.optional(wholeNumber(named('MAX_JOBS'), 1, Number.MAX_SAFE_INTEGER)),
    ALLOW_SIMULATION: v.optional(v.picklist(['0', '1'], `${named('ALLOW_SIMULATION')} must be 1 or 0.`), '0'),
  })

  return v.pipe(
    variables,
    v.check(
      ({ API_KEYS = publishedKeys, OPERATOR_KEYS = [] }) => {
        const keysOfClients = new Set(API_KEYS.map(([, key]) => key))
        return !OPERATOR_KEYS.some(([, key]) => keysOfClients.has(key))
      },
      `${named('OPERATOR_KEYS')} must have other keys than ${named('API_KEYS')}, whose keys open nothing of operators.`,
    ),
    v.check(
      ({ DATA_DIR, DATABASE_URL, MAX_JOBS }) =>
        (DATA_DIR ?? DATABASE_URL) === undefined || MAX_JOBS === undefined,
      `${named('MAX_JOBS')} must not be set together with DATA_DIR or DATABASE_URL, where the disk is the only bound.`,
    ),
    v.check(
      ({ DATA_DIR, DATABASE_URL, S3_BUCKET }) =>
        DATABASE_URL === undefined || DATA_DIR !== undefined || S3_BUCKET !== undefined,
      `${named('DATABASE_URL')} needs a place for the files that all nodes share: set S3_BUCKET, or DATA_DIR to a shared folder.`,
    ),
    v.check(
      ({ DATABASE_URL, REDIS_URL }) => REDIS_URL === undefined || DATABASE_URL !== undefined,
      `${named('REDIS_URL')} only wakes the jobs of a database that several nodes share: set DATABASE_URL too.`,
    ),
    v.check(
      ({ S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }) =>
        S3_BUCKET === undefined || (S3_ACCESS_KEY_ID !== undefined && S3_SECRET_ACCESS_KEY !== undefined),
      `${named('S3_BUCKET')} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too.`,
    ),
    v.check(
      ({ DATA_DIR, DATABASE_URL, S3_BUCKET }) =>
        S3_BUCKET === undefined || DATA_DIR !== undefined || DATABASE_URL !== undefined,
      `${named('S3_BUCKET')} keeps only the files: set DATABASE_URL or DATA_DIR for the jobs.`,
    ),
  )
}
