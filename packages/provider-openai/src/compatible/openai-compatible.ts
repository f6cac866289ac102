import { costOf, type Provider } from '@genmount/core'
import { answerFiles, failed, pictureRefusal, provenFiles, vendorClient } from '@genmount/provider-kit'
import { imageUsageIn, taskTokensOf } from '../gpt-image/image-tokens.ts'
import { failureOf, failureReport } from '../gpt-image/openai-failure.ts'
import { type FormPicture, withPictureForm } from '../forms/picture-form.ts'
import { fetchedFiles, linkFaultAt } from './made-images.ts'
import { checkOpenaiCompatibleOptions, type OpenaiCompatibleOptions } from './openai-compatible-options.ts'

/** The pictures of an edit, as URLs or data URIs. */
interface Edit {
  readonly images: readonly string[]
  readonly mask: string | undefined
}

/** In bytes: enough for ten images of the largest size, in base64 in one answer. */
const maxBytes = 256 * 1024 * 1024

/**
 * Makes and edits images with a server that has OpenAI's images API, such as LocalAI, LiteLLM or vLLM-Omni. The API
 * makes an image within one call. If that call breaks off, nobody knows whether an image was made and charged. The
 * service then fails the job with `submit_ambiguous`, so that it never pays twice.
 * @throws TypeError that names the option, when an option is wrong
 * @example openaiCompatible({ baseUrl: 'http://10.0.0.7:8080/v1', models: { 'sd-1.5': { price: 0 } } })
 */
export function openaiCompatible(options: OpenaiCompatibleOptions): Provider {
  const checked = checkOpenaiCompatibleOptions(options)
  const { name, token, models: offered, baseUrl, fetch, headers, edits, fetchFile, callTimeoutMs } = checked
  const { ask } = vendorClient({
    vendor: 'The server',
    baseUrl,
    fetch,
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  })

  return {
    name,
    models: offered.models,
    callTimeoutMs,

    async submit(task, { signal }) {
      const { vendorModel, vendorInput, fixed, price } = offered.of(task)
      const { owner } = task
      const input = vendorInput(task.input)
      if (!input) return failed('provider_rejected', 'The input cannot be translated for this model.')
      const { image = [], mask, ...own } = input
      const images = [image].flat() as readonly string[]
      const parameters = { ...own, ...fixed, model: vendorModel }
      const edit: Edit = { images, mask: mask as string | undefined }
      const path = images.length > 0 ? '/images/edits' : '/images/generations'
      const send = (body: Pick<Parameters<typeof ask>[0], 'json' | 'form'>) =>
        ask({ method: 'POST', path, ...body, signal, maxBytes })
      try {
        const answer =
          images.length > 0 && edits === 'form'
            ? await withPictureForm(
                parameters,
                picturesInForm(edit),
                { line: 'openai-compatible', fetchFile, signal, owner },
                (form) => send({ form }),
              )
            : await send({ json: { ...parameters, ...(images.length > 0 && picturesInJson(edit)) } })
        if (!answer.ok) return failureReport(answer, `model ${vendorModel} at ${new URL(baseUrl).host}`)
        const content = answer.content
        const pictureFiles = answerFiles(content, {
          kind: 'image',
          linkFault: linkFaultAt(baseUrl),
          withLinksInText: true,
        })
        const fetched = await fetchedFiles(pictureFiles, { ask, fetchFile, baseUrl, signal, owner })
        const proof = { kind: 'image', fetchFile, signal, owner, input: task.input } as const
        const files = await provenFiles(fetched, proof)
        const costUsd = costOf(price, { input: task.input, units: files.made })
        return files.report({
          vendor: 'The server',
          kind: 'image',
          answer: content,
          failureOf,
          costUsd,
          tokens: taskTokensOf(imageUsageIn(content)),
        })
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    async poll() {
      return {
        state: 'unknown',
        message:
          'The server makes an image within the request itself, so there is no task that could be polled.',
      }
    },
  }
}

/** The form is the one of OpenAI's own SDK: `image` for a single picture, `image[]` for each of several. */
function picturesInForm({ images, mask }: Edit): readonly FormPicture[] {
  const name = images.length === 1 ? 'image' : 'image[]'
  return [
    ...images.map((source, index) => ({ name, fileName: `image-${index}`, source })),
    ...(mask === undefined ? [] : [{ name: 'mask', fileName: 'mask', source: mask }]),
  ]
}

/** The pictures of an edit as the JSON body of OpenAI's own API contains them. */
function picturesInJson({ images, mask }: Edit): object {
  return {
    images: images.map((image_url) => ({ image_url })),
    ...(mask !== undefined && { mask: { image_url: mask } }),
  }
}
