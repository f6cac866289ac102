import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fakeFile } from '@genmount/testing'
import { expect, test } from 'vitest'
import type { Command } from '../processes/launch.ts'
import { outputOf } from '../processes/run-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { hosts } from './hosts.ts'

/** Go compiles the whole SDK, which takes minutes on two cores that are busy. In milliseconds. */
const buildMs = 10 * 60_000

/** Makes a program ready in an empty folder. Returns the command that runs it. */
type Preparation = (folder: string) => Promise<Command>

const sourceOf = (file: string) => fileURLToPath(new URL(`sdk-programs/${file}`, import.meta.url))

const programs: Readonly<Record<string, { readonly needs: string; readonly prepare: Preparation }>> = {
  Python: {
    needs: 'python3 with venv, and PyPI',
    async prepare(folder) {
      const python = join(folder, 'venv/bin/python')
      await outputOf(['python3', '-m', 'venv', join(folder, 'venv')])
      await outputOf([python, '-m', 'pip', 'install', '--quiet', 'openai'])
      return [python, sourceOf('python-cases.py')]
    },
  },
  Go: {
    needs: 'go, and its module proxy',
    async prepare(folder) {
      // Without optimization, without symbols for debuggers and with few garbage collections, the compiler takes a third less
      // CPU time.
      const options = { cwd: folder, timeoutMs: buildMs, env: { GOGC: '400' } }
      const flags = ['-gcflags=all=-N -l -dwarf=false', '-ldflags=-w']
      copyFileSync(sourceOf('go-cases.go'), join(folder, 'main.go'))
      await outputOf(['go', 'mod', 'init', 'cases'], options)
      await outputOf(['go', 'mod', 'tidy'], options)
      await outputOf(['go', 'build', ...flags, '-o', 'cases', '.'], options)
      return [join(folder, 'cases')]
    },
  },
}

test.for(Object.keys(programs))(
  "OpenAI's SDK for %s makes, edits, streams and films, and gets its errors",
  { timeout: 2 * buildMs },
  async (language, context) => {
    const { needs, prepare } = programs[language]!
    const command = await prepare(temporaryFolder()).catch((cause: unknown) => {
      console.warn(`OpenAI's SDK for ${language} could not be installed, so this part did not run.`, cause)
      return context.skip(`This part did not run: it needs ${needs}.`)
    })
    const { origin, stop } = await hosts['node:http']!()
    try {
      const env = {
        BASE: `${origin}/openai/v1`,
        PNG: Buffer.from(fakeFile('image').bytes).toString('base64'),
      }
      const output = await outputOf(command, { env })
      expect(output.trim().split('\n')).toEqual(['pictures', 'link', 'edit', 'stream', 'film', 'errors'])
    } finally {
      await stop()
    }
  },
)
