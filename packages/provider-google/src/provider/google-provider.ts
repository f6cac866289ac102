import type { Provider } from '@genmount/core'
import { refusedSubmit } from '../answers/google-failure.ts'
import { googleCallTimeoutMs, googleClient } from '../client/google-client.ts'
import { withEncodedFiles } from '../files/encoded-files.ts'
import { pictureRefusal } from '@genmount/provider-kit'
import { spreadOutputs } from '@genmount/provider-kit/spreading'
import { contentReport } from './content-report.ts'
import { contentRequest } from './content-request.ts'
import { checkGoogleOptions, type GoogleProviderOptions } from './google-options.ts'
import type { ImageInput } from './image-input.ts'

const maxBytes = 64 * 1024 * 1024

/**
 * Makes and edits images with Gemini. An image is made within one call: if that call breaks off, nobody knows whether
 * Google has made and charged it.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://ai.google.dev/gemini-api/docs/image-generation
 * @example googleProvider({ token: process.env.GEMINI_API_KEY!, models: { 'gemini-3-pro-image': {} } })
 */
export function googleProvider(options: GoogleProviderOptions): Provider {
  const { models: offered, ...checked } = checkGoogleOptions(options)
  const client = googleClient('google', checked)

  return spreadOutputs({
    name: 'google',
    models: offered.models,
    callTimeoutMs: googleCallTimeoutMs,

    async submit(task, { signal }) {
      const { vendorModel, price } = offered.of(task)
      const input = task.input as ImageInput
      const path = `/models/${vendorModel}:generateContent`
      const fetching = { signal, owner: task.owner }
      try {
        const answer = await withEncodedFiles([input.image ?? []].flat(), client, fetching, (pictures) =>
          client.ask({ method: 'POST', path, json: contentRequest(input, pictures), signal, maxBytes }),
        )
        if (!answer.ok) return refusedSubmit(answer, vendorModel)
        const proof = { ...fetching, fetchFile: client.fetchFile, input: task.input }
        return await contentReport(answer, proof, (outputs, tokens) =>
          price.costOf({ input: task.input, outputs, tokens }),
        )
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    async poll() {
      return {
        state: 'unknown',
        message: 'Gemini makes an image within the request itself, so there is no task that could be polled.',
      }
    },
  })
}
