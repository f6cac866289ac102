import type { OutputKind } from '@genmount/core'
import { namesIn } from './names-in.ts'

/** Where vendors put files of a kind. */
export const fieldsOf: Readonly<Record<OutputKind, readonly string[]>> = {
  image: namesIn(
    'images image image_url image_urls imageUrl imageUrls generated_images generatedImages pictures',
    'predictions artifacts samples sample',
  ),
  video: namesIn(
    'videos video video_url video_urls videoUrl videoUrls output_video generated_videos generatedVideos',
    'generatedSamples gifs samples sample',
  ),
}

/** What is only base64 in an object that stands for a file. */
export const base64Fields = namesIn(
  'b64_json b64 base64 image_base64 imageBase64 bytesBase64Encoded encodedVideo imageBytes videoBytes',
)
/** What is a link, a data URI or base64 in an object that stands for a file. */
export const linkFields = namesIn('url uri href src data link urls links')
/** Other names of such a field, such as `signedUrl`. */
const otherLinkField =
  /^(?:output|file|download|public|direct|signed|presigned|secure|hosted|storage|cdn|gcs|s3|media|asset|raw|full)_?(?:url|uri|link)s?$|^results?_?urls$/i

/** In what vendors and gateways wrap their outputs. */
export const wrappings = namesIn(
  'data output outputs result results resultJson response payload body content file files file_output media',
  'items generations task task_result prediction message inlineData inline_data fileData file_data',
  'generateVideoResponse steps parts candidates choices binary asset assets artifact creations downloads',
)

/** What repeats the request, or leads to something else than an output. */
const noOutput =
  /^(?:inputs?|init|source|src_|original|reference|ref_|start_|first_frame|request|param|prompt|negative|webhook|callback|logs?$|errors?$|detail|info$|usage$|metrics$|timings?$|doc)|(?:status|response|cancel|polling|callback|webhook|dashboard)_?url$/i

/** Links by names, such as `{ get, cancel }`, are those of the task; a list of links can be the outputs. */
export function isNoOutput(name: string, value: unknown): boolean {
  return noOutput.test(name) || (/^(?:urls|links)$/i.test(name) && !Array.isArray(value))
}

/** What the names of the files of a kind end in. */
export const fileEndings: Readonly<Record<OutputKind, RegExp>> = {
  image: /\.(?:png|jpe?g|webp|gif|avif|heic|bmp|tiff?|jxl|svg|exr)$/i,
  video: /\.(?:mp4|webm|mov|m4v|mkv|avi)$/i,
}

/** What the names of fields with a file of a kind contain. */
export const kindWords: Readonly<Record<OutputKind, RegExp>> = {
  image: /image|img|picture|photo/i,
  video: /video|film|movie|clip|mp4/i,
}
/** What they end in. */
const kindEnds: Readonly<Record<OutputKind, RegExp>> = {
  image: endOf(kindWords.image),
  video: endOf(kindWords.video),
}
/** Smaller copies, and what belongs to something else. */
const besideFile = /thumb|preview|cover|poster|avatar|icon|logo|mask|example|page|user|first|last/i

function endOf({ source }: RegExp): RegExp {
  return new RegExp(`(?:^|_)(?:${source})s?(?:_(?:url|uri|link|file|path))?s?$`, 'i')
}

/** Whether a field is called like a file of a kind, such as `finalImage` or `mp4_url`. */
export function namesKind(field: string, kind: OutputKind): boolean {
  return kindEnds[kind].test(field.replace(/[a-z\d](?=[A-Z])/g, '$&_')) && !besideFile.test(field)
}

/** Whether a field is called like one with a link to a file, such as `signedUrl`. */
export function isOtherLinkField(name: string): boolean {
  return otherLinkField.test(name) && !noOutput.test(name)
}
