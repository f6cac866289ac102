import * as v from 'valibot'
import { expect, test } from 'vitest'
import { fakeFile } from '@genmount/testing'
import { pictureField, pictureListField, picturesField } from './picture-field.ts'

const png = 'data:image/png;base64,iVBORw0KGgo='
const types = ['png', 'jpeg', 'webp'] as const
const field = pictureField('image', { types })
const accepted = 'image must be an http(s) URL, or a data URI with a PNG, JPEG or WebP picture in base64.'
const faultOf = (schema: v.GenericSchema, picture: unknown) =>
  v.safeParse(schema, picture).issues?.[0].message

test.each(['https://example.com/a.png', 'HTTP://example.com:8080/a?b=c', png, png.replace('png', 'PNG')])(
  'the image %s is accepted',
  (picture) => {
    expect(faultOf(field, picture)).toBeUndefined()
  },
)

test.each([
  [7, accepted],
  ['a.png', 'cannot be parsed'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['https://me:pw@example.com/a.png', 'without user name and password'],
  ['http://169.254.169.254/latest/meta-data', 'http://169.254.169.254 is refused'],
  ['http://[::1]/', 'is refused'],
  ['http://printer/a.png', 'is refused'],
  ['https://example.com:25/a.png', 'port'],
  [`https://example.com/${'x'.repeat(8200)}`, '8192 characters'],
  ['https://example.com/\ud83d.png', 'half of a surrogate pair'],
  ['https://example.com/a\0.png', 'NUL'],
  ['data:image/png,plain', 'something else'],
  ['data:image/gif;base64,R0lGODlh', 'something else'],
  ['data:image/svg+xml;base64,PHN2Zy8+', 'something else'],
  ['data:image/png;base64,PHN2Zy8+', 'something else'],
])('the image %s is refused with the reason and what is accepted', (picture, reason) => {
  expect(faultOf(field, picture)).toMatch(/^image/)
  expect(faultOf(field, picture)).toContain(reason)
  expect(faultOf(field, picture)).toContain(accepted)
})

test.each([
  [' https://x.example/a.png\n', 'https://x.example/a.png'],
  ['https://x.exa\nmple/a.png', 'https://x.example/a.png'],
  ['https://x.example/a\t.png\r\n', 'https://x.example/a.png'],
  ['https:\\\\x.example\\a.png', 'https://x.example/a.png'],
  ['https:x.example/a.png', 'https://x.example/a.png'],
  ['HTTPS://X.Example:443/b/../a b.png', 'https://x.example/a%20b.png'],
  ['https://\u5b57.example/\u00e4?q=\u5b57', 'https://xn--p8s.example/%C3%A4?q=%E5%AD%97'],
  ['http://0x08.0x08.2056/', 'http://8.8.8.8/'],
])('the URL %j becomes the URL that was checked, in a field, in a list and at any address', (typed, href) => {
  expect(v.parse(field, typed)).toBe(href)
  expect(v.parse(picturesField('image', 2, { types }), typed)).toBe(href)
  expect(v.parse(picturesField('image', 2, { types }), [png, typed])).toEqual([png, href])
  expect(v.parse(pictureListField('image', 2, { types }), [typed, png])).toEqual([href, png])
  expect(v.parse(pictureField('image', { types, hosts: 'any' }), typed)).toBe(href)
})

test('a URL that gets longer than 8192 characters by its escapes is refused', () => {
  expect(faultOf(field, `https://x.example/${'\u5b57'.repeat(3000)}`)).toContain('8192 characters')
})

test('an image URL that a guarded fetch reads may have any address', () => {
  const fetched = pictureField('image', { types, hosts: 'any' })
  for (const url of ['http://127.0.0.1:9/a.png', 'http://printer/a.png'])
    expect(faultOf(fetched, url)).toBeUndefined()
  for (const url of ['http://', 'ftp://example.com/a', 'https://me:pw@example.com/'])
    expect(faultOf(fetched, url)).toContain(accepted)
})

test('without a list of types, any image in a data URI is accepted up to the size limit', () => {
  const open = pictureField('image', { types: 'any', maxUriLength: 30 })
  expect(faultOf(open, 'data:image/heic;base64,AAAA')).toBeUndefined()
  expect(faultOf(open, 'data:video/mp4;base64,AAAAIGZ0eXBpc29t')).toContain('a picture in base64.')
  expect(faultOf(open, 'data:text/html;base64,PGI+')).toContain('a data URI with a picture in base64.')
  expect(faultOf(open, 'data:image/heic;base64,AAAAAAAAAAAA')).toContain('at most 30 characters')
})

test('a text, a page, a file of another kind or nothing is no picture, also without a list of types', () => {
  const fileOf = (text: string) => `data:image/png;base64,${Buffer.from(text, 'latin1').toString('base64')}`
  const open = pictureField('image', { types: 'any' })
  for (const text of [
    '',
    'hello world',
    '<!doctype html><p>no</p>',
    '{"error":"gone"}',
    whole,
    '\x1f\x8b\x08',
  ])
    expect(faultOf(open, fileOf(text)), text).toContain('image: The data URI contains no picture.')
  for (const text of ['\0\0\0\x20ftypisom', 'ID3\x03\0'])
    expect(faultOf(open, fileOf(text)), text).toContain('image: The data URI contains no picture.')
  expect(faultOf(open, fileOf('GIF89a\x01\0'))).toBeUndefined()
  expect(faultOf(open, fileOf('\x01\x02\x03'))).toBeUndefined()
  const sound = pictureField('audio', { types: 'any-audio' })
  for (const type of ['audio/webm', 'audio/webm;codecs=opus'])
    expect(faultOf(sound, fileOf('\x1aE\xdf\xa3').replace('image/png', type))).toBeUndefined()
  const film = pictureField('video', { types: 'any-video' })
  expect(faultOf(film, fileOf('\x89PNG\r\n\x1a\n').replace('image/png', 'video/mp4'))).toContain(
    'contains no film.',
  )
})

test('a picture that shows that its end is missing is refused, also where its base64 is whole', () => {
  const { bytes: file } = fakeFile('image')
  const cut = Buffer.from(file.slice(0, 3 * Math.floor(file.length / 6))).toString('base64')
  const schemas = [field, pictureField('image', { types: 'any' }), picturesField('image', 2, { types })]
  for (const schema of schemas) {
    expect(faultOf(schema, `data:image/png;base64,${Buffer.from(file).toString('base64')}`)).toBeUndefined()
    expect(faultOf(schema, `data:image/png;base64,${cut}`)).toContain('image: The data URI is cut off')
  }
})

test.each([
  'DATA:image/png;base64,',
  'data:IMAGE/PNG;BASE64,',
  'data:image/png; base64,',
  'data:image/png;a=b; base64,',
])('a data URI that begins with %s is sent in the usual form', (head) => {
  for (const schema of [field, pictureField('image', { types: 'any' })])
    expect(v.parse(schema, `${head}${whole}`)).toBe(`data:image/png;base64,${whole}`)
})

test('each image of a list is checked, and their number', () => {
  const list = picturesField('image', 2, { types })
  expect(faultOf(list, png)).toBeUndefined()
  expect(faultOf(list, [png, png])).toBeUndefined()
  for (const wrong of [[], [png, png, png], 7]) expect(faultOf(list, wrong)).toContain('a list of 1 to 2')
  const [issue] = v.safeParse(list, [png, 'http://10.0.0.1/']).issues ?? []
  expect([issue && v.getDotPath(issue), issue?.message]).toEqual(['1', expect.stringContaining('10.0.0.1')])
})

const bytes = [...Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'), 0xfb, 0xff, 0xbe, ...Array(30).fill(7), 1]
const whole = Buffer.from(bytes).toString('base64')
const lines = whole.replace(/.{20}/g, '$&\r\n')

test.each([
  ['percent-encoded', encodeURIComponent(whole)],
  ['with blanks in place of +', whole.replaceAll('+', ' ')],
  ['cut off', whole.slice(0, -5)],
  ['without its padding', whole.replace(/=+$/, '')],
  ['with too much padding', `${whole}=`],
  ['in lines', lines],
  ['in the alphabet of URLs', whole.replaceAll('+', '-').replaceAll('/', '_')],
  ['with something behind it', `${whole}#a`],
])('an image in a data URI whose base64 is %s is refused', (_what, base64) => {
  expect(whole).toMatch(/\+.*\/.*=/)
  for (const schema of [field, pictureField('image', { types: 'any' }), picturesField('image', 2, { types })])
    expect(faultOf(schema, `data:image/png;base64,${base64}`)).toContain('image: The base64 of the data URI')
  expect(faultOf(field, `data:image/png;base64,${whole}`)).toBeUndefined()
})

test.each([
  ';name=a.png',
  ';charset=utf-8',
  ';name="a b.png";x=y',
  `;name=${'a'.repeat(300)}.png`,
  ';BASE64;a=b',
])('an image in a data URI with the parameter %s is accepted, and sent without it', (parameter) => {
  const uri = png.replace(';base64', `${parameter};base64`)
  expect(v.parse(field, uri)).toBe(png)
  expect(v.parse(picturesField('image', 2, { types }), [uri, png])).toEqual([png, png])
  expect(v.parse(pictureField('image', { types: 'any' }), uri)).toBe(png)
})

test('an image in a data URI is recognised by all the brands of its bytes', () => {
  const avif = Buffer.from('\0\0\0\x1cftypmif1\0\0\0\0mif1miafavif', 'latin1').toString('base64')
  const schema = pictureField('image', { types: ['avif', 'png'] })
  expect(faultOf(schema, `data:image/avif;base64,${avif}`)).toBeUndefined()
  expect(faultOf(pictureField('video', { types: ['mp4'] }), `data:video/mp4;base64,${avif}`)).toContain(
    'else',
  )
})
