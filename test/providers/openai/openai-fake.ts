import {
  base64File,
  type Charge,
  unknownName,
  type VendorReply,
  type VendorRequest,
  vendorServer,
} from '../vendor-server.ts'
import { fakeResponses } from './fake-responses.ts'
import { invalidKey, moderationBlocked, openaiError, token } from './openai-words.ts'

/*
 * OpenAI's images API as far as GPT Image models go.
 * Sources: openai/openai-openapi openapi.yaml (CreateImageRequest, CreateImageEditRequest, EditImageBodyJsonParam,
 * ImagesResponse, ImageGenUsage, ErrorResponse); openai 7.57.0 resources/images.d.ts; the error of an unknown parameter:
 * vercel/ai packages/openai/src/image/__fixtures__/gpt-image-response-format-error.json; that of moderation:
 * github.com/jeffstric/ZJT/issues/480; the codes of pictures that can't be had: openai 7.57.0 ResponseError.
 */

const models = [
  'gpt-image-1-mini',
  'gpt-image-1.5',
  'gpt-image-2',
  'gpt-image-2.5-flare',
  'gpt-image-2.5-sunburst',
  'gpt-image-2.6-flare',
  'gpt-image-2.6-sunburst',
]
const generationFields =
  'prompt model n size quality background output_format output_compression moderation stream partial_images user safety_identifier complexity'
const editFields = `${generationFields} images image image[] mask input_fidelity`

interface OpenaiCharge extends Charge {
  /** How many pictures came with it. */
  readonly pictures: number
}

export type OpenaiFake = Awaited<ReturnType<typeof openaiFake>>

/** The `ledger` has the charged requests to the images API, `responses` those to the Responses API. */
export async function openaiFake() {
  const ledger: OpenaiCharge[] = []
  const responses = fakeResponses()
  const server = await vendorServer(async (request) => {
    const { method, url, headers } = request
    if (headers['authorization'] !== `Bearer ${token}`) return invalidKey
    if (method === 'POST' && url.pathname === '/v1/images/generations')
      return imagesFor(request, ledger, generationFields)
    if (method === 'POST' && url.pathname === '/v1/images/edits')
      return imagesFor(request, ledger, editFields)
    if (url.pathname.startsWith('/v1/responses')) return responses.answer(request)
    if (method === 'GET' && url.pathname === '/v1/models')
      return {
        json: { object: 'list', data: models.map((id) => ({ id, object: 'model', owned_by: 'system' })) },
      }
    return openaiError(404, `Invalid URL (${method} ${url.pathname})`, null)
  })
  return { ...server, baseUrl: `${server.origin}/v1`, ledger, responses }
}

async function imagesFor(
  request: VendorRequest,
  ledger: OpenaiCharge[],
  fields: string,
): Promise<VendorReply> {
  const body = await bodyOf(request)
  const unknown = unknownName(fields, body)
  if (unknown !== undefined) return openaiError(400, `Unknown parameter: '${unknown}'.`, 'unknown_parameter')
  const { prompt, model, n = 1, output_format = 'png' } = body
  if (typeof prompt !== 'string' || prompt === '')
    return openaiError(400, "Missing required parameter: 'prompt'.", 'missing_required_parameter')
  if (!models.includes(String(model)))
    return openaiError(404, `The model '${String(model)}' does not exist.`, 'model_not_found')
  const count = Number(n)
  if (!(count >= 1 && count <= 10)) return openaiError(400, "Invalid 'n'.", 'integer_above_max_value')
  if (prompt.includes('forbidden')) return moderationBlocked

  const pictures = picturesOf(body)
  if (fields === editFields && pictures.length === 0)
    return openaiError(400, "Missing required parameter: 'images'.", 'missing_required_parameter')
  if (pictures.some((picture) => picture.includes('/missing')))
    return openaiError(400, 'Error while downloading the image.', 'failed_to_download_image')

  ledger.push({ path: request.url.pathname, body, pictures: pictures.length })
  const [textTokens, imageTokens, outputTokens] = [12, pictures.length * 323, count * 1056]
  const data = Array.from({ length: count }, (_, index) => ({
    b64_json: base64File('image', index),
  }))
  const usage = {
    input_tokens: textTokens + imageTokens,
    output_tokens: outputTokens,
    total_tokens: textTokens + imageTokens + outputTokens,
    input_tokens_details: { text_tokens: textTokens, image_tokens: imageTokens },
    output_tokens_details: { text_tokens: 0, image_tokens: outputTokens },
  }
  const echo = { background: 'opaque', output_format, size: '1024x1024', quality: 'medium' }
  return { headers: { 'x-request-id': 'req_1' }, json: { created: 1_790_000_000, data, ...echo, usage } }
}

async function bodyOf(request: VendorRequest): Promise<Readonly<Record<string, unknown>>> {
  if (request.headers['content-type']?.startsWith('application/json')) return request.json()
  const form = await request.form()
  const fields: Record<string, unknown> = {}
  for (const field of new Set(form.keys())) {
    const values = form.getAll(field).map((value) => (typeof value === 'string' ? value : value.type))
    fields[field] = values.length > 1 ? values : values[0]
  }
  return fields
}

/** The URLs of a JSON body, the media types of a multipart one. */
function picturesOf(body: Readonly<Record<string, unknown>>): string[] {
  const references = (body['images'] ?? []) as readonly { readonly image_url: string }[]
  const uploads = [body['image'] ?? [], body['image[]'] ?? []].flat() as string[]
  return [...references.map(({ image_url }) => image_url), ...uploads]
}
