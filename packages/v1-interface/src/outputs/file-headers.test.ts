import { expect, test } from 'vitest'
import { fileHeaders } from './file-headers.ts'

test('a picture or a video is served inline, under a name with its extension', () => {
  expect(fileHeaders('gen_1-0', 'image/jpeg')).toEqual({
    'content-type': 'image/jpeg',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline; filename="gen_1-0.jpg"',
  })
  expect(fileHeaders('a', 'video/quicktime')['content-disposition']).toBe('inline; filename="a.mov"')
})

test('any other media type is served as a download that can run no script', () => {
  for (const type of ['text/html', 'application/octet-stream', 'constructor/x'])
    expect(fileHeaders('a', type)).toMatchObject({
      'content-type': type,
      'content-disposition': 'attachment; filename="a"',
      'content-security-policy': "sandbox; default-src 'none'",
    })
})

test('an SVG is served as a download that may use its own styles and pictures, and can run no script', () => {
  expect(fileHeaders('a', 'image/svg+xml')).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-disposition': 'attachment; filename="a.svg"',
    'content-security-policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:",
  })
})

test('an invalid content type of an output never becomes a header', () => {
  for (const type of ['', 'constructor', 'text/html\r\nx-evil: 1', 'text/html; charset=x'])
    expect(fileHeaders('a', type)['content-type']).toBe('application/octet-stream')
})
