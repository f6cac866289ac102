import { GenerationError } from '@genmount/core'
import type { JsonOrForm } from '../interface/further-interface.ts'
import { expectedBytes, readBody } from '../body/read-body.ts'
import { type BodyContext, refuseEncoding, unsupported, withJsonBody } from '../body/with-json-body.ts'
import type { OwnedExchange } from '../interface/exchange.ts'

/** How many fields and files a form may have. */
const maxParts = 100

/**
 * Reads the body of a request, JSON or a form, within the limits, and passes it to `use`. The bytes of the body count in
 * the owner's budget until `use` has finished.
 * @throws GenerationError that says what is wrong with the body; whatever `use` throws
 */
export async function withJsonOrFormBody<Result>(
  exchange: Pick<OwnedExchange, 'request' | 'owner'>,
  context: BodyContext,
  use: (body: JsonOrForm) => Promise<Result>,
): Promise<Result> {
  const { request, owner } = exchange
  const contentType = request.header('content-type') ?? ''
  if (!/^multipart\/form-data[ \t]*;/i.test(contentType))
    return withJsonBody(exchange, context, (json) => use({ json }))
  refuseEncoding(request)
  const { service, options, bodiesOf } = context
  const { maxBodyBytes, bodyTimeoutMs } = options
  const expected = expectedBytes(request, maxBodyBytes)
  const body = request.body()
  if ('value' in body)
    throw unsupported(
      'The app has read this form already, as multer does. It must mount genmount before that parser.',
      'Content-Type',
    )
  const limits = { maxBodyBytes, bodyTimeoutMs, budget: bodiesOf(owner), expectedBytes: expected }
  const { bytes, letGo } = await readBody(body, limits, service.clock)
  try {
    return await use({ form: await formIn(bytes, contentType) })
  } finally {
    letGo()
  }
}

async function formIn(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  if (hasTooManyParts(bytes))
    throw new GenerationError('invalid_request', `A form may have at most ${maxParts} fields and files.`)
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw new GenerationError('invalid_request', 'The request body is not a valid form.')
  }
}

/**
 * Whether the body has more delimiters (RFC 2046 section 5.1.1) than a form may have parts. It is counted before the body
 * is parsed, because parsing many small parts takes long. In the bytes of a picture, a line that begins with `--` is rare.
 */
function hasTooManyParts(bytes: Uint8Array): boolean {
  const [cr, lf, dash] = [13, 10, 45]
  let parts = 0
  for (let at = bytes.indexOf(cr); at >= 0; at = bytes.indexOf(cr, at + 1)) {
    if (bytes[at + 1] !== lf || bytes[at + 2] !== dash || bytes[at + 3] !== dash) continue
    if (++parts > maxParts) return true
  }
  return false
}
