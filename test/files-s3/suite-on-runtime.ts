/* Runs cases of the conformance suite, each in a bucket that is there already. */
import { s3Files, type S3FilesOptions } from '@genmount/files-s3'
import { fileStoreSuite } from '@genmount/testing'
import { printSuites } from '../conformance/print-suites.ts'

const buckets = JSON.parse(process.argv[2] ?? '') as S3FilesOptions[]
await printSuites(fileStoreSuite(() => ({ files: s3Files(buckets.pop() as S3FilesOptions) })))
