import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packedPackages } from '../packaging/packed-packages.ts'
import { outputOf } from '../processes/run-program.ts'
import { repo } from '../processes/repo.ts'
import { scriptCommand } from '../processes/start-server.ts'
import { componentLanguages } from '../client/hooks/readme-components.ts'
import { codeBlocks, readmes, recipes } from './code-blocks.ts'
import * as prelude from './prelude.ts'
import { readerFolder } from './reader-folder.ts'
import { typeErrors } from './type-errors.ts'

/** Each block is on the same lines of its file as in its README, so that errors name the place. */
const files = Object.fromEntries(
  codeBlocks('ts')
    .filter(({ code }) => !recipes.has(code))
    .map(({ readme, line, code }) => [
      `${readme.slice(0, -'.md'.length)}-${line}.ts`,
      '\n'.repeat(line - 1) + code,
    ]),
)
const at = (file: string) => new URL(file, import.meta.url)

/** The environment variables of the code blocks: keys of vendors, and the variables that the READMEs mention. */
const env = {
  ALICE_KEY: 'a-long-random-key',
  ARK_API_KEY: 'key',
  LINK_SECRET: 'a secret of at least 32 characters',
  ALIBABA_API_KEY: 'key',
  BFL_API_KEY: 'key',
  COMFY_API_KEY: 'key',
  FAL_KEY: 'id:secret',
  GEMINI_API_KEY: 'key',
  KLING_API_KEY: 'key',
  KLING_ACCESS_KEY: 'key',
  KLING_SECRET_KEY: 'secret',
  MINIMAX_API_KEY: 'key',
  OPENAI_API_KEY: 'key',
  REDIS_URL: 'redis://127.0.0.1:6379',
  REPLICATE_API_TOKEN: 'token',
  OPENROUTER_API_KEY: 'key',
  OPERATOR_KEY: 'another-long-random-key',
  RUNPOD_API_KEY: 'key',
  RUNWAYML_API_SECRET: 'key',
  S3_ACCESS_KEY_ID: 'key-id',
  S3_SECRET_ACCESS_KEY: 'secret',
  TURSO_AUTH_TOKEN: 'token',
  TURSO_DATABASE_URL: 'libsql://jobs.example.com',
  XAI_API_KEY: 'key',
}

/** What the blocks need around them. */
const surroundings = {
  'package.json': { type: 'module' },
  'tsconfig.json': {
    extends: join(repo, 'tsconfig.json'),
    compilerOptions: {
      // The published types, as a reader has them. Of the sources, the compiler would check every line again.
      customConditions: [],
      noUnusedLocals: false,
      noUnusedParameters: false,
      moduleDetection: 'force',
    },
    include: ['**/*'],
    exclude: ['node_modules'],
  },
  'flux.json': {
    3: { class_type: 'KSampler', inputs: { seed: 1 } },
    5: { class_type: 'EmptyLatentImage', inputs: { batch_size: 1 } },
    6: { class_type: 'CLIPTextEncode', inputs: { text: '' } },
    9: { class_type: 'SaveImage', inputs: {} },
  },
  'globals.d.cts': Object.keys(prelude)
    .map(
      (name) =>
        `declare const ${name}: typeof import(${JSON.stringify(at('prelude.ts').pathname)}).${name}\n`,
    )
    .join(''),
  'data/jobs-go-here.txt': '',
}

const folder = readerFolder({ ...surroundings, ...files })

test('every TypeScript block of every README compiles without type errors', async () => {
  // They are built then.
  await packedPackages()
  expect(await typeErrors(folder)).toBe('')
})

test('every TypeScript block of every README runs without a network, and its process ends', async () => {
  const paths = Object.keys(files).map((path) => join(folder, path))
  await outputOf(scriptCommand('node', at('run-blocks.ts'), ...paths), { cwd: folder, env })
})

test('every code block of a README is TypeScript, shell or JSON, or a component that its test renders, and the JSON parses', () => {
  const checked = ['ts', 'sh', 'json', ...componentLanguages]
  const languages = readmes.flatMap((readme) =>
    [...readFileSync(join(repo, readme), 'utf8').matchAll(/^ *```(\w+)$/gm)].map(([, language]) => language),
  )
  expect(languages.filter((language = '') => !checked.includes(language))).toEqual([])
  expect(languages).toHaveLength(codeBlocks(...checked).length)
  for (const { code } of codeBlocks('json')) expect(() => JSON.parse(code)).not.toThrow()
})

test('every npm script, program and file in a shell block of a README exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(repo, 'package.json'), 'utf8'))
  const missing = codeBlocks('sh').flatMap(({ readme, line, code }) => {
    const commands = code.replaceAll(/#.*$/gm, '')
    const named = [...commands.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name)
    const paths = commands.match(/\b(?:node_modules\/\.bin|examples|packages)\/\S+/g) ?? []
    return [
      ...named.filter((name) => !['ci', 'install'].includes(name) && !(name in scripts)),
      ...paths.filter((path) => !existsSync(join(repo, path))),
    ].map((name) => `${readme}:${line} names ${name}`)
  })
  expect(missing).toEqual([])
})
