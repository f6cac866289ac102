import type { Provider, ProviderCall, ProviderTask, RunningTask } from '@genmount/core'
import { pictureRefusal } from '@genmount/input-fields'
import { vendorClient } from '@genmount/vendor-http'
import { checkGoogleOptions, type GoogleProviderOptions } from './google-options.ts'

/** Long, because one call makes a whole image, and one call downloads all videos of a job. */
const callTimeoutMs = 300_000

/**
 * Makes videos with Gemini Omni and images with Gemini. A video is an interaction in the background at Google, so any
 * process can go on with its job, and it can be cancelled. An image is made within one call: if that call breaks off,
 * nobody knows whether Google has made and charged it. Videos open only with the API key, so they are downloaded and
 * returned as bytes.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://ai.google.dev/gemini-api/docs/omni
 * @see https://ai.google.dev/gemini-api/docs/image-generation
 * @example googleProvider({ token: process.env.GEMINI_API_KEY!, models: { 'gemini-omni-1.1-flash': {} } })
 */
export function googleProvider(options: GoogleProviderOptions): Provider {
  const { token, models: offered, baseUrl, fetch, fetchFile, headers } = checkGoogleOptions(options)
  const { ask } = vendorClient({
    vendor: 'Google',
    baseUrl,
    fetch,
    headers: { ...headers, 'x-goog-api-key': token },
  })
  const api = { ask, fetchFile, baseUrl, origin: new URL(baseUrl).origin }
  const workOf = (task: ProviderTask) => offered.of(task).workAt(api)
  // Without a `cancel`, the service ends a cancelled job at once, which is best for operations, as they can't be stopped.
  const isCancellable = offered.models.some(({ id }) => offered.of({ model: id }).isCancellable)

  return {
    name: 'google',
    models: offered.models,
    callTimeoutMs,

    async submit(task, call) {
      try {
        return await workOf(task).submit(task, call)
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    poll: async (task, call) => workOf(task).poll(task, call),

    ...(isCancellable && {
      cancel: async (task: RunningTask, call: ProviderCall) => workOf(task).cancel?.(task, call),
    }),
  }
}
