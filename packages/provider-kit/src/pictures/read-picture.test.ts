import type { FileFetch } from '@genmount/core'
import { FetchRefusedError } from '@genmount/guarded-fetch'
import { expect, test } from 'vitest'
import type { PictureType } from './picture-uri.ts'
import { PictureError, pictureFailure, readPicture } from './read-picture.ts'

const types = ['png', 'jpeg'] as const
const png = Uint8Array.from(atob('iVBORw0KGgo='), (character) => character.charCodeAt(0))
const url = 'https://pictures.example/a'
const { signal } = new AbortController()

/** A fetch that returns these answers in turn. */
function fetches(...answers: readonly (Uint8Array<ArrayBuffer> | string | Error)[]) {
  const asked: string[] = []
  const fetchFile: FileFetch = async (asks) => {
    const answer = answers[asked.push(asks) - 1]
    if (answer instanceof Error || answer === undefined) throw answer
    return { body: new Blob([answer]).stream() }
  }
  return { fetchFile, asked }
}

test('an image in a data URI gets the media type of its bytes', async () => {
  const { fetchFile, asked } = fetches()
  const picture = await readPicture('data:image/jpg;base64,iVBORw0KGgo=', types, fetchFile, signal, 1000)
  expect(picture).toEqual({ mediaType: 'image/png', bytes: png })
  expect(asked).toEqual([])
})

test('an image in a data URI whose base64 is broken is not decoded into other bytes', async () => {
  const { fetchFile } = fetches()
  for (const base64 of ['iVBORw0KGgo', 'iVBORw0K Ggo', 'iVBORw0KGgo%3D', 'iVBORw0KGg==='])
    await expect(
      readPicture(`data:image/png;base64,${base64}`, types, fetchFile, signal, 1000),
    ).rejects.toThrow(new PictureError('The base64 in the data URI of a picture is broken.'))
})

test('an image URL is fetched up to three times after faults that may pass', async () => {
  const broken = new FetchRefusedError('network', 'The transfer broke off.')
  const { fetchFile, asked } = fetches(broken, broken, png)
  expect(await readPicture(url, types, fetchFile, signal, 1000)).toEqual({
    mediaType: 'image/png',
    bytes: png,
  })
  expect(asked).toEqual([url, url, url])
  const hopeless = fetches(broken, broken, broken, png)
  await expect(readPicture(url, types, hopeless.fetchFile, signal, 1000)).rejects.toThrow(
    new PictureError('The transfer broke off.'),
  )
})

test.each([
  ['http://a.example is refused.', new FetchRefusedError('address', 'http://a.example is refused.')],
  ['The URL of a picture could not be fetched.', new Error('DNS knows 10.0.0.7')],
  ['The URL of a picture does not lead to a PNG or JPEG picture.', '<svg/>'],
])('the error about an image that can not be read says why: %s', async (message, answer) => {
  const { fetchFile, asked } = fetches(answer)
  await expect(readPicture(url, types, fetchFile, signal, 1000)).rejects.toThrow(new PictureError(message))
  expect(asked).toHaveLength(1)
})

test('a video is read where videos are accepted, and otherwise refused with the accepted types', async () => {
  const mp4 = new TextEncoder().encode('\0\0\0 ftypisom')
  const { fetchFile } = fetches(mp4, mp4)
  const read = (types: readonly PictureType[]) => readPicture(url, types, fetchFile, signal, 1000)
  expect(await read(['mp4'])).toEqual({ mediaType: 'video/mp4', bytes: mp4 })
  await expect(read(types)).rejects.toThrow('a PNG or JPEG picture.')
  const dataUri = `data:video/mp4;base64,${btoa(String.fromCharCode(...mp4))}`
  expect(await readPicture(dataUri, ['mp4'], fetchFile, signal, 1000)).toMatchObject({ bytes: mp4 })
  await expect(
    readPicture('data:image/png;base64,iVBORw0KGgo=', ['mp4'], fetchFile, signal, 1000),
  ).rejects.toThrow('an MP4 film.')
})

test('an aborted read of an image is not a fault of the image', async () => {
  const controller = new AbortController()
  const fetchFile: FileFetch = async () => {
    controller.abort(new Error('Time is up.'))
    throw new FetchRefusedError('network', 'The transfer broke off.')
  }
  await expect(readPicture(url, types, fetchFile, controller.signal, 1000)).rejects.toThrow('Time is up.')
})

test('an image that can not be read is reported with the name of its field', () => {
  const error = new PictureError('The transfer broke off.')
  expect(pictureFailure(error)).toEqual({
    state: 'failed',
    code: 'input_fetch_failed',
    message: 'The transfer broke off.',
  })
  expect(pictureFailure(error, 'image').message).toBe('image: The transfer broke off.')
  const other = new Error('out of memory')
  expect(() => pictureFailure(other)).toThrow(other)
})
