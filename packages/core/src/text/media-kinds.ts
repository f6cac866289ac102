/** A type of media. */
interface MediaKind {
  /** The media type. */
  readonly type: string
  /** The extension of its files, without the dot. */
  readonly extension: string
  /** Whether browsers may show or play it. */
  readonly isShown: boolean
  /** The first bytes of its files, one character each. `?` stands for any byte. */
  readonly beginnings: readonly string[]
}

const displayed = (type: string, extension: string, ...beginnings: readonly string[]): MediaKind => {
  return { type, extension, isShown: true, beginnings }
}
/** Most browsers can't show these. */
const saved = (...kind: Parameters<typeof displayed>): MediaKind => ({
  ...displayed(...kind),
  isShown: false,
})

/** Any bytes, as many as this. */
const any = (count: number) => '?'.repeat(count)

/** The type of drawings. They may contain scripts, so they are served as a download, in a sandbox. */
export const svgType = 'image/svg+xml'

/**
 * All types that are recognised. `mediaTypeOf` recognises those without `beginnings` in other ways. (Bundlers leave the
 * table out where nothing uses it, because the call has no side effects.)
 */
export const mediaKinds: readonly MediaKind[] = /* @__PURE__ */ listKinds()

function listKinds(): readonly MediaKind[] {
  return [
    displayed('image/png', 'png', '\x89PNG\r\n\x1a\n'),
    displayed('image/jpeg', 'jpg', '\xff\xd8\xff'),
    displayed('image/webp', 'webp', 'RIFF????WEBP'),
    displayed('image/gif', 'gif', 'GIF8'),
    displayed('image/avif', 'avif'),
    displayed('image/heic', 'heic'),
    displayed('image/heif', 'heif'),
    displayed('image/bmp', 'bmp', 'BM????\0\0\0\0??\0\0?\0\0\0'),
    displayed('image/x-icon', 'ico', '\0\0\x01\0?\0'),
    saved('image/tiff', 'tiff', 'II*\0', 'MM\0*', 'II+\0', 'MM\0+'),
    saved('image/jxl', 'jxl', '\xff\x0a', '\0\0\0\x0cJXL \r\n\x87\n'),
    saved('image/jp2', 'jp2', '\0\0\0\x0cjP  \r\n\x87\n'),
    saved('image/vnd.adobe.photoshop', 'psd', '8BPS\0'),
    saved('image/x-exr', 'exr', 'v/1\x01'),
    saved('image/vnd.radiance', 'hdr', '#?RADIANCE\n'),
    saved(svgType, 'svg'),
    // A part of a streamed film has no `ftyp` (ISO/IEC 14496-12, 8.16.2).
    displayed('video/mp4', 'mp4', '????styp', '????sidx', '????moof'),
    displayed('video/webm', 'webm', '\x1aE\xdf\xa3'),
    // A file without `ftyp` begins with any other box: https://developer.apple.com/documentation/quicktime-file-format
    displayed(
      'video/quicktime',
      'mov',
      ...['moov', 'wide', 'mdat', 'free', 'skip', 'pnot'].map((box) => `????${box}`),
    ),
    displayed('video/3gpp', '3gp'),
    displayed('video/ogg', 'ogv'),
    saved('video/x-matroska', 'mkv'),
    saved('video/x-msvideo', 'avi', 'RIFF????AVI'),
    // Packets of 188 bytes, on discs with a time of 4 bytes before each.
    saved('video/mp2t', 'ts', `G${any(187)}G${any(187)}G`, `????G${any(191)}G${any(191)}G`),
    saved('video/mpeg', 'mpg', '\0\0\x01\xba', '\0\0\x01\xb3'),
    saved('video/x-flv', 'flv', 'FLV\x01'),
    saved('video/x-ms-wmv', 'wmv', '\x30\x26\xb2\x75\x8e\x66\xcf\x11'),
    displayed(
      'audio/mpeg',
      'mp3',
      'ID3',
      ...['\xfb', '\xfa', '\xf3', '\xf2', '\xe3', '\xe2', '\xfd', '\xfc'].map((byte) => `\xff${byte}`),
    ),
    displayed('audio/wav', 'wav', 'RIFF????WAVE', 'RF64????WAVE'),
    displayed('audio/ogg', 'ogg', 'OggS'),
    displayed('audio/flac', 'flac', 'fLaC'),
    displayed('audio/mp4', 'm4a'),
    displayed('audio/aac', 'aac', '\xff\xf1', '\xff\xf9'),
    saved('audio/aiff', 'aiff', 'FORM????AIF'),
    saved('audio/x-caf', 'caf', 'caff\0\x01'),
  ]
}

/** The extension of files of a recognised type, without the dot. */
export function extensionOf(contentType: string): string | undefined {
  return mediaKinds.find(({ type }) => type === contentType)?.extension
}

/** The type whose files have this extension. */
export function typeOfExtension(extension: string): string | undefined {
  return mediaKinds.find((kind) => kind.extension === extension)?.type
}

/** How an output file is served to browsers. */
export interface ServedFile {
  /** Whether a browser may show the file instead of saving it. */
  readonly isShown: boolean
  /** The value for the header `content-type`. */
  readonly contentType: string
  /** The value for the header `content-disposition`. */
  readonly contentDisposition: string
}

/**
 * The headers with which an output file is served. A file that browsers can't show, or whose type is not recognised, is
 * sent as an attachment, so that no browser runs it as a page. So is a drawing (SVG), which pages can still show in an
 * `<img>`. The /v1 interface and stores with `link` both use these headers.
 * @param name the file name without extension, of letters, digits, `_`, `-` and `~`
 * @param contentType the media type with which the file was stored
 */
export function servedFile(name: string, contentType: string): ServedFile {
  const type = contentType.toLowerCase()
  const kind = mediaKinds.find((one) => one.type === type)
  const fileName = kind ? `${name}.${kind.extension}` : name
  const isShown = kind?.isShown === true
  return {
    isShown,
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
    contentDisposition: `${isShown ? 'inline' : 'attachment'}; filename="${fileName}"`,
  }
}
