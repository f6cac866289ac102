import * as v from 'valibot'
import { faultIn, fields, filled, oneOf } from '../body-schemas.ts'
import { fakeInteractions } from './fake-interactions.ts'
import {
  base64File,
  type Charge,
  fileReply,
  type VendorReply,
  type VendorRequest,
  vendorServer,
} from '../vendor-server.ts'

/*
 * The part of the Gemini API that the image models use, and Veo, which the AI SDK still has. Its films of Gemini Omni are in fake-interactions.ts.
 * Sources: vercel/ai packages/google/src/google-video-model.ts, google-image-model.ts, google-error.ts (4.0.121);
 * googleapis/js-genai src/converters/_models_converters.ts (generateVideosConfigToMldev), _operations_converters.ts,
 * src/types.ts (FinishReason, BlockedReason, UsageMetadata); ai.google.dev/gemini-api/docs/video and /image-generation;
 * google.rpc.Status, ErrorInfo and RetryInfo of googleapis/googleapis google/rpc; the download that needs the key and
 * redirects: github.com/firebase/genkit/issues/737, github.com/BerriAI/litellm/issues/13686; a refused prompt:
 * github.com/HKUDS/ViMax/issues/20; filtered videos: github.com/firebase/genkit/issues/6237.
 */

export const token = 'AIzaSyTest-5f0c1d2e3b4a5968778695a4b3c2d1e0'

const encoded = v.optional(v.object({ bytesBase64Encoded: filled, mimeType: filled }))
const videoBody = v.object({
  instances: v.strictTuple([v.object({ prompt: filled, image: encoded, lastFrame: encoded })]),
  parameters: v.optional(
    v.strictObject({
      sampleCount: v.optional(v.number(), 1),
      ...fields('aspectRatio resolution durationSeconds negativePrompt personGeneration enhancePrompt seed'),
    }),
    {},
  ),
})
const contentPart = v.object({ text: v.optional(v.string(), ''), inlineData: v.optional(v.object({})) })
/** GenerateContentRequest and GenerationConfig as ai.google.dev/api/generate-content has them. Google refuses unknown names. */
const contentBody = v.strictObject({
  contents: v.tuple([v.object({ parts: v.array(contentPart) })]),
  generationConfig: v.optional(
    v.strictObject({
      imageConfig: v.optional(
        v.strictObject({
          aspectRatio: oneOf('1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9 1:4 4:1 1:8 8:1'),
          imageSize: oneOf('512 1K 2K 4K'),
        }),
      ),
      ...fields(
        'responseModalities candidateCount maxOutputTokens temperature topP topK seed thinkingConfig',
      ),
    }),
  ),
  ...fields('safetySettings tools toolConfig systemInstruction cachedContent'),
})

export type GoogleFake = Awaited<ReturnType<typeof googleFake>>

interface Operation {
  readonly prompt: string
  readonly count: number
  /** How often it says yet that it is not done. */
  pollsLeft: number
}

