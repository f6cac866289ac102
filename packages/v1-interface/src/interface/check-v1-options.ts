import {
  accepts,
  callable,
  type Check,
  checkMountUrl,
  choice,
  type CheckedOptions,
  checkOptions,
  count,
  duration,
  flag,
  listOf,
  type GenerationService,
  optional,
  shareOfHeap,
  type OptionTable,
  text,
} from '@genmount/core'
import { apiKeys } from '../access/api-keys.ts'
import type { AnyHost, Authenticate, CheckedAccess } from '../access/access-options.ts'
import { checkCors } from '../access/cors-options.ts'
import { defaultBodyTimeoutMs, defaultMaxJsonValues } from '../body/read-body.ts'
import { isPlainPath } from './base-url.ts'
import type { FurtherInterface } from './further-interface.ts'
import type { MountedV1Options, OpenapiDocument, V1Options } from './v1-options.ts'

const checkAuthenticate: Check<Authenticate> = (name, value) => {
  if (value === apiKeys)
    throw new TypeError(`${name} must be what apiKeys({ alice: key }) returns, not apiKeys itself.`)
  return callable<Authenticate>('apiKeys({ alice: key })')(name, value)
}

const checkSecret: Check<string | Uint8Array> = (name, value) => {
  if ((typeof value === 'string' || value instanceof Uint8Array) && value.length >= 32) return value
  throw new TypeError(
    `${name} must be a text of at least 32 characters or a Uint8Array of at least 32 bytes.`,
  )
}

const checkInterface = accepts<FurtherInterface>('an interface such as openaiInterface()', (value) => {
  const { path, routesAt } = (value ?? {}) as { readonly path?: unknown; readonly routesAt?: unknown }
  const isPath = typeof path === 'string' && path !== '' && path !== '/v1' && isPlainPath(path)
  return isPath && typeof routesAt === 'function'
})

const table = {
  authenticate: checkAuthenticate,
  credentials: optional(choice('bearer', 'any'), 'bearer'),
  cors: optional(checkCors),
  isKeyValid: optional(callable<NonNullable<V1Options['isKeyValid']>>('apiKeys({ alice: key }).isKeyValid')),
  baseUrl: optional(checkMountUrl),
  trustProxy: optional(flag, false),
  interfaces: optional(listOf('a list of interfaces such as [openaiInterface()]', checkInterface), []),
  openapi: optional(
    accepts<OpenapiDocument>(
      'openapiDocument() of @genmount/v1-interface/openapi',
      (value) => typeof (value as Partial<OpenapiDocument> | null)?.fields === 'function',
    ),
  ),
  maxBodyBytes: optional(count(), 20 * 1024 * 1024),
  maxBodiesBytes: optional(count()),
  maxJsonValues: optional(count(), defaultMaxJsonValues),
  bodyTimeoutMs: optional(duration(), defaultBodyTimeoutMs),
  maxDownloads: optional(count(), 1000),
  maxDownloadsPerOwner: optional(count()),
  linkSecret: optional(checkSecret),
} satisfies OptionTable<V1Options>

const mountedTable = {
  ...table,
  mountPath: optional(
    text(
      "the path in front of /v1: '' or a path such as '/media', without a slash at its end",
      (path) => isPlainPath(path) && !path.endsWith('/v1'),
    ),
    '',
  ),
} satisfies OptionTable<MountedV1Options>

/** The checked options, with the defaults filled in. */
export type CheckedSettings = ReturnType<typeof together>

/** The checked options in the form in which the routes use them. */
export type RouteOptions = Omit<CheckedSettings, keyof CheckedAccess> & CheckedAccess

declare const checkedFor: unique symbol

/**
 * Options that `checkV1Options` or `checkMountedOptions` has checked, for `v1InterfaceOf`. `Host` is the type of what the
 * host passes to `authenticate` with `credentials: 'any'`.
 */
export interface CheckedV1Options<Host extends object = AnyHost> {
  /** Exists for the compiler alone, which tells checked options from others by it. */
  readonly [checkedFor]: (host: Host) => void
}

/** The checked options as this package reads them. */
export function settingsIn(checked: CheckedV1Options<never>): CheckedSettings {
  return checked as object as CheckedSettings
}

/**
 * Checks the options of an adapter, and fills in the defaults.
 * @param adapter the name of the adapter's factory, for error messages
 * @throws TypeError that names the adapter and the option, and says what the option accepts
 */
export function checkV1Options<Host extends object>(
  adapter: string,
  service: GenerationService,
  options: V1Options<Host>,
): CheckedV1Options<Host> {
  checkService(adapter, service)
  return together(adapter, checkOptions(adapter, options, table)) as object as CheckedV1Options<Host>
}

/**
 * Checks the options of an adapter whose host does not know the mount path, and fills in the defaults.
 * @param adapter the name of the adapter's factory, for error messages
 * @returns the mount path, and the options for `v1InterfaceOf`
 * @throws TypeError that names the adapter and the option, and says what the option accepts
 */
export function checkMountedOptions<Host extends object>(
  adapter: string,
  service: GenerationService,
  options: MountedV1Options<Host>,
): readonly [mountPath: string, options: CheckedV1Options<Host>] {
  checkService(adapter, service)
  const { mountPath, ...checked } = checkOptions(adapter, options, mountedTable)
  return [mountPath, together(adapter, checked) as object as CheckedV1Options<Host>]
}

/** If an app mounts the factory itself, the host calls it with a request, so the message says what to mount. */
function checkService(adapter: string, service: Partial<GenerationService> | undefined): void {
  if (typeof service?.create === 'function' && typeof service.waitFor === 'function') return
  throw new TypeError(
    `${adapter}: service must be the result of createGenerationService. Mount what ${adapter}(service, options) returns.`,
  )
}

/** Checks options that depend on each other, and fills in the two limits whose defaults follow from other limits. */
function together(adapter: string, checked: CheckedOptions<typeof table>) {
  const { maxBodyBytes, maxDownloads, cors, credentials } = checked
  if (cors?.origins === '*' && credentials === 'any') {
    throw new TypeError(
      `${adapter}: cors.origins must list origins when credentials is 'any': '*' would let every site act for its visitors.`,
    )
  }
  const {
    maxBodiesBytes = Math.max(shareOfHeap(1 / 16, 256 * 1024 * 1024), maxBodyBytes),
    maxDownloadsPerOwner = Math.ceil(maxDownloads / 4),
  } = checked
  return {
    ...checked,
    maxBodiesBytes: count(maxBodyBytes)(`${adapter}: maxBodiesBytes`, maxBodiesBytes),
    maxDownloadsPerOwner: count(1, maxDownloads)(`${adapter}: maxDownloadsPerOwner`, maxDownloadsPerOwner),
  }
}
