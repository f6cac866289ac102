import { expect, onTestFinished, test } from 'vitest'
import { s3Files } from '@genmount/files-s3'
import { listen } from '../loopback.ts'

test('list reads all pages of a bucket, and requests each page with the token of the page before', async () => {
  const asked: string[] = []
  const { origin, stop } = await listen((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://s3.test')
    asked.push(String(searchParams))
    const page = Number(searchParams.get('continuation-token')?.replace(/\D/g, '') ?? 0)
    const keys = [0, 1].map((n) => `<Contents><Key>clips~002f${page}${n}</Key><Size>1</Size></Contents>`)
    const next = page < 2 ? `<NextContinuationToken>page/${page + 1}=</NextContinuationToken>` : ''
    response.end(`<ListBucketResult>${next}${keys.join('')}</ListBucketResult>`)
  })
  onTestFinished(stop)
  const credentials = { accessKeyId: 'KEYID', secretAccessKey: 'a-secret-key' }
  const files = s3Files({ bucket: 'outputs', region: 'us-east-1', endpoint: origin, credentials })
  const keys: string[] = []
  for await (const key of files.list?.('clips/') ?? []) keys.push(key)
  expect(keys).toEqual(['00', '01', '10', '11', '20', '21'].map((name) => `clips/${name}`))
  expect(asked).toEqual([
    'list-type=2&prefix=clips%7E002f',
    'list-type=2&prefix=clips%7E002f&continuation-token=page%2F1%3D',
    'list-type=2&prefix=clips%7E002f&continuation-token=page%2F2%3D',
  ])
})