/** @param polls how many polls find an interaction unfinished. @default 2 */
export async function googleFake({ polls = 2 } = {}) {
  const ledger: Charge[] = []
  const operations = new Map<string, Operation>()
  const interactions = fakeInteractions(ledger, polls)
  const storage = await vendorServer(({ url }) => {
    return fileReply('film.mp4', Number(url.pathname.split('/').at(-1)))
  })

  const server = await vendorServer((request) => {
    const { method, url, headers } = request
    const key = headers['x-goog-api-key'] ?? url.searchParams.get('key')
    if (key === null)
      return googleError(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers.")
    if (key !== token) return invalidKey
    const path = url.pathname.replace('/v1beta/', '')
    const ofInteraction = interactions.answer(path, request)
    if (ofInteraction) return ofInteraction
    if (method === 'GET' && path.includes('/operations/')) return operationReply(path, headers['host'])
    if (method === 'GET' && path.startsWith('files/')) {
      const location = `${storage.origin}/videos/${/\d+/.exec(path)?.[0] ?? ''}`
      return { status: 302, headers: { location }, body: '' }
    }
    if (method === 'POST' && path.endsWith(':predictLongRunning')) return startVideo(path, request)
    if (method === 'POST' && path.endsWith(':generateContent')) return makeImage(path, request)
    return googleError(404, 'NOT_FOUND', 'Requested entity was not found.')
  })

  function startVideo(path: string, request: VendorRequest): VendorReply {
    const body = request.json()
    const fault = faultIn(videoBody, body)
    if (fault !== undefined) return invalid(`\`${fault}\` isn't supported by this model.`)
    const { instances, parameters } = v.parse(videoBody, body)
    const [{ prompt }] = instances
    if (prompt.includes('sensitive')) return sensitivePrompt
    ledger.push({ path, body })
    const name = `${path.replace(':predictLongRunning', '')}/operations/op${ledger.length}`
    operations.set(name, { prompt, count: parameters.sampleCount, pollsLeft: 2 })
    return { json: { name } }
  }

  function operationReply(name: string, host = ''): VendorReply {
    const operation = operations.get(name)
    if (!operation) return googleError(404, 'NOT_FOUND', 'Requested entity was not found.')
    if (operation.pollsLeft-- > 0) return { json: { name } }
    const isFiltered = operation.prompt.includes('forbidden')
    const generatedSamples = Array.from({ length: operation.count }, (_, index) => ({
      video: { uri: `http://${host}/v1beta/files/${index}:download?alt=media` },
    }))
    const filtered = {
      raiMediaFilteredCount: operation.count,
      raiMediaFilteredReasons: ['Sorry, we can not create videos with this. You have not been charged.'],
    }
    const generateVideoResponse = isFiltered ? filtered : { generatedSamples }
    return { json: { name, done: true, response: { generateVideoResponse } } }
  }

  function makeImage(path: string, request: VendorRequest): VendorReply {
    const body = request.json()
    const fault = faultIn(contentBody, body)
    if (fault !== undefined && fault !== 'contents')
      return invalid(`Invalid JSON payload received. Unknown name or value: ${fault}.`)
    const [first] = fault === undefined ? v.parse(contentBody, body).contents : []
    const parts = first?.parts ?? []
    const prompt = parts.map(({ text }) => text).join('')
    if (prompt === '') return invalid('contents.parts must not be empty.')
    ledger.push({ path, body })
    const pictures = parts.filter(({ inlineData }) => inlineData).length
    const promptTokenCount = 8 + 258 * pictures
    const refusalOf = (reason: object) => ({ json: { ...reason, usageMetadata: { promptTokenCount } } })
    if (prompt.includes('blocked'))
      return refusalOf({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
    if (prompt.includes('forbidden'))
      return refusalOf({ candidates: [{ content: {}, finishReason: 'IMAGE_SAFETY', index: 0 }] })
    const content = {
      role: 'model',
      parts: [
        { thought: true, inlineData: { mimeType: 'image/png', data: base64File('image', 1) } },
        { text: 'Here is your picture.' },
        { inlineData: { mimeType: 'image/png', data: base64File('image') } },
      ],
    }
    const usageMetadata = {
      promptTokenCount,
      candidatesTokenCount: 1130,
      thoughtsTokenCount: 100,
      totalTokenCount: promptTokenCount + 1230,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
    }
    return {
      json: { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata, responseId: 'r1' },
    }
  }

  return {
    ...server,
    baseUrl: `${server.origin}/v1beta`,
    ledger,
    /** Where downloads are redirected to: another origin, to which the key must not be sent. */
    storage,
    interactions,
    webhook: interactions.webhook,
    forget() {
      operations.clear()
      interactions.forget()
    },
    close: async () => {
      await Promise.all([server.close(), storage.close()])
    },
  }
}

/** google.rpc.Status as the REST APIs show it. */
export function googleError(
  code: number,
  status: string,
  message: string,
  details: readonly object[] = [],
): VendorReply {
  return { status: code, json: { error: { code, message, status, ...(details.length > 0 && { details }) } } }
}

function invalid(message: string): VendorReply {
  return googleError(400, 'INVALID_ARGUMENT', message)
}

const errorInfo = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'googleapis.com' }
export const invalidKey = googleError(
  400,
  'INVALID_ARGUMENT',
  'API key not valid. Please pass a valid API key.',
  [{ ...errorInfo, reason: 'API_KEY_INVALID' }],
)

export const sensitivePrompt = googleError(
  400,
  'INVALID_ARGUMENT',
  "The prompt could not be submitted. This prompt contains sensitive words that violate Google's Responsible AI practices. Try rephrasing your prompt. Support codes: 58061214",
)
