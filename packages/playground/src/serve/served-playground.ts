import { page } from '#page'
import {
  type AcceptedOptions,
  checkPageOptions,
  isAddress,
  isPath,
  isText,
  type ServedPage,
} from '@genmount/page-kit/serve'
import type { MountedPlaygroundOptions, PlaygroundOptions } from './playground-options.ts'

const isOrigin = (value: unknown) => isAddress(value) && new URL(value).origin === value

const accepted: AcceptedOptions<keyof PlaygroundOptions> = {
  baseUrl: [
    "'', a path such as '/media', or an address such as 'https://api.example', with no slash at its end",
    (value) => isPath(value) || isAddress(value),
  ],
  outputOrigins: [
    "a list of origins such as 'https://bucket.example'",
    (value) => Array.isArray(value) && value.every(isOrigin),
  ],
  publicKey: ['a text with at least one character', (value) => isText(value) && value !== ''],
  credentials: ["'bearer' or 'any'", (value) => value === 'bearer' || value === 'any'],
  outputFacts: ['true or false', (value) => typeof value === 'boolean'],
}

const acceptedMounted: AcceptedOptions<keyof MountedPlaygroundOptions> = {
  ...accepted,
  mountPath: ["'' or a path such as '/playground', with no slash at its end", isPath],
}

/**
 * Checks the options and sets the defaults.
 * @param factory the function that takes the options, for error messages
 * @throws TypeError that names the wrong option and says what it accepts
 */
export function servedPlayground(factory: string, options: PlaygroundOptions): ServedPage {
  checkPageOptions(factory, options, accepted)
  const { baseUrl = '', outputOrigins = [], publicKey, credentials = 'bearer', outputFacts = false } = options
  return {
    page,
    settings: { baseUrl, publicKey, credentials, outputFacts },
    otherOrigins: outputOrigins,
    permissions: ['camera=(self)', 'clipboard-write=(self)', 'fullscreen=(self)'],
  }
}

/** `servedPlayground` with the path of the page. */
export function mountedPlayground(
  factory: string,
  options: MountedPlaygroundOptions,
): [served: ServedPage, mountPath: string] {
  checkPageOptions(factory, options, acceptedMounted)
  const { mountPath = '', ...others } = options
  return [servedPlayground(factory, others), mountPath]
}
