import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fakeFile } from '@genmount/testing'
import { expect, test } from 'vitest'
import { outputOf } from '../processes/run-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { hosts } from './hosts.ts'

test("OpenAI's SDK for Python makes, edits, streams and films, and raises its own errors", async (context) => {
  const folder = temporaryFolder()
  const python = join(folder, 'venv/bin/python')
  try {
    await outputOf(['python3', '-m', 'venv', join(folder, 'venv')])
    await outputOf([python, '-m', 'pip', 'install', '--quiet', 'openai'])
  } catch (cause) {
    console.warn("OpenAI's SDK for Python could not be installed, so this part did not run.", cause)
    context.skip('This part did not run: it needs python3 with venv, and PyPI.')
  }
  const { origin, stop } = await hosts['node:http']!()
  try {
    const env = {
      BASE: `${origin}/openai/v1`,
      PNG: Buffer.from(fakeFile('image').bytes).toString('base64'),
    }
    const script = fileURLToPath(new URL('python-cases.py', import.meta.url))
    const output = await outputOf([python, script], { env })
    expect(output.trim().split('\n')).toEqual(['pictures', 'link', 'edit', 'stream', 'film', 'errors'])
  } finally {
    await stop()
  }
}, 300_000)
