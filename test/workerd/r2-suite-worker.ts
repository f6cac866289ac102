import { r2Files, type R2BucketBinding } from '@genmount/backend-cloudflare/r2'
import { fileStoreSuite, type Suite } from '@genmount/testing'

interface Bucket extends R2BucketBinding {
  delete(names: string | string[]): Promise<void>
}

/** Empties the bucket, because each case of the suite begins with an empty store. */
async function empty(bucket: Bucket): Promise<void> {
  const { objects } = await bucket.list({ prefix: '' })
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
}

/** Runs the case that the path names, and answers with what went wrong. */
export default {
  async fetch(request: Request, { BUCKET }: { BUCKET: Bucket }): Promise<Response> {
    const suite: Suite = fileStoreSuite(async () => {
      await empty(BUCKET)
      return { files: r2Files({ bucket: BUCKET }) }
    })
    const run = suite[decodeURIComponent(new URL(request.url).pathname.slice(1))]!
    const verdict = await run().then(
      () => 'holds',
      (error: unknown) => (error instanceof Error ? `${error.stack}` : String(error)),
    )
    return new Response(verdict)
  },
}
