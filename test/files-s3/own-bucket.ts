import { test } from 'node:test'
import { s3Files } from '@genmount/files-s3'
import { fileStoreSuite } from '@genmount/testing'

const options = {
  bucket: process.env.S3_TEST_BUCKET!,
  region: process.env.S3_REGION!,
  endpoint: process.env.S3_ENDPOINT, // leave it unset for AWS
  credentials: {
    accessKeyId: process.env.S3_ACCESS_KEY_ID!,
    secretAccessKey: process.env.S3_SECRET_ACCESS_KEY!,
  },
}

const suite = fileStoreSuite(() => {
  const files = s3Files(options)
  const keys = new Set<string>()
  const put: typeof files.put = (key, ...file) => (keys.add(key), files.put(key, ...file))
  return {
    files: { ...files, put },
    unusable: () => s3Files({ ...options, bucket: `${options.bucket}-which-is-not-there` }),
    // Each case begins and ends with an empty bucket.
    close: async () => void (await Promise.all([...keys].map((key) => files.delete(key)))),
  }
})
for (const [name, run] of Object.entries(suite)) test(name, run)
