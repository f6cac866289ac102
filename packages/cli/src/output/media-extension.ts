const extensions: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'image/avif': '.avif',
  'image/svg+xml': '.svg',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'video/quicktime': '.mov',
}

/** The extension of a file of this media type. */
export function mediaExtension(mediaType: string): string {
  return extensions[mediaType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? '.bin'
}
