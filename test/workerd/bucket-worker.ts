import { s3Files, type S3FilesOptions } from '@genmount/files-s3'

/** Tries the bucket, stores the body of the request there, and answers with a link to the file. */
export default {
  async fetch(request: Request, { OPTIONS }: { OPTIONS: S3FilesOptions }): Promise<Response> {
    const files = s3Files(OPTIONS)
    await files.ready?.()
    if (request.body) await files.put('film', request.body, 'video/mp4')
    const link = await files.link?.('film', Date.now() + 60_000)
    await files.put('other', new Uint8Array(3), 'image/png')
    await files.delete('other')
    return new Response(link)
  },
}
