import type { MountedPlaygroundOptions } from './playground-options.ts'

/** The checked options, with their defaults. */
export interface CheckedPlaygroundOptions {
  readonly baseUrl: string
  readonly outputOrigins: readonly string[]
  readonly publicKey: string | undefined
  readonly credentials: 'bearer' | 'any'
  readonly outputFacts: boolean
  readonly mountPath: string
}

/** The empty path, or a path such as `/media/v2`. */
const path = /^(?:\/[\w.~%@!$&'()*+=:-]+)*$/
const isText = (value: unknown): value is string => typeof value === 'string'
const isOrigin = (value: unknown) => isAddress(value) && new URL(value).origin === value

/** What each option accepts, in words, and a function that checks it. */
const accepted: Readonly<
  Record<keyof CheckedPlaygroundOptions, readonly [string, (value: unknown) => boolean]>
> = {
  baseUrl: [
    "'', a path such as '/media', or an address such as 'https://api.example', with no slash at its end",
    (value) => isText(value) && (path.test(value) || isAddress(value)),
  ],
  outputOrigins: [
    "a list of origins such as 'https://bucket.example'",
    (value) => Array.isArray(value) && value.every(isOrigin),
  ],
  publicKey: ['a text with at least one character', (value) => isText(value) && value !== ''],
  credentials: ["'bearer' or 'any'", (value) => value === 'bearer' || value === 'any'],
  outputFacts: ['true or false', (value) => typeof value === 'boolean'],
  mountPath: [
    "'' or a path such as '/playground', with no slash at its end",
    (value) => isText(value) && path.test(value),
  ],
}

/**
 * Checks the options and sets the defaults.
 * @param factory the function that takes the options, for error messages
 * @param unknown an option that this factory does not have. @default the factory has all options
 * @throws TypeError that names the wrong option and says what it accepts
 */
export function checkPlaygroundOptions(
  factory: string,
  options: MountedPlaygroundOptions = {},
  unknown?: keyof CheckedPlaygroundOptions,
): CheckedPlaygroundOptions {
  const others = Object.entries(accepted).filter(([name]) => name !== unknown)
  const names = others.map(([name]) => name)
  for (const name of Object.keys(options))
    if (!names.includes(name))
      throw new TypeError(`${factory}: ${name} is not an option; the options are ${names.join(', ')}.`)
  for (const [name, [words, isRight]] of others) {
    const value = options[name as keyof MountedPlaygroundOptions]
    // The message must not show the value, which may be a key.
    if (value !== undefined && !isRight(value)) throw new TypeError(`${factory}: ${name} must be ${words}.`)
  }
  const {
    baseUrl = '',
    outputOrigins = [],
    publicKey,
    credentials = 'bearer',
    outputFacts = false,
    mountPath = '',
  } = options
  return { baseUrl, outputOrigins, publicKey, credentials, outputFacts, mountPath }
}

/**
 * Whether a text is an http or https address in the spelling of the URL parser, without query, fragment, user name and
 * trailing slash.
 */
export function isAddress(text: unknown): text is string {
  if (!isText(text) || !URL.canParse(text)) return false
  const { protocol, origin, pathname, href, username } = new URL(text)
  const isHttp = protocol === 'https:' || protocol === 'http:'
  return isHttp && username === '' && (text === origin || (text === href && path.test(pathname)))
}
