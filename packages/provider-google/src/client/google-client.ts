import { callable, type Check, type CheckedOptions, optional, text } from '@genmount/core'
import { type GuardedFetch, guardedFetch } from '@genmount/guarded-fetch'
import { googleWords } from '../answers/google-failure.ts'
import { type HostedOptions, hostedOptions, type VendorClient, vendorClient } from '@genmount/provider-kit'

/** The options of every provider for an API of Google. */
export interface GoogleOptions<Model> extends HostedOptions<Model> {
  /** Fetches the URLs in clients' inputs, and files of Google that are at another origin. @default guardedFetch */
  readonly fetchFile?: GuardedFetch | undefined
}

/** The checks of the {@link GoogleOptions} except `models`, for the table of a provider's options. */
export const googleOptions = {
  ...hostedOptions('GEMINI_API_KEY or GOOGLE_API_KEY', 'https://generativelanguage.googleapis.com/v1beta'),
  fetchFile: optional(callable<GuardedFetch>('guardedFetch'), guardedFetch),
}

/** Checks the name of a model. @throws TypeError that names the option */
export const googleModelName: Check<string> = text(
  'the name of a model at Google, such as gemini-omni-1.2-flash',
  /^[\w.-]+$/,
)

/**
 * How long one call of a provider may take, in milliseconds: a call may make a whole image, or download all films of a
 * job.
 */
export const googleCallTimeoutMs = 300_000

/** The parts with which a provider reaches an API of Google. */
export interface GoogleClient {
  /** Sends one request with the key. */
  readonly ask: VendorClient['ask']
  /** Fetches files that are at other origins, without the key. */
  readonly fetchFile: GuardedFetch
  /** The address of the API, or of the gateway in front of it. */
  readonly baseUrl: string
  /** The only origin to which the key is sent. */
  readonly origin: string
  /** The provider's name. Providers take turns when tasks wait for room for their pictures. */
  readonly line: string
}

/** The settings for fetching the files of a task. */
export interface TaskFetching {
  /** Aborting it stops the fetching. */
  readonly signal: AbortSignal
  /** The owner of the task. */
  readonly owner: string | undefined
}

/**
 * Makes the client of a provider.
 * @param line the provider's name
 * @param checked the provider's options, checked by {@link googleOptions}
 */
export function googleClient(line: string, checked: CheckedOptions<typeof googleOptions>): GoogleClient {
  const { token, baseUrl, fetch, headers, fetchFile } = checked
  const { ask } = vendorClient({
    vendor: 'Google',
    baseUrl,
    fetch,
    headers: { ...headers, 'x-goog-api-key': token },
    wordsIn: googleWords,
  })
  return { ask, fetchFile, baseUrl, origin: new URL(baseUrl).origin, line }
}
