import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runDemo } from './run-demo.ts'

test('npm run demo makes an image and a video over HTTP, kills its server meanwhile, enlarges the image, names the files, and exits with 0', async () => {
  const { output, folder } = await runDemo()
  const [image, enlarged] = ['image.png', 'image-enlarged.png'].map((file) =>
    readFileSync(join(folder, file)),
  )
  expect(enlarged!.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  expect(sizeOfPng(enlarged!)).toEqual(sizeOfPng(image!).map((side) => side * 2))
  expect(output).toMatch(
    /saved demo-output\/image\.png .*killed.*started again.*video processing for \d+ s.*saved demo-output\/video\.mp4 .*saved demo-output\/image-enlarged\.png /s,
  )
  expect(readdirSync(folder).toSorted()).toEqual(['image-enlarged.png', 'image.png', 'video.mp4'])
})

const sizeOfPng = (file: Buffer) => [file.readUInt32BE(16), file.readUInt32BE(20)]
