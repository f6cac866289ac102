/* Runs the conformance suite in buckets that are there already, and prints the cases that fail. */
import { s3Files, type S3FilesOptions } from '@genmount/files-s3'
import { fileStoreSuite } from '@genmount/testing'

const buckets = JSON.parse(process.argv[2] ?? '') as S3FilesOptions[]
const suite = fileStoreSuite(() => ({ files: s3Files(buckets.pop() as S3FilesOptions) }))

const failing: string[] = []
for (const [name, run] of Object.entries(suite)) {
  await run().catch((error: unknown) => failing.push(`${name}: ${String(error)}`))
}
console.log(JSON.stringify({ failing, cases: Object.keys(suite).length }))
