const extensions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'image/png': '.png',
    'image/jpeg': '.jpg',
    'image/webp': '.webp',
    'image/gif': '.gif',
    'image/avif': '.avif',
    'image/heic': '.heic',
    'image/heif': '.heif',
    'image/bmp': '.bmp',
    'image/x-icon': '.ico',
    'image/tiff': '.tiff',
    'image/jxl': '.jxl',
    'image/jp2': '.jp2',
    'image/vnd.adobe.photoshop': '.psd',
    'image/x-exr': '.exr',
    'image/vnd.radiance': '.hdr',
    'image/svg+xml': '.svg',
    'video/mp4': '.mp4',
    'video/webm': '.webm',
    'video/quicktime': '.mov',
    'video/3gpp': '.3gp',
    'video/ogg': '.ogv',
    'video/x-matroska': '.mkv',
    'video/x-msvideo': '.avi',
    'video/mp2t': '.ts',
    'video/mpeg': '.mpg',
    'video/x-flv': '.flv',
    'video/x-ms-wmv': '.wmv',
    'audio/mpeg': '.mp3',
    'audio/wav': '.wav',
    'audio/ogg': '.ogg',
    'audio/flac': '.flac',
    'audio/mp4': '.m4a',
    'audio/aac': '.aac',
    'audio/aiff': '.aiff',
    'audio/x-caf': '.caf',
  }),
)

/** The extension of a file of this media type. */
export function mediaExtension(mediaType: string): string {
  return extensions.get(mediaType.split(';')[0]?.trim().toLowerCase() ?? '') ?? '.bin'
}
