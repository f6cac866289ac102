import type { Provider, ProviderTask } from '@genmount/core'
import { pictureRefusal } from '@genmount/input-fields'
import { vendorClient } from '@genmount/vendor-http'
import { checkGoogleOptions, type GoogleProviderOptions } from './google-options.ts'

/** Long, because one call makes a whole image, and one call downloads all videos of a job. */
const callTimeoutMs = 300_000

/**
 * Makes videos with Veo and images with Gemini. A video is a long-running operation at Google, so any process can go on
 * with its job. An image is made within one call: if that call breaks off, nobody knows whether Google has made and
 * charged it. Videos open only with the API key, so they are downloaded and returned as bytes.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://ai.google.dev/gemini-api/docs/video
 * @see https://ai.google.dev/gemini-api/docs/image-generation
 * @example googleProvider({ token: process.env.GEMINI_API_KEY!, models: { 'veo-3.1-generate-preview': {} } })
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
  }
}
