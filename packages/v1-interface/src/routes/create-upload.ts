import type { Uploads } from '@genmount/core'
import { expectedBytes } from '../body/read-body.ts'
import { refuseEncoding, unsupported } from '../body/with-json-body.ts'
import { streamedBody } from '../body/streamed-body.ts'
import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import type { BodyReader, V1Request } from '../interface/v1-request.ts'
import { jsonReply } from '../wire/json-reply.ts'
import { uploadObject } from '../wire/upload-object.ts'

/** POST /v1/uploads, beyond the base interface: streams the bytes of a file into the file store while they arrive. */
export function createUpload({ service, options }: RouteContext, uploads: Uploads): Answer<OwnedExchange> {
  return async ({ request, owner }) => {
    const { body, bytes } = bodyOf(request, uploads.maxBytes)
    const stream = streamedBody(body, options.bodyTimeoutMs, service.clock)
    const upload = await uploads.store(owner, stream, { bytes })
    return { ...jsonReply(JSON.stringify(uploadObject(upload))), status: 201 }
  }
}

function bodyOf(
  request: V1Request,
  maxBytes: number,
): { readonly body: BodyReader; readonly bytes: number | undefined } {
  if (/^multipart\//i.test(request.header('content-type') ?? ''))
    throw unsupported('Send the bytes of the file as the body, not a form.', 'Content-Type')
  refuseEncoding(request)
  const bytes = expectedBytes(request, maxBytes)
  const body = request.body()
  if ('value' in body)
    throw unsupported(
      'The app has read this body already, as express.text() does for all types and express.json() for JSON. Send it with the content type of the file, such as image/png, to an app that mounts genmount before that parser.',
      'Content-Type',
    )
  return { body, bytes }
}
