import { GenerationError } from '@genmount/core'
import type { FurtherInterface, InterfaceHost } from '@genmount/v1-interface'
import { furtherInterface } from '@genmount/v1-interface/further'
import { callMemory } from '../calls/call-memory.ts'
import { createCalls } from '../calls/create-call.ts'
import { createImages } from '../images/create-images.ts'
import { pictureDelivery } from '../images/delivered-pictures.ts'
import { namedModels } from '../models/model-routes.ts'
import { videoRoutes } from '../videos/video-routes.ts'
import { refusalReply } from '../wire/openai-error.ts'
import { checkOpenaiOptions, type OpenaiInterfaceOptions } from './openai-options.ts'

/** How many names of unknown fields are remembered, so that each is logged once. */
const maxNames = 1000

/**
 * Serves OpenAI's API for models, images and videos at `/openai/v1`, beside /v1 and over the same service: with the same
 * keys, limits and jobs. OpenAI's SDKs, and the programs that speak to OpenAI, use it by their base URL.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example toNodeHandler(service, { authenticate: apiKeys({ alice: process.env.ALICE_KEY }), interfaces: [openaiInterface()] })
 */
export function openaiInterface(options: OpenaiInterfaceOptions = {}): FurtherInterface {
  const checked = checkOpenaiOptions(options)

  return furtherInterface({
    path: '/openai/v1',
    refusal: refusalReply,
    routes(host) {
      const { modelOf, routes: modelRoutes } = namedModels(host.service)
      const inputs = { modelOf, dropUnknown: unknownFields(checked.unknownFields, host) }
      const createCall = createCalls(host, callMemory())
      const deliver = pictureDelivery(host, checked.fetch)
      const serving = { host, options: checked, createCall, inputs, deliver }
      return [
        ...modelRoutes,
        {
          path: '/images/generations',
          answers: { POST: createImages({ ...serving, kind: 'image_generation' }) },
        },
        { path: '/images/edits', answers: { POST: createImages({ ...serving, kind: 'image_edit' }) } },
        ...videoRoutes(host, createCall, inputs),
      ]
    },
  })
}

/** Makes the function that decides about fields that neither OpenAI's API nor the model has. */
function unknownFields(choice: 'ignore' | 'refuse', { service }: InterfaceHost) {
  const logged = new Set<string>()
  return (names: readonly string[]): void => {
    const [first] = names
    if (choice === 'refuse' && first !== undefined)
      throw new GenerationError('invalid_request', `Unknown parameter: ${first.slice(0, 100)}.`, {
        param: first.slice(0, 100),
      })
    for (const name of names) {
      if (logged.has(name) || logged.size >= maxNames) continue
      logged.add(name)
      service.log.warn(
        `/openai/v1 ignores a field that neither OpenAI's API nor the model of the request has: ${name.slice(0, 100)}.`,
      )
    }
  }
}
