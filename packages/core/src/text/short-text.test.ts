import { expect, test } from 'vitest'
import { cpuTimeOf } from '@genmount/testing'
import { masked, shortText } from './short-text.ts'

test.each([
  ['Authorization: Bearer r8_0123456789abcdef', 'Authorization: Bearer [secret]'],
  ['No access with Bearer r8_0123456789abcdef.', 'No access with Bearer [secret].'],
  ['No access with Key b1f7c6d2-id:9f2e8d7c6b5a4f3e', 'No access with Key [secret]'],
  ['Incorrect API key provided: sk-proj-5f0c1d2e3b4a5968. See', 'Incorrect API key provided: [secret]. See'],
  [
    'GET https://api.example/v1?key=AIzaSy5f0c1d2e3b4a&alt=media failed',
    'GET https://api.example/v1?key=[secret]&alt=media failed',
  ],
  ['{"api_key": "0123456789abcdef", "n": 1}', '{"api_key": "[secret]", "n": 1}'],
  ['x-goog-api-key: 0123456789abcdef, no', 'x-goog-api-key: [secret], no'],
  ['?X-Amz-Signature=0123456789abcdef&x=1', '?X-Amz-Signature=[secret]&x=1'],
  ['proxy http://me:s3cret@proxy.example:8080 is down', 'proxy http://[secret]@proxy.example:8080 is down'],
  ['clientSecret=0123456789abcdef is wrong', 'clientSecret=[secret] is wrong'],
  ['Authorization: 0123456789abcdef', 'Authorization: [secret]'],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl has expired', 'token [secret] has expired'],
  ['key-frames/sk-0123456789abcdef0123 is no file', 'key-frames/[secret] is no file'],
  ['no token=of-words/and-no/number, key=0123456789abcdef', 'no token=of-words/and-no/number, key=[secret]'],
  [
    'key=@/landscape-of-many-words-refresh_token="0123456789abcdef"',
    'key=@/landscape-of-many-words-refresh_token="[secret]"',
  ],
  ['eyJhbGciOiJIUzI1NiJ9-eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl.c2ln', '[secret]'],
  ['https://0123456789abcdef@api.example is down', 'https://[secret]@api.example is down'],
  [
    'no webhook at https://app.example/v1/callbacks/acme/gen_1/0123456789abcdef',
    'no webhook at https://app.example/v1/callbacks/acme/gen_1/[secret]',
  ],
])('shortText masks what looks like a credential: %s', (text, shown) => {
  expect(shortText(new Error(text))).toBe(shown)
})

test.each([
  'Key frames 12 to 48 of the video could not be rendered.',
  'The token limit of 4096 tokens was exceeded: tokens=81920.',
  'Bearer authentication is not supported by this basic 1024x1024 model.',
  'monkey: image_0000000001.png is not a picture',
  'Input key: uploads/2026/fox-01.png was not found.',
  'sketch_2_of_a_building_0000000001 at https://files.example:8443/a@2x.png',
  'prompt: Value error, keyword=landscape-wallpaper-large is not allowed',
  'CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity)',
  'No answer within 60000 ms.',
  'Unknown key image_resolution_2048 in the input.',
  'See Basic https://docs.example/authentication for more.',
])('shortText leaves ordinary messages of vendors unchanged: %s', (text) => {
  expect(shortText(text)).toBe(text)
})

test('shortText cuts a long text and shows no part of a credential at the cut', () => {
  expect(shortText('a'.repeat(1001))).toBe(`${'a'.repeat(1000)}…`)
  expect(shortText(`${'a '.repeat(497)}sk-${'0123456789'.repeat(10)}`)).toBe(`${'a '.repeat(497)}[secre…`)
  expect(shortText('a\nb\u2028c')).toBe('a b c')
})

test('shortText removes characters that change the direction of a line', () => {
  expect(shortText('no \u202ekcatta\u202c \u2066a\u2069')).toBe('no  kcatta   a ')
})

test('shortText shows half of a surrogate pair as a replacement character, and cuts none in half', () => {
  expect(shortText('a \ud83d b \ude00 c')).toBe('a \ufffd b \ufffd c')
  expect(shortText(new Error('\ud83d'))).toBe('\ufffd')
  expect(shortText(`${'a'.repeat(999)}\u{1f600}b`)).toBe(`${'a'.repeat(999)}…`)
  expect(shortText('\u{1f600}'.repeat(501))).toBe(`${'\u{1f600}'.repeat(500)}…`)
  // The text is cut once before it is searched for credentials.
  const key = `sk-${'0123456789'.repeat(199)}`
  expect(shortText(`${key} abcde\u{1f600}`)).toBe('[secret] abcde…')
})

test.each([
  'sk-',
  'sk-a+',
  'whsec_',
  'key=',
  '_key=',
  'key=a/',
  'key"',
  'key=\\',
  'api_',
  'eyJ-',
  'eyJaaaaaaaa.',
  'Bearer ',
  'Basic%20',
  'Key ',
  'Token a1',
  '://',
  '://:',
  '/callbacks/',
  '/inputs/',
  'a-',
  '"',
  ' ',
  '0',
])('credentials are looked for in linear time in a text of 128 kB that repeats %j', async (part) => {
  const text = part.repeat(131_072 / part.length)
  // Quadratic time would be many seconds.
  expect(await cpuTimeOf(() => void masked(text))).toBeLessThan(1000)
})

test('shortText takes no longer for a text of 1 MB than for one that it shows in full', async () => {
  expect(await cpuTimeOf(() => void shortText('sk-'.repeat(350_000)))).toBeLessThan(500)
})
