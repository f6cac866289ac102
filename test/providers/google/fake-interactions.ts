import * as v from 'valibot'
import { faultIn, fields, filled, oneOf } from '../body-schemas.ts'
import { base64File, type Charge, fileReply, type VendorReply, type VendorRequest } from '../vendor-server.ts'

/*
 * The part of the Interactions API that the films of Gemini Omni use. Read on 2026-11-22. Sources: requests and
 * answers, ai.google.dev/gemini-api/docs/omni (page of 2026-09-18) and /background-execution; their types,
 * googleapis/js-genai src/gaos/models/interactions/{create-model-interaction,video-response-format,
 * video-config,interaction,usage,model-output-step,error}.ts (2.18.0); the paths, src/gaos/funcs/interactions-*.ts
 * (there is no list of interactions). Exchanges recorded with a real key on 2026-10-08 in Bike4Mind/bike4mind
 * b4m-core/utils/src/videoProviders/geminiOmni/__fixtures__: which fields the answers have, that polls repeat the
 * input, the counts of tokens, a refusal in text with status `completed`, the error of a wrong value, and a
 * cancellation; its GeminiOmniVideoProvider.ts: 400 "Invalid interaction name" for an unknown id. A cancellation of an
 * interaction that has ended is answered with 400 here; what Google answers is not documented. The webhook of one
 * request: src/gaos/models/interactions/webhook-config.ts there, and ai.google.dev/gemini-api/docs/webhooks (dynamic
 * webhooks).
 */

const media = (type: 'image' | 'video') =>
  v.object({ type: v.literal(type), data: filled, mime_type: v.pipe(v.string(), v.startsWith(type)) })
const part = v.variant('type', [
  v.object({ type: v.literal('text'), text: filled }),
  media('image'),
  media('video'),
])
const format = v.strictObject({
  type: oneOf('video'),
  delivery: oneOf('inline uri'),
  aspect_ratio: oneOf('16:9 9:16'),
  resolution: oneOf('360p 720p 1080p 4k'),
  duration: v.optional(v.pipe(v.string(), v.regex(/^\d+(?:\.\d+)?s$/))),
})
const createBody = v.strictObject({
  model: filled,
  /** A text, a list of parts, or a list of steps that have parts. */
  input: v.union([
    v.pipe(
      filled,
      v.transform((text) => [{ type: 'text' as const, text }]),
    ),
    v.pipe(v.array(part), v.nonEmpty()),
    v.pipe(
      v.array(v.object({ content: v.pipe(v.array(part), v.nonEmpty()) })),
      v.nonEmpty(),
      v.transform((steps) => steps.flatMap(({ content }) => content)),
    ),
  ]),
  // This fake makes films in the background only.
  background: v.literal(true),
  response_format: v.optional(v.union([format, v.strictTuple([format])])),
  webhook_config: v.optional(v.object({ uris: v.array(v.pipe(v.string(), v.startsWith('https://'))) })),
  generation_config: v.optional(
    v.looseObject({
      video_config: v.optional(
        v.object({ task: oneOf('text_to_video image_to_video reference_to_video edit extend') }),
      ),
    }),
  ),
  ...fields(
    'store stream labels previous_interaction_id safety_settings service_tier system_instruction tools',
  ),
})

/** The tokens of a film of three seconds, as they were recorded. */
const filmUsage = {
  total_tokens: 18_127,
  total_input_tokens: 19,
  input_tokens_by_modality: [{ modality: 'text', tokens: 19 }],
  total_cached_tokens: 0,
  total_output_tokens: 17_873,
  output_tokens_by_modality: [{ modality: 'video', tokens: 17_376 }],
  total_tool_use_tokens: 0,
  total_thought_tokens: 235,
}
/** The tokens of a refusal, as they were recorded. */
const refusalUsage = {
  total_tokens: 105,
  total_input_tokens: 14,
  total_output_tokens: 15,
  total_thought_tokens: 76,
}
export const refusal = 'I can not make films of this.'

interface Interaction {
  readonly body: v.InferOutput<typeof createBody>
  readonly prompt: string
  status: 'in_progress' | 'completed' | 'cancelled'
  /** How often it says yet that it is in progress. */
  pollsLeft: number
}

