import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { fakeFile } from '@genmount/testing'
import { filesIn } from './files-in.ts'

const picture = fakeFile('image').bytes
const base64 = Buffer.from(picture).toString('base64')
const uri = `data:image/png;base64,${base64}`
const link = 'https://cdn.example.com/a.png'
const film = 'https://cdn.example.com/a.mp4'

/** What an answer has: the links and the first bytes of its files. */
function outputsIn(answer: unknown, kind: 'image' | 'video') {
  return filesIn(answer, { kind }).flatMap(({ output }) => {
    if (!output) return []
    return 'url' in output
      ? [output.url]
      : [Buffer.compare(output.bytes, picture) === 0 ? 'png' : 'other bytes']
  })
}

/** Ways to write the same picture in a text, or in a list. */
const writings: readonly (readonly [string, unknown])[] = [
  ['base64', base64],
  ['base64 without padding', base64.replace(/=+$/, '')],
  ['base64 in lines', base64.replace(/.{76}/g, '$&\r\n')],
  ['base64 for URLs', base64.replaceAll('+', '-').replaceAll('/', '_')],
  ['a data URI', uri],
  ['a data URI without a type', uri.replace('image/png', '')],
  ['a data URI with a parameter', uri.replace(';base64', ';name=a.png;base64')],
  ['a data URI with percent escapes', `data:image/png;base64,${encodeURIComponent(base64)}`],
  ['a data URI with a blank after its comma', uri.replace(',', ', ')],
  ['a data URI without its scheme', uri.slice('data:'.length)],
  ['a data URI without scheme and type', `base64,${base64}`],
  ['a list of bytes', [...picture]],
]

test.for(writings)('a picture that is written as %s is an output', ([, value]) => {
  for (const answer of [{ data: [{ b64_json: value }] }, { images: [{ url: value }] }, { image: value }])
    expect(outputsIn(answer, 'image')).toEqual(['png'])
})

test('a picture in the form of a Buffer of Node in JSON is one output', () => {
  expect(outputsIn({ data: [{ image: { type: 'Buffer', data: [...picture] } }] }, 'image')).toEqual(['png'])
  expect(outputsIn({ data: [{ bytes: [...picture] }] }, 'image')).toEqual(['png'])
})

test('a long list of numbers that is no picture is one fault and not thousands', () => {
  const numbers = Array.from({ length: 5000 }, (_, index) => index % 100)
  expect(filesIn({ images: [numbers] }, { kind: 'image' })).toEqual([
    { at: 'images[0]', fault: 'is not a file' },
  ])
})

/** Answers of vendors and gateways, each with one picture or one film. */
const wrappings: readonly unknown[] = [
  [link],
  [{ url: link }],
  { data: link },
  { data: { images: [{ url: [link] }] } },
  { output: { choices: [{ message: { content: [{ image: link, type: 'image' }] } }] } },
  { output: { results: [{ url: link }] } },
  { outputs: { '9': { images: [{ url: link }] } } },
  { generated_images: [{ image: { url: link } }] },
  { data: { task_result: { images: [{ index: 0, url: link }] } } },
  { status: 'success', proxy_links: [link] },
  { urls: [link] },
  { links: [link] },
  { data: [{ imageURL: link, imageUUID: 'x' }] },
  { choices: [{ message: { content: `Here it is: ![fox](${link})` } }] },
  { choices: [{ message: { content: `<img alt="fox" src="${link}">` } }] },
  { body: JSON.stringify({ data: [{ url: link }] }) },
  { data: JSON.stringify([{ url: link }]) },
  { data: { state: 'success', resultJson: JSON.stringify({ resultUrls: [link] }) } },
  JSON.stringify({ data: [{ url: link }] }),
]

test('a picture is an output in whatever a gateway has wrapped its link, also in a text of JSON', () => {
  for (const answer of wrappings) expect(outputsIn(answer, 'image'), JSON.stringify(answer)).toEqual([link])
})

const unnamed = 'https://cdn.example.com/files/8f2c1a'

