import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { codeBlocks, readmes, recipes, repository } from './code-blocks.ts'
import * as prelude from './prelude.ts'

const folder = mkdtempSync(join(tmpdir(), 'genmount-readme-'))
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
/** A block is on the same lines of its file as in its README, so that errors name the place. */
const files = codeBlocks('ts')
  .filter(({ code }) => !recipes.has(code))
  .map(({ readme, line, code }) => ({
    file: join(folder, `${readme.slice(0, -'.md'.length)}-${line}.ts`),
    code: '\n'.repeat(line - 1) + code,
  }))

/** The environment variables of the code blocks: keys of vendors, and the variables that the READMEs mention. */
const env = {
  ...process.env,
  ALICE_KEY: 'a-long-random-key',
  ARK_API_KEY: 'key',
  LINK_SECRET: 'a secret of at least 32 characters',
  BFL_API_KEY: 'key',
  FAL_KEY: 'id:secret',
  GEMINI_API_KEY: 'key',
  OPENAI_API_KEY: 'key',
  REDIS_URL: 'redis://127.0.0.1:6379',
  REPLICATE_API_TOKEN: 'token',
  RUNWAYML_API_SECRET: 'key',
  S3_ACCESS_KEY_ID: 'key-id',
  S3_SECRET_ACCESS_KEY: 'secret',
  XAI_API_KEY: 'key',
}
const surroundings = {
  'package.json': { type: 'module' },
  'tsconfig.json': {
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, moduleDetection: 'force' },
    include: ['**/*'],
    exclude: ['node_modules'],
  },
  'flux.json': {
    3: { class_type: 'KSampler', inputs: { seed: 1 } },
    5: { class_type: 'EmptyLatentImage', inputs: { batch_size: 1 } },
    6: { class_type: 'CLIPTextEncode', inputs: { text: '' } },
    9: { class_type: 'SaveImage', inputs: {} },
  },
}

beforeAll(() => {
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'data'))
  for (const [name, json] of Object.entries(surroundings))
    writeFileSync(join(folder, name), JSON.stringify(json))
  const globals = Object.keys(prelude).map(
    (name) => `declare const ${name}: typeof import(${JSON.stringify(here('prelude.ts'))}).${name}\n`,
  )
  writeFileSync(join(folder, 'globals.d.cts'), globals.join(''))
  for (const { file, code } of files) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @returns what a program that ends well has printed. @throws Error with what it has printed to both streams */
async function printed(command: readonly string[]): Promise<string> {
  const [program = '', ...args] = command
  const ran = promisify(execFile)(program, args, {
    cwd: folder,
    env,
    timeout: 170_000,
    killSignal: 'SIGKILL',
  })
  const { stdout } = await ran.catch(({ killed, stderr, stdout }) => {
    throw new Error(`${killed ? 'It did not end.' : ''}\n${stderr}\n${stdout}`)
  })
  return stdout
}

test('every TypeScript block of every README is free of type errors', async () => {
  const [node] = runtimes.node
  expect(await printed([node, join(repository, 'node_modules/typescript/bin/tsc'), '-p', folder])).toBe('')
})

test('every TypeScript block of every README runs without a network, and leaves nothing open', async () => {
  await printed([...runtimes.node, here('run-blocks.ts'), ...files.map(({ file }) => file)])
})

test('every block of a README is in a language that is checked, and its JSON is well-formed', () => {
  const checked = ['ts', 'sh', 'json']
  const languages = readmes.flatMap((readme) =>
    [...readFileSync(join(repository, readme), 'utf8').matchAll(/^ *```(\w+)$/gm)].map(
      ([, language]) => language,
    ),
  )
  expect(languages.filter((language = '') => !checked.includes(language))).toEqual([])
  expect(languages).toHaveLength(codeBlocks(...checked).length)
  for (const { code } of codeBlocks('json')) expect(() => JSON.parse(code)).not.toThrow()
})

test('every npm script, program and file that a shell block of a README names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  const missing = codeBlocks('sh').flatMap(({ readme, line, code }) => {
    const commands = code.replaceAll(/#.*$/gm, '')
    const named = [...commands.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name)
    const paths = commands.match(/\b(?:node_modules\/\.bin|examples|packages)\/\S+/g) ?? []
    return [
      ...named.filter((name) => !['ci', 'install'].includes(name) && !(name in scripts)),
      ...paths.filter((path) => !existsSync(join(repository, path))),
    ].map((name) => `${readme}:${line} names ${name}`)
  })
  expect(missing).toEqual([])
})
