/* Runs cases of the conformance suite, each in a bucket of its own. */
import { s3Files } from '@genmount/files-s3'
import { fileStoreSuite } from '@genmount/testing'
import { printSuites } from '../conformance/print-suites.ts'
import { verifyingServer } from './servers/verifying-server.ts'

const { createBucket } = await verifyingServer()
await printSuites(fileStoreSuite(async () => ({ files: s3Files(await createBucket()) })))
