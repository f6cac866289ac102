import { describe, expect, test } from 'vitest'
import { served } from '../served.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { linesOfFailure } from './standalone-server.ts'

// `npm test` has a wrong PORT and a database that is not there.
describe('the standalone server exits with 1 and prints one line that says why', () => {
  test.each(['192.0.2.1', 'no-such-host.invalid'])('when HOST is %s', async (host) => {
    expect(await linesOfFailure({ HOST: host })).toEqual([expect.stringMatching('^HOST must')])
  })

  test('when S3_BUCKET can be no name of a bucket, and does not blame DATA_DIR', async () => {
    const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
    expect(await linesOfFailure({ DATA_DIR: temporaryFolder(), S3_BUCKET: '../outputs', ...keys })).toEqual([
      's3Files: bucket must be the name of a bucket.',
    ])
  })

  test('when its port is taken', async () => {
    const { port } = new URL(await served(() => {}))
    expect(await linesOfFailure({ PORT: port })).toEqual([expect.stringContaining('The port is taken')])
  })
})
