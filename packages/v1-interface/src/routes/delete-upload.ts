import type { Uploads } from '@genmount/core'
import type { Answer, OwnedExchange } from '../interface/exchange.ts'

/** DELETE /v1/uploads/{id}, beyond the base interface: 204 when the file is deleted. The body is not read. */
export function deleteUpload(uploads: Uploads): Answer<OwnedExchange> {
  return async ({ owner, params }) => {
    await uploads.delete(params['id'] ?? '', owner)
    return { status: 204, headers: {} }
  }
}
