import express from 'express'
import { createGenerationService, memoryBackend, type Backend, type Provider } from '@genmount/core'
import { apiKeys } from '@genmount/node-http'
import { fakeModels, fakeProvider } from '@genmount/testing'

/**
 * What the code blocks of the READMEs may use without saying where it comes from, because readers have it in their own
 * app. Whatever else a block uses, it imports or declares.
 */

/** The reader's service, which the main README makes in its first block. */
export const service = createGenerationService({ providers: [fakeProvider()] })

/** The options of the reader's adapter, from the same block. */
export const options = { authenticate: apiKeys({ alice: 'a-long-random-key' }) }

/** The reader's Express app. */
export const app = express()

/** A provider that the reader has written. */
export const myProvider = (_options: { readonly baseUrl?: string } = {}): Provider =>
  fakeProvider({ models: fakeModels.map((model) => ({ ...model, id: `my-${model.outputKind}` })) })

/** A backend that the reader has written. */
export const myBackend = (): Backend => memoryBackend()

/** What makes the pictures of the reader's provider. */
export const draw = async (prompt: string): Promise<Uint8Array<ArrayBuffer>> =>
  new TextEncoder().encode(prompt)
