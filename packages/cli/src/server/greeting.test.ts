import { proceduralProvider } from '@genmount/provider-procedural'
import { expect, test } from 'vitest'
import { greeting } from './greeting.ts'
import { readSettings } from './settings.ts'

const bucket = { S3_BUCKET: 'media', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
const database = { DATABASE_URL: 'postgres://alice:s3cret@db/jobs' }

test.each([
  [{}, 'Jobs and files are kept in memory; set DATA_DIR to a folder, and they are kept there.'],
  [{ DATA_DIR: '/data' }, 'Jobs and files are kept in /data'],
  [{ DATA_DIR: '/data', ...bucket }, 'Jobs are kept in /data, files in the bucket media'],
  [{ ...database, ...bucket }, 'Jobs are kept in the database of DATABASE_URL, files in the bucket media'],
  [{ ...database, DATA_DIR: '/data' }, 'Jobs are kept in the database of DATABASE_URL, files in /data'],
])('with %o the operator reads where jobs and files are', async (env, line) => {
  const provider = proceduralProvider()
  const vendors = { providers: [provider], variables: [], lines: [] }
  const address = { address: '127.0.0.1', family: 'IPv4', port: 3000 }
  const text = greeting(readSettings(env), address, provider.models, vendors)
  expect(text.split('\n')).toContain(line)
  expect(text).not.toContain('s3cret')
  await provider.close?.()
})
