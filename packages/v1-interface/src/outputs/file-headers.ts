import { servedFile } from '@genmount/core'

/**
 * The headers of an output file. A file that is not a known picture, video or sound type is sent as an attachment,
 * so that no browser runs it as a page.
 */
export function fileHeaders(name: string, contentType: string): Record<string, string> {
  const file = servedFile(name, contentType)
  return {
    'content-type': file.contentType,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-disposition': file.contentDisposition,
    ...(!file.isShown && { 'content-security-policy': "sandbox; default-src 'none'" }),
  }
}
