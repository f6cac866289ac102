import type { GenerationProgress, Job } from '@genmount/client'
import { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { expect, test } from 'vitest'
import { printer } from './printer.ts'
import { showProgress } from './show-progress.ts'

const job = (status: string) => ({ id: 'gen_1', status }) as Job
const at = (progress: number | undefined, queuePosition?: number): GenerationProgress => ({
  progress,
  queuePosition,
  preview: undefined,
})

function stream(isTTY: boolean, columns = 80) {
  const written: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  return { written, stderr: printer(Object.assign(sink, { isTTY, columns }) as unknown as WriteStream) }
}

test('a pipe gets a line where something has changed, and no more than four for the way', () => {
  const { written, stderr } = stream(false)
  const shown = showProgress(stderr, 'flux', null)
  shown.onJob(job('processing'))
  for (let percent = 0; percent < 100; percent++) shown.onProgress(at(percent / 100))
  shown.onJob(job('completed'))
  shown.end()
  expect(written.join('')).toBe(
    'gen_1 processing\ngen_1 0 %\ngen_1 25 %\ngen_1 50 %\ngen_1 75 %\ngen_1 completed\n',
  )
})

test('a bar is as long as what the provider tells, with the place in the queue', async () => {
  const { written, stderr } = stream(true)
  const shown = showProgress(stderr, 'flux', 1)
  shown.onProgress(at(0.5, 3))
  await expect.poll(() => written.at(-1)).toContain('50 %')
  expect(written.at(-1)?.match(/█/g)).toHaveLength(15)
  expect(written.at(-1)?.match(/░/g)).toHaveLength(15)
  expect(written.at(-1)).toContain('3 before it')
  shown.end()
})

test('a bar whose provider tells nothing never arrives', async () => {
  const { written, stderr } = stream(true)
  const shown = showProgress(stderr, 'flux', 0.01)
  await expect.poll(() => written.length).toBeGreaterThan(4)
  expect(written.at(-1)).toContain('░')
  expect(written.at(-1)).not.toContain('%')
  shown.end()
})

test('a bar whose server reports control characters and a negative progress shows neither', async () => {
  const { written, stderr } = stream(true)
  const shown = showProgress(stderr, 'flux\u009b2J', 1)
  shown.onProgress({ progress: -1, queuePosition: '\x1b]0;x\x07' as never, preview: undefined })
  await expect.poll(() => written.at(-1)).toContain('before it')
  for (const control of ['\u009b', '\x1b]', '\x07']) expect(written.join('')).not.toContain(control)
  shown.end()
})
