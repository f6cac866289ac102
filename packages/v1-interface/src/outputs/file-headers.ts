import { servedFile } from '@genmount/core'

/** A sandbox without `allow-scripts` runs no scripts, and this policy loads nothing. */
const sandbox = "sandbox; default-src 'none'"
/** This policy keeps the styles, pictures and fonts of a drawing, because some browsers apply it in an `<img>` too. */
const sandboxOfDrawings = `${sandbox}; style-src 'unsafe-inline'; img-src data:; font-src data:`

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
    ...(!file.isShown && {
      'content-security-policy': file.contentType === 'image/svg+xml' ? sandboxOfDrawings : sandbox,
    }),
  }
}
