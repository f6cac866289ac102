import { expect, test } from 'vitest'
import { inputSchema } from './input-schema.ts'

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function judge(input: unknown) {
  const result = inputSchema['~standard'].validate(input)
  if (result instanceof Promise) throw new Error('The schema is expected to answer at once.')
  return result
}

test.each([
  ['https://example.com/a.png', 'https://example.com/a.png'],
  ['HTTP://example.com/a?b=c', 'http://example.com/a?b=c'],
  [pixel, pixel],
])('esrgan models take an input with only the picture %j, and return a PNG', (typed, image) => {
  const value = { image, format: 'png' }
  expect(judge({ image: typed })).toEqual({ typed: true, value, issues: undefined })
})

test.each([
  ['image', undefined, 'required'],
  ['image', null, 'PNG, JPEG, WebP or GIF'],
  ['image', 7, 'http(s) URL'],
  ['image', '', 'http(s) URL'],
  ['image', 'ftp://example.com/a.png', 'http(s) URL'],
  ['image', 'file:///etc/passwd', 'http(s) URL'],
  ['image', 'http://169.254.169.254/latest/meta-data', 'http(s) URL'],
  ['image', 'http://[::1]/a.png', 'http(s) URL'],
  ['image', 'http://localhost/a.png', 'http(s) URL'],
  ['image', `https://example.com/${'x'.repeat(8200)}`, 'http(s) URL'],
  ['image', 'data:image/svg+xml;base64,PHN2Zy8+', 'PNG, JPEG, WebP or GIF'],
  ['image', 'data:image/png;base64,PHN2Zy8+', 'PNG, JPEG, WebP or GIF'],
  ['format', 'gif', 'png, webp, jpeg'],
  ['format', null, 'png, webp, jpeg'],
  ['prompt', 'a lake', 'image, format'],
] as const)('%s: %j is refused, with what is accepted', (field, value, accepted) => {
  const entries = Object.entries({ image: pixel, [field]: value }).filter(([, given]) => given !== undefined)
  const { issues } = judge(Object.fromEntries(entries))
  expect(issues).toHaveLength(1)
  expect(issues?.[0]?.message).toContain(field)
  expect(issues?.[0]?.message).toContain(accepted)
  expect(issues?.[0]?.path?.map((part) => (typeof part === 'object' ? part.key : part))).toEqual([field])
})

test.each([null, undefined, 'a lake', 7, []])(
  'esrgan models refuse %j as input, and name their fields',
  (input) => {
    expect(judge(input).issues?.[0]?.message).toMatch(/image/)
  },
)
