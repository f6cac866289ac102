import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { repo } from '../processes/repo.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/**
 * Runs the demo to its end, with settings of the user for other servers. Expects that it exits with 0, that its image and
 * video are such files, and that it deletes its own temporary files.
 * @returns what it has printed, and the folder with its files
 */
export async function runDemo(more: Readonly<Record<string, string>> = {}) {
  const cwd = temporaryFolder()
  const TMPDIR = join(cwd, 'tmp')
  mkdirSync(TMPDIR)
  const env = { TMPDIR, MAX_JOBS: '5', DATA_DIR: join(cwd, 'not-this'), FAL_KEY: 'can not be one', ...more }
  const demo = startProcess([...runtimes.node, join(repo, 'examples/standalone-node/demo.ts')], { env, cwd })
  expect(await demo.ended, demo.output).toBe(0)
  expect(demo.output.trim()).toMatch(/npm start, and open http:\/\/127\.0\.0\.1:3000\/ in a browser\.$/)
  const folder = join(cwd, 'demo-output')
  expect(readFileSync(join(folder, 'image.png')).subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  expect(readFileSync(join(folder, 'video.mp4')).subarray(4, 8).toString('latin1')).toBe('ftyp')
  expect(readdirSync(cwd).toSorted()).toEqual(['demo-output', 'tmp'])
  expect(readdirSync(TMPDIR)).toEqual([])
  return { output: demo.output, folder }
}
