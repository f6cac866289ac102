import { base64File, unknownName, type VendorReply, type VendorRequest } from '../vendor-server.ts'
import { signedWebhook } from '../signed-webhook.ts'
import { moderationBlocked, openaiError } from './openai-words.ts'

/*
 * OpenAI's Responses API as far as its image tool in the background goes.
 * Sources: openai 7.57.0 resources/responses/responses.d.ts (ResponseCreateParamsBase, Tool.ImageGeneration,
 * ResponseOutputItem.ImageGenerationCall, ResponseError, Response.ToolUsage); openai/openai-openapi openapi.yaml at
 * f85dbe2 (2026-08-21); https://developers.openai.com/api/docs/guides/background and .../tools-image-generation. An
 * answer with both usages: BerriAI-like gateways' tests of `tool_usage.image_gen` (text and image tokens apart).
 */

/** The signing secret of the project's webhook. */
export const webhookSecret = `whsec_${btoa('a key of an OpenAI project')}`

const callers = ['gpt-5.6-luna', 'gpt-6-astra']
const imageModels = ['gpt-image-1-mini', 'gpt-image-1.5', 'gpt-image-2']
const responseFields =
  'background input instructions max_tool_calls metadata model safety_identifier store stream tool_choice tools user'
const toolFields =
  'action background complexity frame_count frame_duration_ms input_fidelity input_image_mask model moderation output_compression output_format partial_images quality size svg type'

type Status = 'queued' | 'in_progress' | 'completed' | 'failed' | 'incomplete' | 'cancelled'

/** A response that was taken on, and is to be paid for. */
export interface FakeResponse {
  readonly id: string
  readonly body: Readonly<Record<string, unknown>>
  readonly tool: Readonly<Record<string, unknown>>
  readonly prompt: string
  readonly pictures: readonly string[]
  status: Status
}

export function fakeResponses() {
  const ledger: FakeResponse[] = []
  const known = new Map<string, FakeResponse>()

  function answer(request: VendorRequest): VendorReply {
    const { method, url } = request
    const [, id, action] = /^\/v1\/responses(?:\/([^/]+))?(?:\/(cancel))?$/.exec(url.pathname) ?? []
    if (id === undefined && method === 'POST') return create(request)
    const response = known.get(id ?? '')
    if (!response) return openaiError(404, `Response with id '${id}' not found.`, null)
    if (method === 'POST' && action === 'cancel') {
      if (response.status === 'queued' || response.status === 'in_progress') response.status = 'cancelled'
      return { json: shown(response) }
    }
    if (method !== 'GET') return openaiError(404, `Invalid URL (${method} ${url.pathname})`, null)
    moveOn(response)
    return { json: shown(response) }
  }

  function create(request: VendorRequest): VendorReply {
    const body = request.json()
    const fault = faultIn(body)
    if (fault) return fault
    const [{ content }] = body['input'] as [{ content: readonly Record<string, string>[] }]
    const response: FakeResponse = {
      id: `resp_${String(ledger.length + 1).padStart(8, '0')}`,
      body,
      tool: (body['tools'] as [Record<string, unknown>])[0],
      prompt: content[0]?.['text'] ?? '',
      pictures: content.flatMap((part) => part['image_url'] ?? []),
      status: 'queued',
    }
    ledger.push(response)
    known.set(response.id, response)
    return { json: shown(response) }
  }

  const last = () => ledger.at(-1)!

  /**
   * The webhook goes to the address that the project has in OpenAI's console.
   * Source: https://developers.openai.com/api/docs/api-reference/webhook-events (2026-11-27).
   */
  const webhook = {
    finish: () => void (last().status = 'completed'),
    address: () => 'https://app.example/media/v1/callbacks/openai-responses',
    signed(sentAt: number) {
      const { id, status } = last()
      const type = `response.${status === 'queued' || status === 'in_progress' ? 'completed' : status}`
      const created_at = Math.floor(sentAt / 1000)
      return signedWebhook(
        webhookSecret,
        { id: 'evt_1', object: 'event', type, created_at, data: { id } },
        sentAt,
      )
    },
  }

  /** `forget` deletes all responses, as OpenAI does after their time. */
  return { ledger, forget: () => known.clear(), answer, webhook }
}

