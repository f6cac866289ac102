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

test('a picture in a data URI is read in place, and is what its bytes say', async () => {
  const { fetchFile, asked } = fetches()
  const picture = await readPicture('data:image/jpg;base64,iVBORw0KGgo=', types, fetchFile, signal, 1000)
  expect(picture).toEqual({ mediaType: 'image/png', bytes: png })
  expect(asked).toEqual([])
})

test('a picture behind a URL is fetched, three times where that may yet succeed', async () => {
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
])('whoever named a picture that can not be had is told: %s', async (message, answer) => {
  const { fetchFile, asked } = fetches(answer)
  await expect(readPicture(url, types, fetchFile, signal, 1000)).rejects.toThrow(new PictureError(message))
  expect(asked).toHaveLength(1)
})

test('a film is read where films are accepted, and told what else it should have been where they are not', async () => {
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

test('being called off is no fault of the picture', async () => {
  const controller = new AbortController()
  const fetchFile: FileFetch = async () => {
    controller.abort(new Error('Time is up.'))
    throw new FetchRefusedError('network', 'The transfer broke off.')
  }
  await expect(readPicture(url, types, fetchFile, controller.signal, 1000)).rejects.toThrow('Time is up.')
})

test('a picture that can not be had is reported, by the name of its field where that is known, and nothing else is', () => {
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