/** Where a link counts although nothing in it shows a picture. */
const places: readonly unknown[] = [
  { outputs: { '9': { images: [{ url: unnamed }] } } },
  { images: { '0': { url: unnamed } } },
  { images: { '0': unnamed } },
  { generations_by_pk: { generated_images: [{ url: unnamed, nsfw: false }] } },
  { url: [unnamed] },
  { urls: [unnamed] },
  { data: [{ url: { url: unnamed } }] },
  { data: [{ url: [unnamed] }] },
  { data: { state: 'success', resultJson: JSON.stringify({ resultUrls: [unnamed] }) } },
  { assets: [{ url: unnamed }] },
  { assets: { image: unnamed, thumbnail: 'https://cdn.example.com/files/small' } },
  { creations: [{ id: '1', url: unnamed, cover_url: 'https://cdn.example.com/files/cover' }] },
  { data: [{ signedUrl: unnamed, width: 1024 }] },
  { data: [{ cdn_url: unnamed }] },
  { output_url: unnamed },
  { photo: { url: unnamed } },
  { imgs: [unnamed] },
  { img_url: unnamed },
  { final_image: unnamed },
  { outputImage: unnamed },
  { data: [{ url: unnamed.slice('https:'.length) }] },
]

test('a link without an ending is an output by the names around it', () => {
  for (const answer of places) {
    const json = JSON.stringify(answer)
    expect(outputsIn(answer, 'image'), json).toEqual([unnamed])
    const ofFilm = json
      .replaceAll(/images?(?=")/g, 'video')
      .replaceAll(/photo|img/g, 'clip')
      .replace('outputImage', 'outputVideo')
    expect(outputsIn(JSON.parse(ofFilm), 'video'), ofFilm).toEqual([unnamed])
  }
})

test('a film is an output in whatever a gateway has wrapped its link, also in a text of JSON', () => {
  for (const answer of wrappings.slice(0, -1)) {
    const json = JSON.stringify(answer)
    const ofFilm = json
      .replaceAll(link, film)
      .replace('"image":"', '"video":"')
      .replaceAll('"images"', '"videos"')
    expect(outputsIn(JSON.parse(ofFilm), 'video'), ofFilm).toEqual([film])
  }
})

test('what repeats the request, leads to the task, or is only mentioned is no output', () => {
  for (const answer of [
    { urls: { get: 'https://api.example.com/p/1.png', cancel: 'https://api.example.com/p/1/cancel.png' } },
    { prompt: JSON.stringify({ images: [link] }) },
    { input: { image: link }, images: [] },
    { source_images: [link] },
    { choices: [{ message: { content: `I cannot edit ${link} because it shows a person.` } }] },
    { seeds: [137, 80, 78, 71] },
    { links: [{ rel: 'self', href: 'https://api.example.com/tasks/1' }] },
    { result_url: 'https://api.example.com/tasks/1/result', response_url: 'https://api.example.com/tasks/1' },
    { model: { url: 'https://example.com/models/1' }, help: 'https://example.com/help' },
    { preview_image: 'https://cdn.example.com/files/preview', image_page: 'https://example.com/gallery/1' },
    { clip: 'openai/clip-vit-large-patch14', photo: 'a photo of a fox' },
  ])
    expect(outputsIn(answer, 'image'), JSON.stringify(answer)).toEqual([])
})

/** What a model has that chooses the names of its outputs. */
const ofModel = (output: unknown) => filesIn(output, { kind: 'image', hasOwnNames: true }, 'output')

test('all files of a model that names its outputs are outputs, also beside an empty url', () => {
  const [one, two] = [`${unnamed}1`, `${unnamed}2`]
  for (const output of [
    { url: null, image: one, mask: two },
    { output_url: one, mask_url: two },
    { images: [one, two], caption: 'A fox in the snow.' },
    { image: { url: one }, depth: { url: two } },
  ])
    expect(
      ofModel(output).map(({ output: file }) => file),
      JSON.stringify(output),
    ).toEqual([{ url: one }, { url: two }])
})

test('the sentence that a model which names its outputs has in the place of a file is kept', () => {
  const words = 'Sorry, I cannot draw that.'
  for (const output of [{ images: [words] }, { image: words, seed: 1 }, { data: [{ url: words }] }])
    expect(ofModel(output), JSON.stringify(output)).toMatchObject([{ text: words }])
  expect(ofModel({ image: null, prompt: 'a fox that cannot fly' })).toEqual([])
})

test('a prompt that the vendor has rewritten belongs to the files beside it', () => {
  const [first, second] = [{ b64_json: base64, revised_prompt: 'a red fox' }, { b64_json: base64 }]
  const images = { data: [first, second] }
  const response = {
    output: [{ type: 'image_generation_call', result: base64, revised_prompt: 'a grey fox' }],
  }
  const prompts = (answer: object) =>
    filesIn(answer, { kind: 'image' }).map(({ output }) => output?.revisedPrompt)
  expect([prompts(images), prompts(response)]).toEqual([['a red fox', undefined], ['a grey fox']])
})
