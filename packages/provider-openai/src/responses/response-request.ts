import { type ImageInput, parametersOf, picturesIn } from '../gpt-image/image-input.ts'
import type { OfferedModel } from './openai-responses-options.ts'

/** Parameters that the images API has beside the others and that belong to the response, not to its image tool. */
const ofResponse = new Set(['safety_identifier', 'user'])

/**
 * The body of `POST /responses`. OpenAI stores the response and makes it in the background, and the language model must
 * call the image tool once.
 * @param mask the mask as a data URI
 * @see https://developers.openai.com/api/docs/guides/background
 * @see https://developers.openai.com/api/docs/guides/tools-image-generation
 */
export function responseRequest(
  jobId: string,
  input: ImageInput,
  mask: string | undefined,
  { vendorModel, fixed, caller }: Pick<OfferedModel, 'vendorModel' | 'fixed' | 'caller'>,
): object {
  const parameters = Object.entries(parametersOf(input, fixed))
  const pictures = picturesIn(input)
  return {
    ...Object.fromEntries(parameters.filter(([name]) => ofResponse.has(name))),
    model: caller.model,
    background: true,
    store: true,
    instructions: 'Call the image generation tool once. Give it the words of the user unchanged.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: input.prompt },
          ...pictures.map((image_url) => ({ type: 'input_image', image_url, detail: 'auto' })),
        ],
      },
    ],
    tools: [
      {
        ...Object.fromEntries(parameters.filter(([name]) => !ofResponse.has(name))),
        type: 'image_generation',
        model: vendorModel,
        ...(pictures.length > 0 && { action: 'edit' }),
        ...(mask !== undefined && { input_image_mask: { image_url: mask } }),
      },
    ],
    tool_choice: { type: 'image_generation' },
    max_tool_calls: 1,
    // With this metadata, the operator can find the response of a job in OpenAI's logs.
    metadata: { genmount_job: jobId },
  }
}
