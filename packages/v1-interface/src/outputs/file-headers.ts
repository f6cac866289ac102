/** The media types that a browser may show, each with the extension of its files. */
const shownTypes: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
}

/**
 * The headers of an output file. A file that is not a known picture or video type is sent as an attachment,
 * so that no browser runs it as a page.
 */
export function fileHeaders(name: string, contentType: string): Record<string, string> {
  const type = contentType.toLowerCase()
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', 'x-content-type-options': 'nosniff' }
  if (Object.hasOwn(shownTypes, type)) {
    return { ...headers, 'content-disposition': `inline; filename="${name}.${shownTypes[type]}"` }
  }
  return {
    ...headers,
    'content-type': /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "sandbox; default-src 'none'",
  }
}