function faultIn(body: Readonly<Record<string, unknown>>): VendorReply | undefined {
  const [tool = {}] = body['tools'] as readonly Record<string, unknown>[]
  const unknown = unknownName(responseFields, body) ?? unknownName(toolFields, tool)
  if (unknown !== undefined) return openaiError(400, `Unknown parameter: '${unknown}'.`, 'unknown_parameter')
  if (body['background'] === true && body['store'] === false)
    return openaiError(400, 'Background mode requires store=true.', 'invalid_request')
  for (const [model, models] of [
    [body['model'], callers],
    [tool['model'], imageModels],
  ] as const)
    if (!models.includes(String(model)))
      return openaiError(404, `The model '${String(model)}' does not exist.`, 'model_not_found')
  const mask = tool['input_image_mask'] as { image_url?: string } | undefined
  if (mask && !mask.image_url?.startsWith('data:image/'))
    return openaiError(400, 'Invalid mask: expected a base64-encoded image.', 'invalid_base64_image')
  return undefined
}

/** The first look finds it at work, the second finds its end. */
function moveOn(response: FakeResponse): void {
  const { status, prompt, pictures } = response
  if (status === 'queued') response.status = 'in_progress'
  if (status !== 'in_progress') return
  const isMissing = pictures.some((picture) => picture.includes('/missing'))
  response.status = isMissing ? 'failed' : prompt.includes('half') ? 'incomplete' : 'completed'
}

function shown({ id, body, tool, prompt, pictures, status }: FakeResponse): object {
  const made = status === 'completed' ? itemFor(prompt, tool) : undefined
  const image_tokens = made && 'result' in made && made.result !== null ? 1056 : 0
  const isOver = status === 'completed' || status === 'incomplete'
  return {
    id,
    object: 'response',
    created_at: 1_790_000_000,
    completed_at: status === 'completed' ? 1_790_000_021 : null,
    status,
    background: true,
    error:
      status === 'failed'
        ? { code: 'failed_to_download_image', message: 'Error while downloading the image.' }
        : null,
    incomplete_details: status === 'incomplete' ? { reason: 'content_filter' } : null,
    instructions: body['instructions'] ?? null,
    metadata: body['metadata'] ?? {},
    model: body['model'],
    output: made ? [{ id: 'rs_1', type: 'reasoning', summary: [] }, made] : [],
    parallel_tool_calls: true,
    store: true,
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'],
    ...(isOver && {
      usage: {
        input_tokens: 2000,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2050,
      },
      tool_usage: {
        image_gen: {
          input_tokens: 12 + pictures.length * 323,
          input_tokens_details: { text_tokens: 12, image_tokens: pictures.length * 323 },
          output_tokens: image_tokens,
          output_tokens_details: { text_tokens: 0, image_tokens },
          total_tokens: 12 + pictures.length * 323 + image_tokens,
        },
        web_search: { num_requests: 0 },
      },
    }),
  }
}

function itemFor(prompt: string, tool: Readonly<Record<string, unknown>>) {
  const { error } = moderationBlocked.json
  const call = { id: 'ig_1', type: 'image_generation_call', action: 'generate' }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' }
  if (prompt.includes('forbidden')) return { ...call, status: 'failed', result: null, error }
  if (prompt.includes('refused'))
    return { ...message, content: [{ type: 'refusal', refusal: "I can't help with that." }] }
  if (prompt.includes('chat'))
    return { ...message, content: [{ type: 'output_text', text: 'What a nice fox.', annotations: [] }] }
  return {
    ...call,
    status: 'completed',
    background: 'opaque',
    output_format: tool['output_format'] ?? 'png',
    quality: tool['quality'] ?? 'auto',
    size: '1024x1024',
    revised_prompt: prompt,
    result: base64File('image'),
  }
}
