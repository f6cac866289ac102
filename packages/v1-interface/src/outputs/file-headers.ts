import { servedFile } from '@genmount/core'

/** A sandbox without `allow-scripts` runs no scripts, and this policy loads nothing. */
const sandbox = "sandbox; default-src 'none'"
/**
 * A drawing in an `<img>` of a page keeps its own styles, pictures and fonts, in browsers that apply the policy there.
 */
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
