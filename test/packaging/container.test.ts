import { chmodSync, chownSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { settingVariables } from '../../packages/cli/src/server/read-config.ts'
import { freePort } from '../free-port.ts'
import type { Command } from '../processes/launch.ts'
import { repo } from '../processes/repo.ts'
import { runProgram } from '../processes/run-program.ts'
import { startProcess } from '../processes/start-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { packedPackages } from './packed-packages.ts'

const dockerfile = readFileSync(join(repo, 'examples/standalone-node/Dockerfile'), 'utf8')
const exclude = ['**/node_modules/**']
const composeFiles = globSync('**/compose*.{yaml,yml}', { cwd: repo, exclude })

/** The last stage of the Dockerfile: what each of its instructions says. */
const stage = dockerfile
  .replaceAll(/\\\n\s*/g, '')
  .split(/^FROM /m)
  .at(-1)!
const said = (instruction: string) => new RegExp(`^${instruction} (.*)$`, 'm').exec(stage)?.[1] ?? ''
const programOf = (instruction: string): string[] => JSON.parse(said(instruction))
const env = Object.fromEntries(
  said('ENV')
    .split(/\s+/)
    .map((entry) => entry.split('=') as [string, string]),
)

test('a linter of Dockerfiles finds nothing in the Dockerfile of the server', () => {
  expect(validate(dockerfile)).toEqual([])
  expect(validate('FROM node\nCMD ["node" "a"]\nSTOPSIGNAL\n')).not.toEqual([])
})

test('each compose file is valid by the schema of the Compose specification, and the linter dclint finds no error', async () => {
  const config = join(temporaryFolder(), 'dclint.json')
  const tags = 'service-image-require-explicit-tag'
  // The rules about order are not ours, and `genmount-app` is the image that the reader builds.
  writeFileSync(config, JSON.stringify({ rules: { [tags]: 0, 'no-unbound-port-interfaces': 0 } }))
  const lint = (file: string) =>
    runProgram([process.execPath, 'node_modules/dclint/bin/dclint.cjs', '--quiet', '-c', config, file])
  expect(composeFiles.length).toBeGreaterThanOrEqual(2)
  for (const file of composeFiles)
    expect(await lint(file)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\s*$/) })
  const wrong = join(temporaryFolder(), 'compose.yaml')
  writeFileSync(wrong, 'services: { server: { image: "a:1", read_onyl: true } }\n')
  expect(await lint(wrong)).toMatchObject({ exit: 1, stdout: expect.stringContaining('invalid-schema') })
})

test('the servers of the compose files read each variable that is set for them, and so does that of the image', () => {
  const names = composeFiles.flatMap((file) => {
    const compose = readFileSync(join(repo, file), 'utf8')
    const [, environment = ''] = /environment:\n((?: {6}.*\n)+)/.exec(compose) ?? []
    const ofFile = [...environment.matchAll(/^ {6}(\w+):/gm)].map(([, name]) => name!)
    expect(ofFile, file).toEqual(expect.arrayContaining(['API_KEYS', 'DATABASE_URL']))
    return ofFile
  })
  for (const name of [...names, ...Object.keys(env).filter((name) => name !== 'NODE_ENV')])
    expect(settingVariables).toContain(name)
})

test('the server of the Helm chart reads each variable that the chart sets or names, and has more time to end than it takes', () => {
  const textOf = (file: string) => readFileSync(join(repo, 'examples/standalone-node/chart', file), 'utf8')
  const [values, deployment] = [textOf('values.yaml'), textOf('templates/deployment.yaml')]
  const [, ofValues = ''] = /^env:\n((?: {2}.*\n)+)/m.exec(values) ?? []
  const [, inSecret = ''] = /^# The Secret whose .*: ((?:.*\n)+?)secretName:/m.exec(values) ?? []
  const names = [...(ofValues + inSecret + deployment).matchAll(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g)]
  const named = new Set(names.map(([name]) => name))
  expect([...named]).toEqual(
    expect.arrayContaining(['API_KEYS', 'BASE_URL', 'DATABASE_URL', 'STOP_WITHIN_MS']),
  )
  expect([...named].filter((name) => !settingVariables.includes(name))).toEqual([])
  const [, pauseSeconds] = /preStop:\s+sleep:\s+seconds: (\d+)/.exec(deployment) ?? []
  const [, moreSeconds] =
    /terminationGracePeriodSeconds: {{ add (\d+) \(div \.Values\.stopWithinMs 1000\) }}/.exec(deployment) ??
    []
  expect(Number(moreSeconds)).toBeGreaterThan(Number(pauseSeconds) + 1)
})

/** The user and the root of the file system that the container has: not root, and read-only but for `/data`. */
const contained = (folder: string, command: readonly string[]): Command => [
  'unshare',
  '--mount',
  'sh',
  '-euc',
  `mount --bind ${folder} ${folder}
  mount -o remount,bind,ro /
  if touch /written 2>/dev/null; then echo 'The root is not read-only.'; exit 99; fi
  exec setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`,
  'sh',
  ...command,
]

test(
  'what the container starts makes a picture as another user than root on a read-only root, is found healthy, and ends within 10 s after SIGTERM',
  { tags: ['needs/small-disk'] },
  async () => {
    // What the container starts is the build.
    await packedPackages()
    expect(said('USER')).toBe('1000:1000')
    const folder = temporaryFolder()
    chownSync(folder, 1000, 1000)
    chmodSync(folder, 0o700)
    const port = await freePort()
    const variables = {
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder,
      API_KEYS: 'alice:key-of-alice',
    }
    const [, ...words] = [...programOf('ENTRYPOINT'), ...programOf('CMD')]
    const command = contained(folder, [process.execPath, ...words])
    const server = startProcess(command, { cwd: repo, env: variables })
    await server.heard(/listens on \S+\n/)
    const made = await fetch(`http://127.0.0.1:${port}/v1/generate?wait=true`, {
      method: 'POST',
      headers: { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'procedural-image', prompt: 'a kite', resolution: '480p' }),
    })
    expect(await made.json()).toMatchObject({ status: 'completed' })
    expect(readdirSync(join(folder, 'outputs')).length).toBeGreaterThan(0)

    const [, probe = ''] = /HEALTHCHECK.* CMD (\[.*\])$/m.exec(stage) ?? []
    const [, ...script] = JSON.parse(probe) as string[]
    const health = () => runProgram([process.execPath, ...script], { env: variables })
    expect(await health()).toMatchObject({ exit: 0, stderr: '' })
    const stoppedAt = performance.now()
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(performance.now() - stoppedAt).toBeLessThan(10_000)
    expect((await health()).exit).toBe(1)
  },
)
