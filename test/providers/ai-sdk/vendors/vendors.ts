import type { AiSdkModel } from '@genmount/provider-ai-sdk'
import { blackForestLabs, blackForestLabsModels } from './black-forest-labs.ts'
import { fal, falModels } from './fal.ts'
import { google, googleModels } from './google.ts'
import { luma, lumaModels } from './luma.ts'
import { openai, openaiModels } from './openai.ts'
import { replicate, replicateModels } from './replicate.ts'
import type { VendorFake } from './vendor-server.ts'
import { xai, xaiModels } from './xai.ts'

export interface Vendor {
  readonly fake: VendorFake
  /** New models of the real AI SDK package, as in a process that has just started. */
  readonly models: (origin: string) => Readonly<Record<string, AiSdkModel>>
}

/** VAI in the sources of the fakes is vercel/ai. */
export const vendors: Readonly<Record<string, Vendor>> = {
  replicate: { fake: replicate, models: replicateModels },
  fal: { fake: fal, models: falModels },
  google: { fake: google, models: googleModels },
  openai: { fake: openai, models: openaiModels },
  xai: { fake: xai, models: xaiModels },
  'black-forest-labs': { fake: blackForestLabs, models: blackForestLabsModels },
  luma: { fake: luma, models: lumaModels },
}

/** The models whose tasks outlive the process that started them. */
export const durable = ['replicate-video', 'fal-video', 'google-video', 'xai-video', 'bfl-video']

/** The models that make their output within one call. */
export const blocking = [
  'replicate-image',
  'fal-image',
  'google-image',
  'openai-image',
  'xai-image',
  'bfl-image',
  'luma-image',
]
