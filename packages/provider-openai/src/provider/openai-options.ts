import { checkOptions, type OptionTable } from '@genmount/core'
import { type HostedOptions, hostedOptions, offerModels } from '@genmount/provider-kit'
import { offeredImageModel, type OpenaiModel } from '../gpt-image/gpt-image-model.ts'

/** The options of `openaiProvider`. */
export type OpenaiProviderOptions = HostedOptions<OpenaiModel>

/** The largest `n` of the images API. */
const maxOutputs = 10

const table = {
  ...hostedOptions('OPENAI_API_KEY', 'https://api.openai.com/v1'),
  models: offerModels((options: OpenaiModel, at, id) => offeredImageModel(options, at, id, maxOutputs)),
} satisfies OptionTable<OpenaiProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOpenaiOptions(options: OpenaiProviderOptions) {
  return checkOptions('openaiProvider', options, table)
}
