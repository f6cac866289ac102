import type { Provider } from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { pictureRefusal } from '@genmount/input-fields'
import { checkToken, vendorClient } from '@genmount/vendor-http'
import { type GoogleProviderOptions, offeredModels } from './google-options.ts'

/** An image is made within one call, and the videos of a job are downloaded within one. */
const callTimeoutMs = 300_000

/**
 * Makes videos with Veo, as long-running operations that any process can come back to, and images with Gemini, within one
 * call each. Videos lie where only the key can read them, so they are downloaded and given as bytes.
 * @throws TypeError when an option is wrong
 * @see https://ai.google.dev/gemini-api/docs/video
 * @see https://ai.google.dev/gemini-api/docs/image-generation
 * @example googleProvider({ token: process.env.GEMINI_API_KEY!, models: { 'veo-3.1-generate-preview': {} } })
 */
export function googleProvider(options: GoogleProviderOptions): Provider {
  const { token, fetch, fetchFile = guardedFetch } = options
  const { baseUrl = 'https://generativelanguage.googleapis.com/v1beta' } = options
  const keyHeaders = { 'x-goog-api-key': checkToken(token) }
  const { ask } = vendorClient({
    vendor: 'Google',
    baseUrl,
    fetch,
    headers: { ...options.headers, ...keyHeaders },
  })
  const offered = offeredModels(options, { ask, fetchFile, keyHeaders, origin: new URL(baseUrl).origin })

  return {
    name: 'google',
    models: offered.models,
    callTimeoutMs,

    async submit(task, call) {
      try {
        return await offered.of(task).work.submit(task, call)
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    poll: async (task, call) => offered.of(task).work.poll(task, call),
  }
}
