import {
  checkFileFetch,
  checkOptions,
  type FileFetch,
  optional,
  type OptionTable,
  text,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { offeredImageModel, type OpenaiModel } from '../gpt-image/gpt-image-model.ts'
import {
  type HostedOptions,
  hostedOptions,
  offerModels,
  type TokenPrices,
  usagePricer,
  webhook,
  type WebhookClock,
} from '@genmount/provider-kit'
import { mostSpreadOutputs } from '@genmount/provider-kit/spreading'

/** The language model that reads the prompt and the pictures of a job, and calls the image model. */
export interface OpenaiCaller {
  /** The model's name at OpenAI, such as `gpt-5.6-luna`. */
  readonly model: string
  /**
   * The prices of its tokens in US dollars per million. It is required when the image model has a price, because the
   * language model is billed too.
   * @default none
   * @example { input: 0.2, output: 1.2 }
   */
  readonly price?: TokenPrices<'input' | 'output'> | undefined
}

/** A GPT Image model of OpenAI that a language model calls, as the app offers it. */
export interface OpenaiResponsesModel extends OpenaiModel {
  /**
   * The language model that reads the prompt and the pictures, and calls the image model. It may put the prompt into
   * other words.
   * @example { model: 'gpt-5.6-luna', price: { input: 0.2, output: 1.2 } }
   */
  readonly caller: OpenaiCaller
}

/** The options of `openaiResponsesProvider`. */
export interface OpenaiResponsesOptions extends HostedOptions<OpenaiResponsesModel>, WebhookClock {
  /**
   * The signing secret of a webhook of the OpenAI project (https://platform.openai.com/settings/project/webhooks), which begins
   * with `whsec_`. The webhook's URL is `{baseUrl}/v1/callbacks/openai-responses`, with the `baseUrl` of the plugin `callbacks`,
   * and its events are `response.completed`, `response.failed`, `response.incomplete` and `response.cancelled`. With it, polls
   * become rare, and a response whose submit got no answer is found when it has ended.
   * @default no webhooks are taken
   */
  readonly webhookSecret?: string | undefined
  /**
   * Fetches the masks that clients give as URLs, because the image tool takes masks as data only.
   * @default guardedFetch
   */
  readonly fetchFile?: FileFetch | undefined
}

const callerTable = {
  model: text('the name of a language model at OpenAI, such as gpt-5.6-luna'),
  price: (name, price) => usagePricer(name, price, ['input', 'output']),
} satisfies OptionTable<OpenaiCaller>

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

function offeredModel({ caller: callerOptions, ...options }: OpenaiResponsesModel, at: string, id: string) {
  // The image tool makes one image in each call, and one call is allowed in each response.
  const offered = offeredImageModel(options, at, id, mostSpreadOutputs)
  const caller = checkOptions(`${at}.caller`, callerOptions, callerTable)
  if (options.price !== undefined && callerOptions.price === undefined)
    throw new TypeError(
      `${at}.caller.price is missing, because ${caller.model} is billed beside the image: { input, output } in US dollars per million tokens.`,
    )
  return { ...offered, caller, typicalMs: 15_000 }
}

const table = {
  ...hostedOptions('OPENAI_API_KEY', 'https://api.openai.com/v1'),
  models: offerModels(offeredModel),
  webhookSecret: optional(webhook.secret),
  ...webhook.options,
  fetchFile: optional(checkFileFetch, guardedFetch),
} satisfies OptionTable<OpenaiResponsesOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOpenaiResponsesOptions(options: OpenaiResponsesOptions) {
  return checkOptions('openaiResponsesProvider', options, table)
}