export function fakeInteractions(ledger: Charge[], polls: number) {
  const interactions = new Map<string, Interaction>()
  const last = () => [...interactions.values()].at(-1)

  function create(path: string, request: VendorRequest): VendorReply {
    const sent = request.json()
    const fault = faultIn(createBody, sent)
    if (fault !== undefined)
      return invalidRequest(`The value '${String(sent[fault])}' is not supported for '${fault}'.`)
    const body = v.parse(createBody, sent)
    const prompt = body.input.map((part) => (part.type === 'text' ? part.text : '')).join('')
    ledger.push({ path, body: sent })
    const id = `v1_${Buffer.from(`interaction-${ledger.length}`).toString('base64url')}`
    interactions.set(id, { body, prompt, status: 'in_progress', pollsLeft: polls })
    const service_tier = 'standard'
    return { json: { id, status: 'in_progress', service_tier, object: 'interaction', model: body.model } }
  }

  function show(id: string, interaction: Interaction, host: string): VendorReply {
    const { body, prompt, status } = interaction
    const { model, response_format } = body
    const shown = { id, status, object: 'interaction', model, response_format }
    const input = { type: 'user_input', content: body.input }
    if (status !== 'completed') return { json: { ...shown, steps: [input] } }
    const thought = { type: 'thought', signature: 'c2lnbmF0dXJl' }
    if (prompt.includes('forbidden')) {
      const content = [{ type: 'text', text: refusal }]
      return {
        json: { ...shown, usage: refusalUsage, steps: [input, { type: 'model_output', content }, thought] },
      }
    }
    const place = prompt.includes('inline')
      ? { data: base64File('video') }
      : { uri: `http://${host}/v1beta/files/omni0:download?alt=media` }
    const content = [{ ...place, mime_type: 'video/mp4', type: 'video' }]
    return {
      json: { ...shown, usage: filmUsage, steps: [input, thought, { type: 'model_output', content }] },
    }
  }

  function poll(id: string, host: string): VendorReply {
    const interaction = interactions.get(id)
    if (!interaction) return invalidRequest('Invalid interaction name.')
    if (interaction.status === 'in_progress' && interaction.pollsLeft-- <= 0) interaction.status = 'completed'
    return show(id, interaction, host)
  }

  function cancel(id: string, host: string): VendorReply {
    const interaction = interactions.get(id)
    if (!interaction) return invalidRequest('Invalid interaction name.')
    if (interaction.status !== 'in_progress') return invalidRequest('The interaction has ended.')
    interaction.status = 'cancelled'
    return show(id, interaction, host)
  }

  return {
    /** `undefined` when the request is about something else. */
    answer(path: string, request: VendorRequest): VendorReply | undefined {
      const { method, headers, url } = request
      const host = headers['host'] ?? ''
      const [, id, action] = /^interactions(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
      if (path === 'interactions' && method === 'POST') return create(path, request)
      if (id !== undefined && method === 'GET' && action === undefined) return poll(id, host)
      if (id !== undefined && method === 'POST' && action === 'cancel') return cancel(id, host)
      if (path === 'files/omni0') return { json: { name: path, state: 'ACTIVE', mimeType: 'video/mp4' } }
      // Without `alt=media` it answers with facts about the file.
      if (path !== 'files/omni0:download') return undefined
      if (url.searchParams.get('alt') !== 'media') return { json: { name: path } }
      return fileReply('film.mp4')
    },
    /**
     * What is posted to the `webhook_config.uris` of the last interaction. The header has a JSON Web Token, for which no
     * tie to the body is documented.
     */
    webhook: {
      finish: () => void Object.assign(last()!, { pollsLeft: 0 }),
      address: () => last()?.body.webhook_config?.uris?.[0],
      signed: () => ({
        headers: { 'webhook-id': 'msg_1', 'webhook-signature': 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln' },
        body: Buffer.from(
          JSON.stringify({
            type: 'interaction.completed',
            version: 'v1',
            timestamp: '2026-11-22T18:00:00Z',
            data: { id: [...interactions.keys()].at(-1) },
          }),
        ),
      }),
    },
    lastStatus: () => last()?.status,
    forget: () => interactions.clear(),
  }
}

export function invalidRequest(message: string): VendorReply {
  return { status: 400, json: { error: { message, code: 'invalid_request' } } }
}
