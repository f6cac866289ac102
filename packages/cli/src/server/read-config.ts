import type { LimitsOptions, OwnerLimits } from '@genmount/core/limits'
import type { CorsOptions } from '@genmount/node-http'
import type { ProvenanceOptions } from '@genmount/provenance'
import type { VariantsOptions } from '@genmount/variants'
import type { SignedWebhooksOptions } from '@genmount/webhooks'
import type { Environment } from '../vendors/environment.ts'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type GenerationServiceOptions, nearestName } from '@genmount/core'
import { faultInJson } from './fault-in-json.ts'
import { fieldOf } from './field-of.ts'

/**
 * The environment variables of the server's settings. The file may set each as a field in camelCase: `DATA_DIR` as
 * `dataDir`.
 */
export const settingVariables: readonly string[] = [
  'PORT',
  'HOST',
  'API_KEYS',
  'OPERATOR_KEYS',
  'BASE_URL',
  'WAIT_BUDGET_MS',
  'STOP_WITHIN_MS',
  'DATA_DIR',
  'MAX_JOBS',
  'DATABASE_URL',
  'REDIS_URL',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'ALLOW_SIMULATION',
]
const serviceFields = ['retentionDays', 'maxRunningJobsPerOwner', 'deadlineMs', 'maxOutputBytes'] as const
const fields: readonly string[] = [
  ...settingVariables.map(fieldOf),
  ...serviceFields,
  'accessLog',
  'cors',
  'limits',
  'metrics',
  'provenance',
  'providers',
  'variants',
  'webhooks',
]

/** The options of `variants` as JSON has them. */
export type VariantsConfig = Omit<VariantsOptions, 'decodeFrame'> & { readonly posters?: boolean | string }

/** The options of webhooks as JSON has them: the secrets of each owner, and the options of `signedWebhooks`. */
export type WebhooksConfig = Pick<SignedWebhooksOptions, 'allow' | 'allowLoopback'> & {
  readonly secrets: Readonly<Record<string, string | readonly string[]>>
}

/** Where Prometheus finds the metrics. */
export interface MetricsConfig {
  /** The port of `/metrics`, which is not the server's own, because the metrics need no key. @default 9464 */
  readonly port?: number
  /** The address to listen on. @default 127.0.0.1 */
  readonly host?: string
}

/** The contents of a configuration file. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string
  /** Its name without the folder. */
  readonly name: string
  /** The settings as strings. Each key is the environment variable that the setting replaces. */
  readonly settings: Readonly<Record<string, string>>
  /** The options that the service gets unchanged. */
  readonly service: Pick<GenerationServiceOptions, (typeof serviceFields)[number]>
  /** Whether each request is logged. */
  readonly accessLog: boolean
  /** Which pages of other origins may use the interface. `undefined` if the file does not say it. */
  readonly cors: CorsOptions | undefined
  /** `undefined` if nobody fetches metrics. */
  readonly metrics: MetricsConfig | undefined
  /** `undefined` if no webhooks are sent. */
  readonly webhooks: WebhooksConfig | undefined
  /** The limits of all owners, and what jobs reserve. `undefined` if the file has none. */
  readonly limits: (OwnerLimits & Pick<LimitsOptions, 'reserveUsd' | 'timeZone'>) | undefined
  /** The options of the marks of outputs; `false` to mark none. `undefined` if the file does not say it. */
  readonly provenance: ProvenanceOptions | false | undefined
  /**
   * The options of other sizes and formats of outputs; `false` for none. `posters` is `true` for the program ffmpeg, or its path.
   * `undefined` if the file does not say it.
   */
  readonly variants: VariantsConfig | false | undefined
  /**
   * The options of the providers by their names. `undefined` if the file has no `providers`, so that the environment
   * decides.
   */
  readonly providers: Readonly<Record<string, unknown>> | undefined
}

/**
 * Reads a configuration file, which is JSON. In its strings, `${NAME}` is replaced with an environment variable, so
 * that keys need not be in the file.
 * @throws Error that names the file and what is wrong in it
 */
export async function readConfig(file: string, env: Environment): Promise<ConfigFile> {
  const path = resolve(file)
  const name = basename(path)
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new Error(`The configuration file can't be read: ${cause.message}`, { cause })
  })
  // Some editors on Windows begin a file with a byte order mark.
  const json = withVariables(parsed(text.replace(/^\ufeff/, ''), path), name, '', env)
  if (!isObject(json)) throw new Error(`${path} must be a JSON object, such as { "port": 3000 }.`)
  const unknown = Object.keys(json).find((field) => !fields.includes(field))
  if (unknown !== undefined) {
    const meant = nearestName(unknown, fields)
    const advice = meant === undefined ? `It may have: ${fields.join(', ')}.` : `Did you mean ${meant}?`
    throw new Error(`${name} has the unknown field ${unknown}. ${advice}`)
  }
  const { providers } = json
  if (providers !== undefined && !isObject(providers))
    throw new Error(`providers in ${name} must be an object, such as { "procedural": true }.`)
  if (json['webhooks'] !== undefined && !isObject(json['webhooks']))
    throw new Error(`webhooks in ${name} must be an object, such as { "secrets": { "alice": "whsec_..." } }.`)
  if (json['metrics'] !== undefined && !isObject(json['metrics']))
    throw new Error(`metrics in ${name} must be an object, such as { "port": 9464, "host": "127.0.0.1" }.`)
  if (!['undefined', 'boolean'].includes(typeof json['accessLog']))
    throw new Error(`accessLog in ${name} must be true or false.`)
  const settings = settingVariables.flatMap((variable) => {
    const value = json[fieldOf(variable)]
    return value === undefined ? [] : [[variable, textOf(value)]]
  })
  const service = serviceFields.flatMap((field) => (json[field] === undefined ? [] : [[field, json[field]]]))
  return {
    path,
    name,
    settings: Object.fromEntries(settings),
    service: Object.fromEntries(service),
    accessLog: json['accessLog'] === true,
    cors: json['cors'] as ConfigFile['cors'],
    metrics: json['metrics'] as ConfigFile['metrics'],
    webhooks: json['webhooks'] as ConfigFile['webhooks'],
    limits: json['limits'] as ConfigFile['limits'],
    provenance: json['provenance'] as ConfigFile['provenance'],
    variants: json['variants'] as ConfigFile['variants'],
    providers,
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${path} must be JSON: ${faultInJson(text) ?? (cause as Error).message}`, { cause })
  }
}

/** The value as the environment variable would have it. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (!isObject(value)) return String(value)
  return Object.entries(value)
    .map(([owner, key]) => `${owner}:${String(key)}`)
    .join(',')
}

function withVariables(value: unknown, name: string, place: string, env: Environment): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => withVariables(item, name, `${place}[${index}]`, env))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        withVariables(item, name, place === '' ? key : `${place}.${key}`, env),
      ]),
    )
  if (typeof value !== 'string') return value
  return value.replaceAll(/\$\{(\w+)\}/g, (_all, variable: string) => {
    const path = env[variable]
    if (path) return path
    throw new Error(`${place} in ${name} names the variable ${variable}, which is not set.`)
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
